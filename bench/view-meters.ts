/**
 * The cost of 64 moving stereo meters on one screen for the page: its frames a second, the share of
 * late frames, and its memory after a minute, compared with its memory before. The peer is an empty
 * page in the same browser, which shows the limit of that machine.
 *
 * @module
 */
import type { Drawing } from "./drawing.ts";
import { BROWSER, printedBy } from "./process.ts";
import { benchOptions, type Figure, figureOf, report } from "./report.ts";

const FRAMES = { atLeast: 25 };
/** Maximum memory after the run, as a multiple of the memory before it. */
const GROWN = { atMost: 1.1 };

const { rounds, seconds, ...options } = benchOptions({ rounds: 1, seconds: 60 });
const rows: { readonly view: Drawing; readonly bare: Drawing }[] = [];
for (let round = 0; round < rounds; round++) {
  rows.push(await printedBy("view-meters-page.ts", [seconds], BROWSER));
}
// The bound is an absolute number of frames a second, whatever the empty page has.
const frames = both("frames a second", "frames", "frames", FRAMES);
const held = figureOf(
  "held",
  "bytes",
  rows.map(({ view }) => view.after),
  rows.map(({ view }) => view.before),
  "ratio",
  GROWN,
);
report("view-meters", [
  {
    sides: ["64 meters", "empty page"],
    figures: [
      { ...frames, compared: frames.ours },
      both("came late", "part of the frames", "late"),
    ],
  },
  { sides: ["after", "before"], figures: [held] },
], { rounds, seconds, ...options });

function both(name: string, unit: string, from: "frames" | "late", target?: Figure["target"]) {
  const ours = rows.map(({ view }) => view[from]);
  const peer = rows.map(({ bare }) => bare[from]);
  return figureOf(name, unit, ours, peer, "difference", target);
}
