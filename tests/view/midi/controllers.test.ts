/** The controllers of the page on a real service, without a browser. */
import { assertEquals } from "@std/assert";
import { display, lamp, type MidiBytes, motor } from "../../../view/midi/mackie.ts";
import { levelAt, travelAt } from "../../../view/parts/fader/scale.ts";
import { temporaryFolder } from "../../program/faderd.ts";
import { startService, tokens, until } from "../../service.ts";
import { reconfigure } from "../../transport/byte-service.ts";
import { startPageWorker } from "../page-worker.ts";

const FADERS = "/audio/mixers/1/faders";

/** The page in a worker, and what it has sent since the last call of `forget`. */
interface Page extends Disposable {
  /** Has the page do something, in this order: another address, lock, controllers, a message. */
  does(what: {
    address?: string;
    isLocked?: boolean;
    /** The numbers of the connected controllers, in their order. */
    controllers?: readonly number[];
    from?: number;
    bytes?: MidiBytes;
    /** Half a second passes, after which a fader without a sensor does not count as touched. */
    isOver?: boolean;
  }): void;
  /** The messages to a controller, as text. */
  sentTo(controller: number): string[];
  /** Waits until a controller has got a message. */
  comes(bytes: MidiBytes, controller?: number): Promise<void>;
  /** The addresses to which the page itself has gone. */
  readonly addresses: readonly string[];
  forget(): void;
}

/** Starts the page of mixer 1 with one controller of two, in a worker. */
async function startPage(folder: string, url: string): Promise<Page> {
  const worker = await startPageWorker(folder, url, {
    modules: {
      "view/midi/controllers.ts": "connectControllers",
      "view/state/live.ts": "follow, open",
      "view/state/rights.ts": "locked",
      "@preact/signals": "signal",
    },
    before: `let address = "#/mixer/1";
    const { setTimeout, clearTimeout } = globalThis;
    /** What is done after half a second, for which no test waits. */
    const held = new Map();
    let lastHeld = 0;`,
    globals: `setTimeout(act, ms) {
        if (ms !== 500) return setTimeout(act, ms);
        held.set(--lastHeld, act);
        return lastHeld;
      },
      clearTimeout(timer) {
        if (!held.delete(timer)) clearTimeout(timer);
      },
      location: {
        get hash() {
          return address;
        },
        set hash(next) {
          address = next;
          dispatchEvent(new Event("hashchange"));
          postMessage({ address });
        },
        search: "",
      },`,
    script: `open("${tokens.admin}");
    // As a page that stays while its mixer is away.
    follow("${FADERS}", { depth: 2, only: ["label"] });
    const known = [0, 1].map((to) => ({
      isExtender: false,
      send: (bytes) => postMessage({ to, text: bytes.join() }),
      listen(listener) {
        this.listener = listener;
      },
    }));
    const controllers = signal([known[0]]);
    connectControllers(controllers);
    onmessage = ({ data }) => {
      if (data.isOver) {
        const acts = [...held.values()];
        held.clear();
        for (const act of acts) act();
      }
      if (data.address !== undefined) {
        address = data.address;
        dispatchEvent(new Event("hashchange"));
      }
      if (data.isLocked !== undefined) locked.value = data.isLocked;
      if (data.controllers) controllers.value = data.controllers.map((number) => known[number]);
      if (data.bytes) known[data.from ?? 0].listener(data.bytes);
    };`,
  });
  let sent: { to: number; text: string }[] = [];
  const addresses: string[] = [];
  worker.onmessage = ({ data }) =>
    void (data.address === undefined ? sent.push(data) : addresses.push(data.address));
  const sentTo = (controller: number) =>
    sent.filter(({ to }) => to === controller).map(({ text }) => text);
  return {
    does: (what) => worker.postMessage(what),
    sentTo,
    comes: (bytes, controller = 0) => until(() => sentTo(controller).includes(bytes.join())),
    addresses,
    forget: () => void (sent = []),
    [Symbol.dispose]: () => worker.terminate(),
  };
}

/** A mixer with faders of one label, or with faders whose labels are numbered from 1 on. */
const mixer = (label: string, count?: number) => ({
  faders: count === undefined
    ? [{ label }]
    : Array.from({ length: count }, (_, fader) => ({ label: `${label}${fader + 1}` })),
});

const touch = (isTouched: boolean): MidiBytes => [0x90, 0x68, isTouched ? 127 : 0];

/** The level of a fader at a place, as the display of a strip has it. */
const level = (travel: number) => levelAt(travel).toFixed(1).padStart(5);

/**
 * A test of a page with two controllers, the second of which begins with the ninth fader. `motors`
 * returns the messages to the motors of the second.
 */
function testOfTwo(
  name: string,
  run: (page: Page, motors: () => string[]) => Promise<void>,
): void {
  Deno.test(name, async () => {
    await using folder = await temporaryFolder();
    await using service = await startService({
      configuration: { mixers: [mixer("Host"), mixer("Guest", 16)] },
    });
    using page = await startPage(folder.path, service.url);
    page.does({ controllers: [0, 1] });
    await page.comes(display(0x15, 0, 0, "Guest9"), 1);
    await run(page, () => page.sentTo(1).filter((text) => text.startsWith("224,")));
  });
}

/** The fader of the second controller is moved, the first is plugged in, and the move goes on. */
async function plugInWhileMoved(page: Page, motors: () => string[]): Promise<void> {
  page.does({ from: 1, bytes: motor(0, 0.5) });
  await page.comes(display(0x14, 1, 0, level(0.5)), 1);
  page.forget();
  page.does({ controllers: [1, 0] });
  await page.comes(display(0x14, 1, 0, level(0.5)), 1);
  assertEquals(motors(), []);
  page.does({ from: 1, bytes: motor(0, 0.6) });
  await page.comes(display(0x14, 1, 0, level(0.6)), 1);
}

Deno.test("a strip is dark while the configuration lacks its mixer, and follows it again afterwards", async () => {
  const mixers = [mixer("Host"), mixer("Guest")];
  await using folder = await temporaryFolder();
  await using service = await startService({ configuration: { mixers } });
  using page = await startPage(folder.path, service.url);
  const shows = (label: string) => page.comes(display(0x14, 0, 0, label));
  await shows("Guest");
  page.forget();
  await reconfigure(service, { mixers: [mixer("Host")] });
  await shows("");
  page.forget();
  await reconfigure(service, { mixers });
  await shows("Guest");
  const message = { method: "set", path: `${FADERS}/0/fader`, payload: -30, token: tokens.admin };
  const body = JSON.stringify(message);
  const answer = await fetch(`${service.url}/api/rest`, { method: "POST", body });
  assertEquals((await answer.json()).success, true);
  await page.comes(motor(0, travelAt(-30)));
});

testOfTwo(
  "a hand on a strip keeps its fader when another controller is unplugged or plugged in",
  async (page, motors) => {
    page.does({ from: 1, bytes: touch(true) });
    page.does({ from: 1, bytes: motor(0, 0.3) });
    await page.comes(display(0x15, 1, 0, level(0.3)), 1);
    page.forget();
    page.does({ controllers: [1] });
    await page.comes(display(0x14, 0, 0, "Guest1"), 1);
    page.does({ from: 1, bytes: motor(0, 0.31) });
    assertEquals(motors(), []);
    page.does({ from: 1, bytes: touch(false) });
    await page.comes(motor(0, 0), 1);
    assertEquals(motors(), [motor(0, 0).join()]);

    page.does({ from: 1, bytes: touch(true) });
    await plugInWhileMoved(page, motors);
  },
);

testOfTwo(
  "a hand on a fader without a sensor moves no other fader when a controller is unplugged",
  async (page, motors) => {
    page.does({ from: 1, bytes: motor(0, 0.3) });
    await page.comes(display(0x15, 1, 0, level(0.3)), 1);
    page.forget();
    page.does({ controllers: [1] });
    await page.comes(display(0x14, 0, 0, "Guest1"), 1);
    assertEquals(motors(), [], "no motor pulls at the hand");
    page.does({ from: 1, bytes: motor(0, 0.31) });
    page.does({ isOver: true });
    await page.comes(motor(0, 0), 1);
    assertEquals(motors(), [motor(0, 0).join()]);

    await plugInWhileMoved(page, motors);
  },
);

Deno.test("the strips have the first mixer while the address names none, as the page shows it", async () => {
  await using folder = await temporaryFolder();
  await using service = await startService({
    configuration: { mixers: [mixer("Host"), mixer("Guest")] },
  });
  using page = await startPage(folder.path, service.url);
  const shows = (label: string) => page.comes(display(0x14, 0, 0, label));
  for (const address of ["#/mixer", ""]) {
    page.does({ address: "#/mixer/1" });
    await shows("Guest");
    page.forget();
    page.does({ address });
    await shows("Host");
    page.forget();
  }
});

Deno.test("the strips begin with the first fader again once the configuration has none at their place", async () => {
  await using folder = await temporaryFolder();
  await using service = await startService({
    configuration: { mixers: [mixer("Host"), mixer("Guest", 16)] },
  });
  using page = await startPage(folder.path, service.url);
  const shows = (label: string) => page.comes(display(0x14, 0, 0, label));
  await shows("Guest1");
  page.does({ bytes: [0x90, 0x2f, 127] });
  await shows("Guest9");
  page.forget();
  await reconfigure(service, { mixers: [mixer("Host"), mixer("Guest", 8)] });
  await shows("Guest1");
});

Deno.test("SELECT does nothing on a locked page, and in a kiosk nothing but on the page of a mixer", async () => {
  await using folder = await temporaryFolder();
  await using service = await startService({
    configuration: { mixers: [mixer("Host"), mixer("Guest", 2)] },
  });
  using page = await startPage(folder.path, service.url);
  const select = (strip: number): MidiBytes => [0x90, 0x18 + strip, 127];
  await page.comes(display(0x14, 0, 1, "Guest2"));
  page.does({ isLocked: true, bytes: select(0) });
  page.does({ isLocked: false, address: "#/own/jingles?kiosk", bytes: select(0) });
  page.does({ address: "#/mixer/1?kiosk", bytes: select(1) });
  await until(() => page.addresses.length > 0);
  assertEquals(page.addresses, ["#/mixer/1/1?kiosk"]);
  page.does({ address: "#/own/jingles", bytes: select(0) });
  await until(() => page.addresses.length > 1);
  assertEquals(page.addresses[1], "#/mixer/1/0");
});

Deno.test("the lamp of a pressed key blinks until the console has answered, and two quick presses send two values", async () => {
  await using folder = await temporaryFolder();
  await using service = await startService({
    configuration: { mixers: [mixer("Host"), mixer("Guest")] },
  });
  using page = await startPage(folder.path, service.url);
  await page.comes(lamp(0, "mute", "on"));
  page.forget();
  const press: MidiBytes = [0x90, 0x10, 127];
  page.does({ bytes: press });
  page.does({ bytes: press });
  await page.comes(lamp(0, "mute", "on"));
  const lamps = page.sentTo(0).filter((text) => text.startsWith("144,16,"));
  assertEquals(lamps[0], lamp(0, "mute", "blink").join());
});
