/**
 * What 64 moving stereo meters on one screen cost the page: its frames a second, the part of them
 * that came late, and what it holds after a minute beside what it held before. The peer is an empty
 * page in the same browser, which says what that machine can draw at all.
 *
 * @module
 */
import type { Drawing } from "./drawing.ts";
import { inBrowser } from "./in-browser.ts";
import { benchOptions, type Figure, median, report } from "./report.ts";

const FRAMES = { atLeast: 25 };
/** It holds at most so much more after the run, as a part of what it held. */
const GROWN = { atMost: 1.1 };

const { rounds, seconds, ...options } = benchOptions({ rounds: 1, seconds: 60 });
const rows: { readonly view: Drawing; readonly bare: Drawing }[] = [];
for (let round = 0; round < rounds; round++) {
  rows.push(await inBrowser("view-meters-page.ts", seconds));
}
report("view-meters", [
  {
    sides: ["64 meters", "empty page"],
    figures: [
      { ...both("frames a second", "frames", "frames"), ...frames(), target: FRAMES },
      both("came late", "part of the frames", "late"),
    ],
  },
  { sides: ["after", "before"], figures: [held()] },
], { rounds, seconds, ...options });

function both(name: string, unit: string, from: "frames" | "late"): Figure {
  const perRound = rows.map(({ view }) => view[from]);
  const ours = median(perRound);
  const peer = median(rows.map(({ bare }) => bare[from]));
  return { name, unit, ours, peer, compared: ours - peer, perRound };
}

/** The bound is one of frames a second, whatever the empty page has. */
function frames() {
  return { compared: median(rows.map(({ view }) => view.frames)) };
}

function held(): Figure {
  const ours = median(rows.map(({ view }) => view.after));
  const peer = median(rows.map(({ view }) => view.before));
  const perRound = rows.map(({ view }) => view.after / view.before);
  return {
    name: "held",
    unit: "bytes",
    ours,
    peer,
    compared: median(perRound),
    perRound,
    target: GROWN,
  };
}
