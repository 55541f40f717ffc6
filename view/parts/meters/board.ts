/**
 * All meters of a page: one clock, and a canvas and a feed of levels for each meter on the screen.
 * A meter that nobody sees is neither drawn nor requested. The clock runs while a needle moves: a
 * page whose meters rest asks the browser for no frames.
 *
 * @module
 */
import { drawMeter, type Paint, paintOf } from "./draw.ts";
import { isAtRest, moved, type Needle, SILENT } from "./needle.ts";
import { endsOf, type MeterMode, meterText } from "./scale.ts";
import { createSeenFeeds, type MeterFeed, type Sides } from "./seen-feeds.ts";

/** The meters of a page. */
export interface MeterBoard {
  /** Shows the meter of that name on a canvas; the returned function ends it. */
  show(canvas: HTMLCanvasElement, name: string, mode: MeterMode): () => void;
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

/** Maximum step of a needle, in s: a page that was blocked does not catch up. */
const LONGEST_STEP = 0.25;

/** Interval in ms between updates of the level for screen readers. */
const SAY_MS = 1000;

const STEREO: Sides = [SILENT.level, SILENT.level];

/**
 * Makes a board. `feed` is called for each visible meter. If `isCalm`, needles do not glide: they
 * stand at the last report.
 */
export function createMeterBoard(feed: MeterFeed, isCalm: boolean): MeterBoard {
  const reported = new Map<string, Sides>();
  const shown = new Map<Element, Shown>();
  let paint: Paint | undefined;
  let isMoving = false;
  let lastFrame = 0;
  let saidAt = 0;
  const ending = new AbortController();

  const watcher = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) {
      const one = shown.get(target);
      if (one !== undefined) one.isOnScreen = isIntersecting;
    }
    move();
    feeds.settleSoon();
  });
  const sizes = new ResizeObserver((entries) => {
    for (const { target } of entries) fit(target as HTMLCanvasElement);
  });
  // Another colour scheme has other colours.
  const looks = new MutationObserver(() => {
    paint = undefined;
    move();
  });
  looks.observe(document.documentElement, { attributes: true });

  function onScreen(): readonly Shown[] {
    return [...shown.values()].filter(({ isOnScreen }) => isOnScreen);
  }

  function hear(name: string, sides: Sides | undefined): void {
    if (sides !== undefined) reported.set(name, sides);
    else {
      reported.delete(name);
      for (const one of shown.values()) if (one.name === name) one.needles = [];
    }
    move();
  }

  function fit(canvas: HTMLCanvasElement): void {
    canvas.width = Math.round(canvas.clientWidth * devicePixelRatio);
    canvas.height = Math.round(canvas.clientHeight * devicePixelRatio);
    const one = shown.get(canvas);
    if (one !== undefined) one.drawn = "";
    move();
  }

  /** Starts the clock if it does not run. */
  function move(): void {
    if (isMoving || ending.signal.aborted) return;
    isMoving = true;
    lastFrame = performance.now();
    requestAnimationFrame(frame);
  }

  function frame(now: number): void {
    if (ending.signal.aborted) return;
    // The time of a frame may be before the call that asked for it.
    const passed = Math.max(0, now - lastFrame) / 1000;
    const seconds = isCalm ? LONGEST_STEP : Math.min(LONGEST_STEP, passed);
    lastFrame = now;
    if (paint === undefined) {
      paint = paintOf(document.documentElement);
      for (const one of shown.values()) one.drawn = "";
    }
    isMoving = false;
    const seen = onScreen();
    for (const one of seen) {
      if (step(one, reported.get(one.name) ?? STEREO, seconds, paint)) isMoving = true;
    }
    if (isMoving) requestAnimationFrame(frame);
    if (isMoving && now - saidAt < SAY_MS) return;
    saidAt = now;
    for (const one of seen) say(one);
  }

  const feeds = createSeenFeeds(feed, () => new Set(onScreen().map(({ name }) => name)), hear);
  return {
    show(canvas, name, mode) {
      shown.set(canvas, { canvas, name, mode, needles: [], drawn: "", isOnScreen: false });
      watcher.observe(canvas);
      sizes.observe(canvas);
      return () => {
        shown.delete(canvas);
        feeds.settleSoon();
        watcher.unobserve(canvas);
        sizes.unobserve(canvas);
      };
    },
    end() {
      ending.abort();
      feeds.end();
      watcher.disconnect();
      sizes.disconnect();
      looks.disconnect();
    },
  };
}

/** Moves the needles of a meter on and draws them; returns whether they still move. */
function step(one: Shown, sides: Sides, seconds: number, paint: Paint): boolean {
  one.needles = sides.map((dB, side) => moved(one.needles[side] ?? SILENT, dB, seconds));
  one.drawn = drawMeter(one.canvas, one.needles, one.mode, paint, one.drawn);
  return !sides.every((dB, side) => isAtRest(one.needles[side]!, dB));
}

/** Tells screen readers the level of the louder side. */
function say({ canvas, needles, mode }: Shown): void {
  const dB = Math.max(...needles.map(({ level }) => level));
  const text = meterText(dB, mode);
  if (canvas.ariaValueText === text) return;
  const [lowest, highest] = endsOf(mode);
  canvas.ariaValueText = text;
  canvas.ariaValueNow = String(Math.round(Math.min(highest, Math.max(lowest, dB))));
}
