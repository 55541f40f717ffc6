/**
 * Draws a meter on its canvas: a bar for each side, with colours for loud and too loud levels, and
 * a line for the peak.
 *
 * @module
 */
import type { Needle } from "./needle.ts";
import { heightOf, loudOf, type MeterMode } from "./scale.ts";

/** The colours of a meter. */
export interface Paint {
  readonly low: string;
  readonly middle: string;
  readonly high: string;
  readonly well: string;
}

/** Reads the colours of a meter from the style of an element. */
export function paintOf(element: Element): Paint {
  const style = getComputedStyle(element);
  const colour = (name: string) => style.getPropertyValue(name).trim();
  return {
    low: colour("--meter-low"),
    middle: colour("--meter-mid"),
    high: colour("--meter-high"),
    well: colour("--well"),
  };
}

/** Gap between two sides, and above and below a peak, in CSS pixels. */
const GAP_PX = 2;

/**
 * Draws a meter, unless it has not changed: `drawn` is the last result of this function. Returns
 * the levels that are drawn now.
 */
export function drawMeter(
  canvas: HTMLCanvasElement,
  needles: readonly Needle[],
  mode: MeterMode,
  { low, middle, high, well }: Paint,
  drawn: string,
): string {
  const { width, height } = canvas;
  const upTo = (dB: number) => Math.round(heightOf(dB, mode) * height);
  const bars = needles.map(({ level, peak }) => [upTo(level), upTo(peak)] as const);
  const now = bars.join();
  const context = canvas.getContext("2d", { alpha: false });
  if (now === drawn || context === null) return now;
  const gap = Math.round(GAP_PX * devicePixelRatio);
  const [loud, tooLoud] = loudOf(mode).map(upTo) as [number, number];
  const wide = (width - gap * (bars.length - 1)) / bars.length;
  context.fillStyle = well;
  context.fillRect(0, 0, width, height);
  bars.forEach(([level, peak], side) => {
    const left = Math.round(side * (wide + gap));
    const right = Math.round(left + wide);
    const fill = (colour: string, from: number, to: number) => {
      if (to <= from) return;
      context.fillStyle = colour;
      context.fillRect(left, height - to, right - left, to - from);
    };
    fill(low, 0, Math.min(level, loud));
    fill(middle, loud, Math.min(level, tooLoud));
    fill(high, tooLoud, level);
    const colour = peak > tooLoud ? high : peak > loud ? middle : low;
    if (peak > 0) fill(colour, Math.max(0, peak - gap), peak);
  });
  return now;
}
