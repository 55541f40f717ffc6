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

browserTest(
  "at 400 kbit/s a change waits for less than half a second of the meters of 64 faders",
  async (desk) => {
    const bytesPerSecond = 50 * KB;
    const network = desk.use(startNetwork(desk.url, { bytesPerSecond, delay: 20 }));
    const viewport = { width: 7000, height: 900 };
    const page = await desk.open("", { viewport, url: network.url });
    await strips(page).nth(63).waitFor();
    const other = await desk.client();
    const before: number[] = [];
    for (let change = 0; change < 12; change++) {
      // Enough meters to fill the network and delay the last changes, if they come too often.
      const start = network.receivedBy();
      await until(() => network.receivedBy() > start + 10 * KB);
      const label = `Change ${change}.`;
      const passed: number[] = [];
      network.passed(label).then((bytes) => passed.push(bytes));
      await other.set(`${FADERS}/0/label`, label);
      const asked = network.receivedBy();
      await until(() => passed.length > 0);
      before.push(passed[0]! - asked);
    }
    await page.getByText("Change 11.").first().waitFor();
    // In bytes, because the time also depends on what else the machine does; the median, because
    // the page slows meters down only once they have delayed a round trip.
    const sorted = before.toSorted((a, b) => a - b);
    assert(sorted[Math.floor(sorted.length / 2)]! < bytesPerSecond / 2, sorted.join());
  },
  consoleOf(64),
);
