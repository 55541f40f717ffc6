/**
 * Draws the fader law: left the scale as it stands beside a fader, right the level over the travel.
 * Run after a change of the table: `deno run --allow-write=docs scripts/law-svg.ts`.
 *
 * @module
 */
import { lawPoints } from "../fade/law.ts";
import { FADER_MAX, FADER_MIN } from "../fade/limits.ts";

const width = 720;
const height = 460;
const top = 50;
const bottom = 410;
const scale = 90;
const left = 220;
const right = 670;

/** The picture of the published table, as the text of an SVG file. */
export function lawSvg(): string {
  return [
    "<!-- Made by scripts/law-svg.ts. deno-fmt-ignore-file -->",
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" font-family="sans-serif" font-size="12" role="img">`,
    `<title>Fader law: level in dB over travel</title>`,
    `<rect width="${width}" height="${height}" fill="#fff"/>`,
    ...faderScale(),
    ...curve(),
    `</svg>`,
    "",
  ].join("\n");
}

function faderScale(): string[] {
  const at = (travel: number) => place(travel, 0, 1, bottom, top);
  return [
    text(scale, top - 22, "middle", "scale (dB)"),
    `<path d="M${scale} ${top}V${bottom}" stroke="#333" stroke-width="4" stroke-linecap="round"/>`,
    ...lawPoints.flatMap(({ dB, travel }) => [
      `<path d="M${scale - 18} ${at(travel)}h36" stroke="#333"/>`,
      text(scale - 24, at(travel) + 4, "end", label(dB)),
    ]),
  ];
}

function curve(): string[] {
  const x = (travel: number) => place(travel, 0, 1, left, right);
  const y = (dB: number) => place(dB, FADER_MIN, FADER_MAX, bottom, top);
  return [
    text((left + right) / 2, top - 22, "middle", "level (dB) over travel"),
    ...[0, 0.25, 0.5, 0.75, 1].flatMap((travel) => [
      `<path d="M${x(travel)} ${top}V${bottom}" stroke="#ddd"/>`,
      text(x(travel), bottom + 20, "middle", `${travel}`),
    ]),
    ...[10, 0, -20, -40, -60, -80, -100, -120, -140, -160].flatMap((dB) => [
      `<path d="M${left} ${y(dB)}H${right}" stroke="#ddd"/>`,
      text(left - 8, y(dB) + 4, "end", label(dB)),
    ]),
    `<polyline points="${
      lawPoints.map(({ dB, travel }) => `${x(travel)},${y(dB)}`).join(" ")
    }" fill="none" stroke="#06c" stroke-width="2"/>`,
    ...lawPoints.map(({ dB, travel }) =>
      `<circle cx="${x(travel)}" cy="${y(dB)}" r="3.5" fill="#06c"><title>${
        label(dB)
      } dB at ${travel}</title></circle>`
    ),
  ];
}

function place(value: number, min: number, max: number, from: number, to: number): number {
  return Math.round((from + (value - min) / (max - min) * (to - from)) * 10) / 10;
}

function text(x: number, y: number, anchor: string, words: string): string {
  return `<text x="${x}" y="${y}" text-anchor="${anchor}" fill="#333">${words}</text>`;
}

function label(dB: number): string {
  return dB > 0 ? `+${dB}` : `${dB}`.replace("-", "−");
}

if (import.meta.main) {
  await Deno.writeTextFile(new URL("../docs/fader-law.svg", import.meta.url), lawSvg());
}
