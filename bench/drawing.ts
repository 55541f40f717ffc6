/// <reference lib="dom" />
/**
 * The drawing of a page: the frames that it makes, and its memory before and after.
 *
 * @module
 */
import type { Browser } from "../tests/browser/browser.ts";

/** The figures of the drawing of a page. */
export interface Drawing {
  /** Frames a second. */
  readonly frames: number;
  /** The share of the frames that came later than the time of two frames. */
  readonly late: number;
  /** The memory of the page at the start in bytes, after a garbage collection. */
  readonly before: number;
  /** The memory of the page at the end in bytes, after a garbage collection. */
  readonly after: number;
}

/** The page to measure, and for how long. */
export interface Watched {
  readonly url: string;
  /** The number of canvases to wait for: the meters on the screen. */
  readonly canvases: number;
  /** Duration of the warm-up in ms, before anything is counted. */
  readonly warmUp: number;
  /** Duration of the measurement in ms. */
  readonly length: number;
}

/** The size of the window in pixels, so wide that the strips of 64 faders are on the screen. */
const VIEWPORT = { width: 7000, height: 900 };

/** Opens a page in a window of its own, and watches it. */
export async function drawing(browser: Browser, watched: Watched): Promise<Drawing> {
  const context = await browser.newContext({ viewport: VIEWPORT });
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  const held = async () => {
    await session.send("HeapProfiler.collectGarbage");
    return (await session.send("Runtime.getHeapUsage")).usedSize;
  };
  await page.goto(watched.url);
  if (watched.canvases > 0) await page.locator("canvas").nth(watched.canvases - 1).waitFor();
  await page.waitForTimeout(watched.warmUp);
  const before = await held();
  const drawn = await page.evaluate(countFrames, watched.length);
  const after = await held();
  await context.close();
  return { ...drawn, before, after };
}

/** Runs in the page for `ms`: counts its frames, and the late ones. */
function countFrames(ms: number): Promise<{ frames: number; late: number }> {
  const SHOULD_TAKE_MS = 1000 / 60;
  return new Promise((resolve) => {
    const begin = performance.now();
    let last = begin;
    let count = 0;
    let late = 0;
    const frame = (now: number) => {
      count++;
      if (now - last > 2 * SHOULD_TAKE_MS) late++;
      last = now;
      if (now - begin < ms) requestAnimationFrame(frame);
      else resolve({ frames: count * 1000 / (now - begin), late: late / count });
    };
    requestAnimationFrame(frame);
  });
}
