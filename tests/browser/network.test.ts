/// <reference lib="dom" />
/** The bytes that the page needs, and the delays of a slow network. */
import { assert, assertEquals } from "@std/assert";
import { sentBy } from "./between.ts";
import { browserTest, type Page, until } from "./browser.ts";
import { startNetwork } from "./network.ts";

const FADERS = "/audio/mixers/0/faders";
const KB = 1000;
const desktop = { viewport: { width: 1920, height: 1080 } };

const consoleOf = (faders: number) => ({
  configuration: { mixers: [{ faders }], engine: "simulated" as const },
  isMetered: true,
});

/** The number of strips that fit on the screen. */
const SHOWN = 18;

/** Runs in the page before anything else: notes the time when `strips` faders show their levels. */
function noteUsable(strips: number): void {
  const look = () => {
    const shown = document.querySelectorAll("[role=slider][aria-valuenow]").length;
    if (shown < strips) requestAnimationFrame(look);
    else Object.assign(globalThis, { usableAt: Date.now() });
  };
  look();
}

/** The strips on the screen, and just beside it. */
const strips = (page: Page) => page.locator("[role=slider][aria-valuenow]");

for (const [faders, most] of [[64, 60 * KB], [1000, 400 * KB]] as const) {
  browserTest(
    `${faders} faders are usable after at most ${most / KB} KB, including the page itself`,
    async (desk) => {
      const network = desk.use(startNetwork(desk.url, {}));
      // Over plain HTTP browsers accept no better compression than gzip.
      const extraHTTPHeaders = { "accept-encoding": "gzip" };
      const before = (page: Page) => page.addInitScript(noteUsable, SHOWN);
      const page = await desk.open("", { ...desktop, url: network.url, extraHTTPHeaders, before });
      const usableAt = await page.waitForFunction(() =>
        (globalThis as { usableAt?: number }).usableAt
      );
      const bytes = network.receivedBy((await usableAt.jsonValue())!);
      assert(bytes <= most, `${bytes} bytes`);
    },
    consoleOf(faders),
  );
}

browserTest(
  "faders are read once, and processing only of the open strip",
  async (desk) => {
    let sent: ReturnType<typeof sentBy> = [];
    const page = await desk.open("", { ...desktop, before: (page) => sent = sentBy(page) });
    await strips(page).first().waitFor();
    const read = () => sent.filter(({ method }) => method === "get");
    const below = (path: string) => read().filter((message) => message.path.startsWith(path));
    assertEquals(read().filter(({ path }) => path === FADERS).length, 1);
    assertEquals(below(FADERS).filter(({ path }) => path.includes("params")), []);
    assertEquals(
      below("/audio/mixers").filter(({ path }) => !/^.audio.mixers.0./.test(path)).length,
      1,
    );
    await page.getByRole("button", { name: "Everything of Guest 1", exact: true }).click();
    await page.getByRole("tab", { name: "Dynamics" }).click();
    await page.getByRole("slider", { name: "Compressor: Ratio", exact: true }).waitFor();
    const params = below(FADERS).filter(({ path }) => path.includes("params"));
    assert(params.length > 0 && params.every(({ path }) => path.startsWith(`${FADERS}/1/`)));
  },
);

browserTest("only the meters of the strips on the screen are subscribed to", async (desk) => {
  let sent: ReturnType<typeof sentBy> = [];
  const page = await desk.open("", { ...desktop, before: (page) => sent = sentBy(page) });
  const heard = () => {
    const paths = new Set<string>();
    for (const { method, path } of sent) {
      if (method === "subscribe") paths.add(path);
      if (method === "unsubscribe") paths.delete(path);
    }
    return [...paths].filter((path) => path.includes("/meter/"));
  };
  const isHeard = (fader: number) => heard().includes(`${FADERS}/${fader}/meter/_input`);
  await until(() => isHeard(0));
  assert(heard().length <= 20, heard().join());
  await page.getByRole("navigation", { name: "Faders" }).getByRole("button").last().click();
  await until(() => isHeard(63) && !isHeard(0));
  assert(heard().length <= 20, heard().join());
}, consoleOf(64));

/** Runs in the page: notes each level of the first fader, with its time in ms since 1970. */
function noteLevels(): void {
  const fader = document.querySelector("[role=slider]")!;
  const seen: [number, number][] = [];
  Object.assign(globalThis, { seen });
  const note = () => seen.push([Number(fader.getAttribute("aria-valuenow")), Date.now()]);
  new MutationObserver(note).observe(fader, {
    attributes: true,
    attributeFilter: ["aria-valuenow"],
  });
}

browserTest(
  "at 400 kbit/s, with 64 meters on the screen, a change is seen within half a second",
  async (desk) => {
    const network = desk.use(startNetwork(desk.url, { bytesPerSecond: 50 * KB, delay: 20 }));
    const viewport = { width: 7000, height: 900 };
    const page = await desk.open("", { viewport, url: network.url });
    await strips(page).nth(63).waitFor();
    await page.evaluate(noteLevels);
    const other = await desk.client();
    const changed = new Map<number, number>();
    // The network is slow in real time: between two changes meters fill it, which would delay the
    // second.
    for (let level = -40; level < -20; level++) {
      changed.set(level, Date.now());
      await other.set(`${FADERS}/0/fader`, level);
      await page.waitForTimeout(250);
    }
    const seen = () =>
      page.evaluate(() => (globalThis as unknown as { seen: [number, number][] }).seen);
    await until(async () => (await seen()).length === changed.size);
    const delays = (await seen()).map(([level, at]) => at - changed.get(level)!).sort((a, b) =>
      a - b
    );
    // The median, because a busy machine may be late now and then.
    assert(delays[Math.floor(delays.length / 2)]! < 500, delays.join());
  },
  consoleOf(64),
);
