/**
 * All meters of a page: one feed of levels, one clock, and a canvas for each meter on the screen.
 * Nothing is drawn, and nothing asked for, while the tab is hidden.
 *
 * @module
 */
import { drawMeter, type Paint, paintOf } from "./draw.ts";
import { whileSeen } from "../../while-seen.ts";
import { moved, type Needle, SILENT } from "./needle.ts";
import type { MeterMode } from "./scale.ts";

/** The sides of a meter, in dBFS. */
export type Sides = readonly number[];

/** The meters of a page. */
export interface MeterBoard {
  /** Shows the meter of that name on a canvas; the returned function ends it. */
  show(canvas: HTMLCanvasElement, name: string, mode: MeterMode): () => void;
  /** Takes what was reported for a meter. */
  report(name: string, sides: Sides): void;
  /** Stops everything. */
  end(): void;
}

/** A canvas that shows a meter. */
interface Shown {
  readonly canvas: HTMLCanvasElement;
  readonly name: string;
  readonly mode: MeterMode;
  needles: Needle[];
  /** The drawn levels, to draw nothing twice. */
  drawn: string;
  isOnScreen: boolean;
}

/** The longest step of a needle, in s: a page that was held up does not make up for it. */
const LONGEST_STEP = 0.25;

const STEREO: Sides = [SILENT.level, SILENT.level];

/**
 * Makes a board. `feed` is called to have levels reported, while somebody can see them, and answers
 * what ends that. Where `isCalm`, needles do not glide: they stand where the last report was.
 */
export function createMeterBoard(feed: () => () => void, isCalm: boolean): MeterBoard {
  const reported = new Map<string, Sides>();
  const shown = new Map<Element, Shown>();
  let paint: Paint | undefined;
  let lastFrame = 0;
  const ending = new AbortController();

  const watcher = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) {
      const one = shown.get(target);
      if (one !== undefined) one.isOnScreen = isIntersecting;
    }
  });
  const sizes = new ResizeObserver((entries) => {
    for (const { target } of entries) fit(target as HTMLCanvasElement);
  });
  // Another look has other colours.
  const looks = new MutationObserver(() => paint = undefined);
  looks.observe(document.documentElement, { attributes: true });

  function fit(canvas: HTMLCanvasElement): void {
    canvas.width = Math.round(canvas.clientWidth * devicePixelRatio);
    canvas.height = Math.round(canvas.clientHeight * devicePixelRatio);
    const one = shown.get(canvas);
    if (one !== undefined) one.drawn = "";
  }

  function frame(now: number): void {
    if (ending.signal.aborted) return;
    requestAnimationFrame(frame);
    const seconds = isCalm ? LONGEST_STEP : Math.min(LONGEST_STEP, (now - lastFrame) / 1000);
    lastFrame = now;
    if (paint === undefined) {
      paint = paintOf(document.documentElement);
      for (const one of shown.values()) one.drawn = "";
    }
    for (const one of shown.values()) {
      if (one.isOnScreen) step(one, seconds, paint);
    }
  }

  function step(one: Shown, seconds: number, paint: Paint): void {
    const sides = reported.get(one.name) ?? STEREO;
    one.needles = sides.map((dB, side) => moved(one.needles[side] ?? SILENT, dB, seconds));
    one.drawn = drawMeter(one.canvas, one.needles, one.mode, paint, one.drawn);
  }

  const stopFeed = whileSeen(feed);
  requestAnimationFrame(frame);
  return {
    show(canvas, name, mode) {
      shown.set(canvas, { canvas, name, mode, needles: [], drawn: "", isOnScreen: false });
      watcher.observe(canvas);
      sizes.observe(canvas);
      return () => {
        shown.delete(canvas);
        watcher.unobserve(canvas);
        sizes.unobserve(canvas);
      };
    },
    report: (name, sides) => void reported.set(name, sides),
    end() {
      ending.abort();
      stopFeed();
      watcher.disconnect();
      sizes.disconnect();
      looks.disconnect();
    },
  };
}
