/** MIDI controllers of the page, by simulated ports: no real controller was available. */
import { assert, assertEquals } from "@std/assert";
import { demoConfiguration } from "../../core/configuration/demo.ts";
import { display, lamp, type MidiBytes, motor } from "../../view/midi/mackie.ts";
import { travelAt } from "../../view/parts/fader/scale.ts";
import { between, holdAnswers, type PageEnd } from "./between.ts";
import {
  accessibilityFaults,
  becomes,
  browserTest,
  clickDisabled,
  type Desk,
  type OpenOptions,
  type Page,
  processTest,
  until,
} from "./browser.ts";

const FADER = "/audio/mixers/0/faders";
const ON = { preferences: { midi: "on" } };

/** The replacement of the browser's MIDI: ports that a test plugs in. */
interface Simulated {
  /** The messages from the page to each controller, as text. */
  readonly sent: Record<string, string[]>;
  /** Sends a message from a controller to the page. */
  from(name: string, bytes: MidiBytes): void;
  plug(name: string, isThere: boolean): void;
}

/** Runs in the page before its own scripts. */
function simulateMidi(names: readonly string[]): void {
  interface SimulatedPort {
    readonly id: string;
    readonly name: string;
    state: string;
    onmidimessage?: ((event: { data: Uint8Array }) => void) | null;
    send?(bytes: MidiBytes): void;
  }
  const inputs = new Map<string, SimulatedPort>();
  const outputs = new Map<string, SimulatedPort>();
  const sent: Record<string, string[]> = {};
  const access = {
    inputs,
    outputs,
    onstatechange: null as ((event: { port: SimulatedPort }) => void) | null,
  };
  const add = (name: string) => {
    sent[name] ??= [];
    inputs.set(name, { id: `${name} in`, name, state: "connected", onmidimessage: null });
    const send = (bytes: MidiBytes) => void sent[name]!.push(bytes.join());
    outputs.set(name, { id: `${name} out`, name, state: "connected", send });
  };
  names.forEach(add);
  const simulated: Simulated = {
    sent,
    from: (name, bytes) => inputs.get(name)!.onmidimessage?.({ data: Uint8Array.from(bytes) }),
    plug(name, isThere) {
      if (!inputs.has(name)) add(name);
      for (const ports of [inputs, outputs]) {
        const port = ports.get(name)!;
        port.state = isThere ? "connected" : "disconnected";
        access.onstatechange?.({ port });
      }
    },
  };
  Object.assign(globalThis, { simulated });
  Object.defineProperty(navigator, "requestMIDIAccess", {
    value: ({ sysex }: { sysex: boolean }) =>
      sysex ? Promise.resolve(access) : Promise.reject(new Error("no SysEx")),
  });
}

const MCU = "MCU Pro USB Port 1";
const XT = "MCU XT";

/** Opens the page with controllers plugged in. */
async function openWith(desk: Desk, names: readonly string[], options: OpenOptions = ON, at = "") {
  const page = await desk.open(at, {
    ...options,
    async before(page) {
      await options.before?.(page);
      await page.addInitScript(simulateMidi, names);
    },
  });
  return { page, ...controlsOf(page) };
}

function controlsOf(page: Page) {
  const from = (bytes: MidiBytes, name = MCU) =>
    page.evaluate(
      ([name, bytes]) =>
        (globalThis as unknown as { simulated: Simulated }).simulated.from(name, bytes),
      [name, bytes] as const,
    );
  const sent = (name = MCU) =>
    page.evaluate(
      (name) => (globalThis as unknown as { simulated: Simulated }).simulated.sent[name]!,
      name,
    );
  const plug = (name: string, isThere: boolean) =>
    page.evaluate(
      ([name, isThere]) =>
        (globalThis as unknown as { simulated: Simulated }).simulated.plug(name, isThere),
      [name, isThere] as const,
    );
  /** The last message to a controller with these first bytes. */
  const last = async (start: MidiBytes, name = MCU) =>
    (await sent(name)).findLast((text) => `${text},`.startsWith(`${start.join()},`));
  /** The text of a strip's display. */
  const text = async (line: 0 | 1, strip: number, name = MCU, model = 0x14) => {
    const start = [0xf0, 0, 0, 0x66, model, 0x12, line * 56 + strip * 7];
    const codes = (await last(start, name))?.split(",").map(Number).slice(start.length, -1) ?? [];
    return String.fromCharCode(...codes);
  };
  return { from, sent, plug, last, text };
}

/** The display of the first strip once it is connected. Its motor at -160 dB does not show that. */
const HOST = "Host   ";

const touch = (strip: number, isTouched: boolean): MidiBytes => [
  0x90,
  0x68 + strip,
  isTouched ? 127 : 0,
];
const key = (note: number): MidiBytes => [0x90, note, 127];
const MUTE = 0x10;
const SOLO = 0x08;
const SELECT = 0x18;

/** The message that moves the motor of a strip to a level. */
const motorAt = (strip: number, dB: number) => motor(strip, travelAt(dB)).join();

/** A console with more faders than a controller has. */
const fortyFaders = {
  configuration: {
    ...demoConfiguration,
    mixers: [{
      faders: Array.from({ length: 40 }, (_, at) => ({ label: `F${at + 1}` })),
    }],
  },
};

const faderOf = async (client: Awaited<ReturnType<Desk["client"]>>, fader: number) =>
  await client.get(`/audio/mixers/0/faders/${fader}/fader`);

browserTest(
  "a fader moves the level of the console, and its motor follows others, but never pulls at a hand",
  async (desk) => {
    const client = await desk.client();
    const { page, from, sent, last, text } = await openWith(desk, [MCU]);
    const motors = async () => (await sent()).filter((text) => text.startsWith("226,"));
    await becomes(() => last([0xe2]), motorAt(2, -160));
    await becomes(() => text(0, 2), "Guest 2");
    await from([0xf0, 0, 0, 0x66, 0x11, 1, 0xf7]);
    await becomes(() => text(0, 2, MCU, 0x11), "Guest 2");
    await from([0xf0, 0, 0, 0x66, 0x14, 1, 0xf7]);
    assertEquals(await motors(), Array(3).fill(motorAt(2, -160)), "it may have been restarted");

    await from(touch(2, true));
    await from(motor(2, travelAt(-20)));
    await becomes(() => faderOf(client, 2), -20);
    await becomes(() => text(1, 2), "-20.0  ");
    await from([0xf0, 0, 0, 0x66, 0x14, 1, 0xf7]);
    assertEquals(await last([0xe2]), motorAt(2, -160), "no motor while a hand is there");
    assertEquals((await motors()).length, 3, "not even after a restart");
    await from(motor(2, travelAt(-10)));
    await becomes(() => faderOf(client, 2), -10);
    await from(touch(2, false));
    await becomes(() => last([0xe2]), motorAt(2, -10));

    await client.set(`${FADER}/2/fader`, -3.5);
    await becomes(() => last([0xe2]), motorAt(2, -3.5));
    await becomes(() => text(1, 2), " -3.5  ");

    // Meanwhile another hand pulls the fader down: this hand continues from there.
    await from(touch(2, true));
    await from(motor(2, travelAt(-3)));
    await becomes(() => faderOf(client, 2), -3);
    await client.set(`${FADER}/2/fader`, -30);
    await becomes(() => text(1, 2), "-30.0  ");
    await from(motor(2, travelAt(-2.9)));
    await until(async () => await faderOf(client, 2) !== -30);
    assert(await faderOf(client, 2) < -29, "it does not jump to where the hand is");
    await from(touch(2, false));

    // Without a touch the messages are those of a motor that still runs.
    await from(motor(2, 1));
    await from(touch(3, true));
    await from(motor(3, travelAt(-5)));
    await becomes(() => faderOf(client, 3), -5);
    assert(await faderOf(client, 2) < -29);
    const shown = page.getByRole("slider").nth(3);
    await becomes(() => shown.getAttribute("aria-valuetext"), "-5.0 dB");
  },
);

browserTest(
  "a fader without a sensor moves, and its motor follows after half a second",
  async (desk) => {
    const client = await desk.client();
    const { page, from, last, text } = await openWith(desk, [MCU]);
    await becomes(() => text(0, 0), HOST);
    await from(motor(0, travelAt(-12)));
    await becomes(() => faderOf(client, 0), -12);
    await becomes(() => last([0xe0]), motorAt(0, -12));
    assertEquals(await page.getByRole("slider").first().getAttribute("aria-valuetext"), "-12.0 dB");
  },
);

browserTest(
  "MUTE switches ON, SOLO PFL 1 and REC PFL 2, with lamps of their states; SELECT opens the strip",
  async (desk) => {
    const client = await desk.client();
    const { page, from, last } = await openWith(desk, [MCU]);
    await becomes(() => last([0x90, MUTE + 1]), lamp(1, "mute", "on").join());
    await from(key(MUTE + 1));
    await becomes(() => client.get(`${FADER}/1/on`), true);
    await becomes(() => last([0x90, MUTE + 1]), lamp(1, "mute", "off").join());
    await client.set(`${FADER}/1/on`, false);
    await becomes(() => last([0x90, MUTE + 1]), lamp(1, "mute", "on").join());
    for (const [note, name, leaf] of [[SOLO, "solo", "pfl1"], [0, "rec", "pfl2"]] as const) {
      await from(key(note + 1));
      await becomes(() => client.get(`${FADER}/1/${leaf}`), true);
      await becomes(() => last([0x90, note + 1]), lamp(1, name, "on").join());
      await from(key(note + 1));
      await becomes(() => client.get(`${FADER}/1/${leaf}`), false);
    }
    await from(key(SELECT + 1));
    await page.locator(".wide").waitFor();
    await becomes(() => last([0x90, SELECT + 1]), lamp(1, "select", "on").join());
    await from(key(SELECT + 1));
    await page.locator(".wide").waitFor({ state: "detached" });
  },
);

browserTest("SELECT knows the sections of a strip and the strips of a VCA group", async (desk) => {
  const client = await desk.client();
  await client.set(FADER, { 1: { vcagroup: 3 }, 4: { vcagroup: 3 } });
  const { page, from, last } = await openWith(desk, [MCU], ON, "#/mixer/0/1/equalizer");
  const goes = async (strip: number, address: string) => {
    await from(key(SELECT + strip));
    await becomes(() => page.evaluate(() => location.hash), address);
  };
  await becomes(() => last([0x90, SELECT + 1]), lamp(1, "select", "on").join());
  await goes(2, "#/mixer/0/2/equalizer");
  await goes(2, "#/mixer/0");
  await page.evaluate(() => location.hash = "#/mixer/0/vca/3/4");
  await becomes(() => last([0x90, SELECT + 4]), lamp(4, "select", "on").join());
  await goes(4, "#/mixer/0/vca/3");
  await goes(1, "#/mixer/0/vca/3/1");
  await goes(2, "#/mixer/0/2");
});

browserTest(
  "controllers join side by side, move by banks and by strips, and go on when plugged in again",
  async (desk) => {
    const client = await desk.client();
    const { page, from, plug, sent, last, text } = await openWith(desk, [MCU, XT], ON, "#/mixer/0");
    const numberAt = async (strip: number, name = MCU) =>
      (await text(0, strip, name, name === MCU ? 0x14 : 0x15)).trim();
    await becomes(() => numberAt(0), "F1");
    await becomes(() => numberAt(7, XT), "F16");
    await from(key(0x2f));
    await becomes(() => numberAt(0), "F17");
    await from(key(0x2f));
    await becomes(() => numberAt(7, XT), "F40");
    await from(key(0x30));
    await becomes(() => numberAt(7, XT), "F39");
    await from([...key(0x2e)], XT);
    await becomes(() => numberAt(0), "F8");
    await from(touch(0, true), XT);
    await from(motor(0, travelAt(-8)), XT);
    await becomes(() => faderOf(client, 15), -8);
    await from(touch(0, false), XT);

    // A hand that stays on the motor while its strip gets another fader moves neither fader.
    await from(touch(1, true));
    await from(motor(1, travelAt(-2)));
    await becomes(() => faderOf(client, 8), -2);
    await from(key(0x31));
    await becomes(() => numberAt(1), "F10");
    await from(motor(1, travelAt(-1)));
    await from(touch(1, false));
    await becomes(() => last([0xe1]), motorAt(1, -160));
    await from(touch(1, true));
    await from(motor(1, travelAt(-4)));
    await becomes(() => faderOf(client, 9), -4);
    await from(touch(1, false));
    assertEquals(await faderOf(client, 8), -2);
    await from(key(0x30));
    await becomes(() => numberAt(0), "F8");

    await plug(MCU, false);
    await becomes(() => numberAt(0, XT), "F8");
    await plug(MCU, true);
    const before = (await sent()).length;
    await becomes(() => numberAt(0, XT), "F16");
    await client.set(`${FADER}/7/fader`, -6);
    await becomes(() => last([0xe0]), motorAt(0, -6));
    assert((await sent()).length > before);
    await page.getByRole("button", { name: "Settings of this page" }).click();
    await page.getByRole("checkbox", { name: XT }).uncheck();
    await becomes(() => numberAt(0, XT), "");
  },
  fortyFaders,
);

browserTest(
  "a hand that lets go while its strip has no fader moves the fader that comes there later",
  async (desk) => {
    const client = await desk.client();
    const { page, from, sent, last, text } = await openWith(desk, [MCU], ON, "#/mixer/0");
    const shows = async (mixer: number, label: string) => {
      await page.evaluate((mixer) => location.hash = `#/mixer/${mixer}`, mixer);
      await becomes(async () => (await text(0, 2)).trim(), label);
    };
    await shows(0, "F3");
    const motors = async () => (await sent()).filter((text) => text.startsWith("226,")).length;
    const before = await motors();
    await from(touch(2, true));
    await shows(1, "");
    assertEquals(await motors(), before, "no motor while a hand is there");
    await from(touch(2, false));
    assertEquals(await motors(), before + 1);
    await shows(0, "F3");
    await from(touch(2, true));
    await from(motor(2, travelAt(-20)));
    await becomes(() => faderOf(client, 2), -20);
    await from(touch(2, false));

    // A hand that comes while there is no fader does not move the one that comes there later.
    await shows(1, "");
    await from(touch(2, true));
    await shows(0, "F3");
    await from(motor(2, travelAt(-5)));
    await from(touch(2, false));
    await becomes(() => last([0xe2]), motorAt(2, -20));
    assertEquals(await faderOf(client, 2), -20);
  },
  {
    configuration: {
      ...demoConfiguration,
      mixers: [3, 1].map((faders) => ({
        faders: Array.from({ length: faders }, (_, at) => ({ label: `F${at + 1}` })),
      })),
    },
  },
);

/** Opens the page on a console that neither answers a `set` nor reports a change before `release`. */
async function openUnanswered(desk: Desk) {
  let isHolding = false;
  const { before, release } = holdAnswers(({ method }) =>
    isHolding && (method === "set" || method === "update")
  );
  const opened = await openWith(desk, [MCU], { ...ON, before }, "#/mixer/0");
  await becomes(() => opened.text(0, 0), "F1     ");
  isHolding = true;
  return { ...opened, release };
}

browserTest(
  "the late answer to a move does not move the motor, which has another fader by now",
  async (desk) => {
    const client = await desk.client();
    await client.set(`${FADER}/1/fader`, -10);
    const { from, last, text, release } = await openUnanswered(desk);
    await becomes(() => last([0xe1]), motorAt(1, -10));
    await from(touch(0, true));
    await from(motor(0, travelAt(-20)));
    await from(touch(0, false));
    await becomes(() => faderOf(client, 0), -20);
    await from(key(0x31));
    await becomes(() => last([0xe0]), motorAt(0, -10));
    release();
    // This change is reported after the late answer.
    await client.set(`${FADER}/2/fader`, -3);
    await becomes(() => last([0xe1]), motorAt(1, -3));
    assertEquals(await last([0xe0]), motorAt(0, -10));
    assertEquals(await text(1, 0), "-10.0  ");
  },
  fortyFaders,
);

browserTest(
  "the last move before a bank change is sent, although an earlier one has no answer yet",
  async (desk) => {
    const client = await desk.client();
    const { from, text, release } = await openUnanswered(desk);
    await from(touch(0, true));
    await from(motor(0, travelAt(-45)));
    await becomes(() => faderOf(client, 0), -45);
    await from(motor(0, travelAt(0)));
    await from(touch(0, false));
    await from(key(0x2f));
    await becomes(() => text(0, 0), "F9     ");
    release();
    await becomes(() => faderOf(client, 0), 0);
  },
  fortyFaders,
);

browserTest(
  "the strips have the faders of the shown mixer after a look at another that has not answered",
  async (desk) => {
    const client = await desk.client();
    let isAsked = false;
    const { before, release } = holdAnswers(({ method, path }) => {
      const isHeld = method === "get" && path === "/audio/mixers/1/faders";
      isAsked ||= isHeld;
      return isHeld;
    });
    const { page, from, text } = await openWith(desk, [MCU], { ...ON, before }, "#/mixer/0");
    await becomes(() => text(0, 0), HOST);
    await page.evaluate(() => location.hash = "#/mixer/1");
    await until(() => isAsked);
    await page.evaluate(() => location.hash = "#/mixer/0");
    await page.getByRole("button", { name: "ON Host", exact: true }).waitFor();
    release();
    // This change is reported after the late answer.
    await client.set(`${FADER}/5/fader`, -7);
    const shown = page.getByRole("slider").nth(5);
    await becomes(() => shown.getAttribute("aria-valuetext"), "-7.0 dB");
    await from(touch(0, true));
    await from(motor(0, travelAt(-20)));
    await becomes(() => faderOf(client, 0), -20);
    assertEquals(await client.get("/audio/mixers/1/faders/0/fader"), -160);
  },
);

browserTest(
  "a hand that stays on a fader through a cut goes on from the level of another hand",
  async (desk) => {
    const client = await desk.client();
    let console: PageEnd | undefined;
    const before = between({
      answered(message, end) {
        console = end;
        return message;
      },
    });
    const { page, from, sent, text } = await openWith(desk, [MCU], { ...ON, before });
    await becomes(() => text(0, 0), HOST);
    await from(touch(0, true));
    await from(motor(0, travelAt(-9)));
    const shown = page.getByRole("slider").first();
    await becomes(() => shown.getAttribute("aria-valuetext"), "-9.0 dB");
    console!.close();
    await until(async () => (await sent()).includes(display(0x14, 1, 0, "OFFLINE").join()));
    await becomes(() => text(1, 0), " -9.0  ");
    await client.set(`${FADER}/0/fader`, -30);
    await becomes(() => text(1, 0), "-30.0  ");
    await from(motor(0, travelAt(-8.9)));
    await until(async () => await faderOf(client, 0) !== -30);
    assert(await faderOf(client, 0) < -29, "it does not jump to where the hand is");
  },
  // A message to the console may be under way when the connection closes.
  { expected: /WebSocket/ },
);

browserTest("a granted right moves no fader that the hand at a controller holds", async (desk) => {
  const { payload } = await desk.rpc("adduser", { name: "op", groups: 1, may: "operate" });
  const { before } = holdAnswers(({ method }) => method === "set" || method === "update");
  const options = { ...ON, token: payload.result.token, before };
  const { page, from, text } = await openWith(desk, [MCU], options, "#/mixer/0/1");
  await becomes(() => text(0, 0), HOST);
  await from(touch(0, true));
  await from(motor(0, travelAt(-20)));
  await becomes(() => text(1, 0), "-20.0  ");
  await desk.rpc("modifyuser", { name: "op", may: "configure" });
  const barred = page.locator(".wide").getByRole("button", { name: "M1", exact: true });
  await clickDisabled(barred);
  await becomes(() => barred.getAttribute("aria-disabled"), "false");
  assertEquals(await text(1, 0), "-20.0  ");
});

browserTest("controllers may do no more than their page", async (desk) => {
  const client = await desk.client();
  const { payload } = await desk.rpc("adduser", { name: "eva", groups: 1, may: "view" });
  const looking = await openWith(desk, [MCU], { ...ON, token: payload.result.token });
  await becomes(() => looking.text(0, 0), HOST);
  await looking.from(touch(0, true));
  await looking.from(motor(0, 1));
  await looking.page.getByText("This needs the right to operate.").waitFor();
  await looking.from(key(MUTE));
  await looking.from(touch(0, false));
  const { page, from, last, text } = await openWith(desk, [MCU]);
  await page.getByRole("button", { name: "Lock against touch" }).click();
  await becomes(() => text(1, 0), "LOCKED ");
  await from(touch(0, true));
  await from(motor(0, 1));
  await from(key(MUTE));
  await page.getByText("This page is locked against touch.").waitFor();
  await from(touch(0, false));
  await becomes(() => last([0xe0]), motorAt(0, -160));
  assertEquals(await faderOf(client, 0), -160);
  assertEquals(await client.get(`${FADER}/0/on`), false);
});

processTest(
  "a hanging console is sent nothing, lamps blink and displays show OFFLINE until it is back",
  async (desk) => {
    const client = await desk.client();
    const { from, last, text } = await openWith(desk, [MCU]);
    await becomes(() => last([0x90, MUTE]), lamp(0, "mute", "on").join());
    desk.service.kill("SIGSTOP");
    await becomes(() => text(1, 0), "OFFLINE");
    await becomes(() => last([0x90, MUTE]), lamp(0, "mute", "blink").join());
    await from(touch(0, true));
    await from(motor(0, 1));
    await from(key(SOLO));
    await from(touch(0, false));
    await becomes(() => last([0xe0]), motorAt(0, -160));
    desk.service.kill("SIGCONT");
    await becomes(() => last([0x90, MUTE]), lamp(0, "mute", "on").join());
    await becomes(() => text(1, 0), "  -oo  ");
    await from(key(MUTE));
    await becomes(() => client.get(`${FADER}/0/on`), true);
    assertEquals(await faderOf(client, 0), -160);
    assertEquals(await client.get(`${FADER}/0/pfl1`), false);
  },
);

browserTest(
  "controllers are chosen for the device; the MIDI chunk loads only then, and Off clears the lamps",
  async (desk) => {
    const scripts: string[] = [];
    const page = await desk.open("", {
      async before(page) {
        page.on("request", (request) => scripts.push(new URL(request.url()).pathname));
        await page.addInitScript(simulateMidi, [MCU, "DX7"]);
      },
    });
    const { sent, last } = controlsOf(page);
    assertEquals(await sent(), []);
    assertEquals(scripts.filter((path) => path.startsWith("/midi.")), []);
    await page.getByRole("button", { name: "Settings of this page" }).click();
    await page.getByRole("button", { name: "Mackie Control" }).click();
    await becomes(() => page.getByRole("checkbox", { name: MCU }).isChecked(), true);
    assertEquals(await page.getByRole("checkbox", { name: "DX7" }).isChecked(), false);
    assertEquals(await accessibilityFaults(page), []);
    await becomes(() => last([0xe0]), motorAt(0, -160));
    assertEquals(await sent("DX7"), [], "no instrument plays what lamps mean");
    await page.getByRole("button", { name: "Off", exact: true }).click();
    await becomes(() => last([0x90, MUTE]), lamp(0, "mute", "off").join());
  },
);

browserTest(
  "the settings say if a browser has no MIDI or does not allow it",
  async (desk) => {
    for (
      const [value, sentence] of [
        ["undefined", "This browser has no MIDI here."],
        ["() => Promise.reject(new Error('no'))", "The browser does not let this page use MIDI."],
      ] as const
    ) {
      const page = await desk.open("", {
        ...ON,
        before: (page) =>
          page.addInitScript(
            `Object.defineProperty(navigator, "requestMIDIAccess", { value: ${value} })`,
          ),
      });
      await page.getByRole("button", { name: "Settings of this page" }).click();
      await page.getByText(sentence).waitFor();
    }
  },
);
