/// <reference lib="dom" />
/**
 * Shows 64 faders with moving meters, all on one wide screen, and a bare page beside it; prints what
 * each did: `{"view": {"frames": 60, "late": 0.01, "before": 5e6, "after": 5e6}, "bare": …}`. The
 * argument says for how many seconds.
 *
 * @module
 */
import { launch } from "../tests/browser/browser.ts";
import { startFaderd } from "./process.ts";
import { print } from "./report.ts";

/** How a page drew. */
export interface Drawing {
  /** Frames a second. */
  readonly frames: number;
  /** The part of the frames that came later than two should take. */
  readonly late: number;
  /** What the page holds at the start, its garbage collected, in bytes. */
  readonly before: number;
  /** The same at the end. */
  readonly after: number;
}

const FADERS = 64;
/** So wide that all strips are on the screen. */
const VIEWPORT = { width: 6400, height: 900 };
const BARE_PAGE = "data:text/html,<!DOCTYPE html><title>bare</title>";
const WARM_UP_MS = 5000;

const seconds = Number(Deno.args[0] ?? 60);
const folder = await Deno.makeTempDir({ prefix: "bench-view-meters-" });
const configuration = `${folder}/console.json`;
Deno.writeTextFileSync(
  configuration,
  JSON.stringify({ mixers: [{ faders: FADERS }], engine: "simulated" }),
);
const service = await startFaderd(`${folder}/data`, configuration);
const browser = await launch();
const view = await drawing(`http://127.0.0.1:${service.port}/`, FADERS);
const bare = await drawing(BARE_PAGE, 0);
print(JSON.stringify({ view, bare }));
await browser.close();
await service.stop();
await Deno.remove(folder, { recursive: true });

async function drawing(url: string, meters: number): Promise<Drawing> {
  const context = await browser.newContext({ viewport: VIEWPORT });
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  const held = async () => {
    await session.send("HeapProfiler.collectGarbage");
    return (await session.send("Runtime.getHeapUsage")).usedSize;
  };
  await page.goto(url);
  if (meters > 0) await page.locator("canvas").nth(meters - 1).waitFor();
  await page.waitForTimeout(WARM_UP_MS);
  const before = await held();
  const drawn = await page.evaluate(countFrames, seconds * 1000);
  const after = await held();
  await context.close();
  return { ...drawn, before, after };
}

/** Runs in the page: counts its frames for so long, in ms, and those that came late. */
function countFrames(ms: number): Promise<{ frames: number; late: number }> {
  const SHOULD_TAKE_MS = 1000 / 60;
  return new Promise((resolve) => {
    const begin = performance.now();
    let [last, count, late] = [begin, 0, 0];
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
