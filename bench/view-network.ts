/// <reference lib="dom" />
/**
 * Opens the view over networks, and scrolls its strips; prints the results:
 * `{"usable": {"64": 58000, "1000": 200000}, "delays": [40, 35], "frames": 52}`. `usable` has, by
 * the number of faders, the bytes that the page received before they could be operated. `delays` are
 * the times in ms until the page showed a change of another client, at 400 kbit/s with 64 meters on
 * the screen. `frames` is the number of frames a second while 1,000 faders scroll.
 *
 * @module
 */
import { connect } from "../client/client.ts";
import { type Browser, launch, type Page } from "../tests/browser/browser.ts";
import { startNetwork } from "../tests/browser/network.ts";
import { firstToken, type ServerProcess, startFaderd } from "./process.ts";
import { print, sleep } from "./report.ts";

/** The output of the script. */
export interface OverNetwork {
  readonly usable: Readonly<Record<64 | 1000, number>>;
  readonly delays: readonly number[];
  readonly frames: number;
}

const DESKTOP = { width: 1920, height: 1080 };
/** The size of the window in pixels, so wide that the strips of 64 faders are on the screen. */
const WIDE = { width: 7000, height: 900 };
const SLIDERS = "[role=slider][aria-valuenow]";
const SLOW = { bytesPerSecond: 50_000, delay: 20 };
/** Time in ms before changes begin: meters are asked for in the first second. */
const SETTLE_MS = 2000;
const CHANGES = 30;
const CHANGE_MS = 300;
const SCROLL_MS = 5000;
const SCROLL_PX = 20;

const folder = await Deno.makeTempDir({ prefix: "bench-view-network-" });
const browser = await launch();
const small = await serviceOf(64);
const large = await serviceOf(1000);
print(JSON.stringify(
  {
    usable: { 64: await bytesUntilUsable(small), 1000: await bytesUntilUsable(large) },
    delays: await delays(small),
    frames: await framesOfScroll(large),
  } satisfies OverNetwork,
));
await browser.close();
await small.stop();
await large.stop();
await Deno.remove(folder, { recursive: true });

async function serviceOf(faders: number): Promise<ServerProcess> {
  const file = `${folder}/${faders}.json`;
  const configuration = { mixers: [{ faders }], engine: "simulated" };
  await Deno.writeTextFile(file, JSON.stringify(configuration));
  return await startFaderd(`${folder}/${faders}`, file);
}

type Opened = readonly [page: Page, close: () => Promise<void>];

async function opened(url: string, viewport = DESKTOP, strips = 18): Promise<Opened> {
  // The compression that browsers accept over plain HTTP.
  const extraHTTPHeaders = { "accept-encoding": "gzip" };
  const context = await (browser as Browser).newContext({ viewport, extraHTTPHeaders });
  const page = await context.newPage();
  await page.goto(url);
  await page.locator(SLIDERS).nth(strips - 1).waitFor();
  return [page, () => context.close()];
}

async function bytesUntilUsable({ port }: ServerProcess): Promise<number> {
  await using network = startNetwork(`http://127.0.0.1:${port}`, {});
  const [, close] = await opened(network.url);
  const bytes = network.receivedBy(Date.now());
  await close();
  return bytes;
}

async function delays(service: ServerProcess): Promise<number[]> {
  await using network = startNetwork(`http://127.0.0.1:${service.port}`, SLOW);
  const [page, close] = await opened(network.url, WIDE, 64);
  await sleep(SETTLE_MS);
  await page.evaluate(noteLevels, SLIDERS);
  await using desk = connect(`ws://127.0.0.1:${service.port}/api/ws`, {
    token: firstToken(service),
  });
  await desk.ready();
  const changed = new Map<number, number>();
  for (let change = 0; change < CHANGES; change++) {
    changed.set(change - 50, Date.now());
    await desk.set("/audio/mixers/0/faders/0/fader", change - 50);
    await sleep(CHANGE_MS);
  }
  const last = CHANGES - 51;
  await page.waitForFunction(
    ([selector, level]) =>
      document.querySelector(selector)!.getAttribute("aria-valuenow") === String(level),
    [SLIDERS, last] as const,
  );
  const seen = await page.evaluate(() =>
    (globalThis as unknown as { seen: (readonly [number, number])[] }).seen
  );
  await close();
  return seen.map(([level, at]) => at - changed.get(level)!);
}

/** Runs in the page: notes each level of the first fader and its time, in ms since 1970. */
function noteLevels(selector: string): void {
  const fader = document.querySelector(selector)!;
  const seen: (readonly [number, number])[] = [];
  Object.assign(globalThis, { seen });
  const note = () => seen.push([Number(fader.getAttribute("aria-valuenow")), Date.now()]);
  new MutationObserver(note).observe(fader, {
    attributes: true,
    attributeFilter: ["aria-valuenow"],
  });
}

async function framesOfScroll({ port }: ServerProcess): Promise<number> {
  const [page, close] = await opened(`http://127.0.0.1:${port}`);
  await sleep(SETTLE_MS);
  const frames = await page.evaluate(scroll, [SCROLL_MS, SCROLL_PX] as const);
  await close();
  return frames;
}

/** Runs in the page: scrolls its row for `ms`, by `pixels` a frame; returns frames a second. */
function scroll([ms, pixels]: readonly [number, number]): Promise<number> {
  const row = document.querySelector(".row")!;
  const begin = performance.now();
  let left = 0;
  let frames = 0;
  return new Promise((resolve) => {
    const frame = (now: number) => {
      frames++;
      row.scrollLeft = left += pixels;
      if (now - begin < ms) requestAnimationFrame(frame);
      else resolve(frames * 1000 / (now - begin));
    };
    requestAnimationFrame(frame);
  });
}
