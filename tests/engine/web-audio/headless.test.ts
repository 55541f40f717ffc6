/** The audio engine as a program: `deno task engine`, without a sound device. */
import { assertEquals, assertMatch } from "@std/assert";
import { find, type Tree } from "../../../core/tree/tree.ts";
import { temporaryFolder } from "../../program/faderd.ts";
import { scriptedConsole } from "../../client/scripted-console.ts";
import { until } from "../../service.ts";
import { treeOf } from "./rendering.ts";

const root = new URL("../../../", import.meta.url).pathname;
const { tasks } = JSON.parse(Deno.readTextFileSync(`${root}deno.json`));
const FLAGS: readonly string[] = tasks.engine.command.split(" ").slice(1);

/** Starts the program, and collects its output. */
function startEngine(...args: readonly string[]) {
  const process = new Deno.Command(Deno.execPath(), {
    args: [...FLAGS, ...args],
    cwd: root,
    stderr: "piped",
    stdout: "null",
  }).spawn();
  const said = { text: "" };
  const collected = (async () => {
    for await (const chunk of process.stderr.pipeThrough(new TextDecoderStream())) {
      said.text += chunk;
    }
  })();
  return {
    said,
    kill: () => process.kill("SIGTERM"),
    async ended(): Promise<number> {
      const { code } = await process.status;
      await collected;
      return code;
    },
  };
}

const FADER = "/audio/mixers/0/faders/0";
const tree = treeOf({
  console: { mixers: [{ faders: 1 }] },
  set: { [`${FADER}/on`]: true, [`${FADER}/fader`]: -10 },
});
const answers = ({ method }: { method: string }) => method === "get" ? { payload: tree.audio } : {};

/** The last reported value of the meter after the fader. */
function lastMeter(asked: readonly { method: string; payload?: unknown }[]): number {
  const report = asked.findLast(({ method }) => method === "report");
  const path = `${FADER}/meter/_afl/0`.split("/").slice(1);
  return report === undefined ? -Infinity : find(report.payload as Tree, path) as number;
}

Deno.test("without a sound device the program renders and reports meters, connects again after a loss, and ends with 0", async () => {
  await using desk = scriptedConsole(answers);
  const engine = startEngine("--url", desk.url, "--token", "t", "--sink", "none");
  // Without a wiring each channel has a tone of -20 dB.
  await until(() => Math.abs(lastMeter(desk.asked) + 30) < 0.5);
  const claims = () => desk.asked.filter(({ method }) => method === "engine").length;
  assertEquals(claims(), 1);
  desk.drop();
  await until(() => claims() === 2);
  desk.asked.length = 0;
  await until(() => Math.abs(lastMeter(desk.asked) + 30) < 0.5);
  engine.kill();
  assertEquals(await engine.ended(), 0);
  assertMatch(engine.said.text, /playing to nothing/);
});

Deno.test("a refused token ends the program with 1, and the message says why", async () => {
  const refused = { success: false, error: { code: 4, message: "token: unknown" } };
  await using desk = scriptedConsole(() => refused);
  const engine = startEngine("--url", desk.url, "--token", "t", "--sink", "none");
  assertEquals(await engine.ended(), 1);
  assertMatch(engine.said.text, /token: unknown/);
});

/** Half a second of a sine of 1 kHz, mono, at -20 dB below full scale: a WAV file of 16 bits. */
function wav(): Uint8Array {
  const rate = 48_000;
  const count = 24_000;
  const view = new DataView(new ArrayBuffer(44 + 2 * count));
  const text = (at: number, of: string) =>
    [...of].forEach((letter, index) => view.setUint8(at + index, letter.charCodeAt(0)));
  text(0, "RIFF");
  view.setUint32(4, 36 + 2 * count, true);
  text(8, "WAVEfmt ");
  view.setUint32(16, 16, true);
  view.setUint16(20, 1, true);
  view.setUint16(22, 1, true);
  view.setUint32(24, rate, true);
  view.setUint32(28, 2 * rate, true);
  view.setUint16(32, 2, true);
  view.setUint16(34, 16, true);
  text(36, "data");
  view.setUint32(40, 2 * count, true);
  for (let at = 0; at < count; at++) {
    view.setInt16(44 + 2 * at, 3276.7 * Math.sin(2 * Math.PI * 1000 * at / rate), true);
  }
  return new Uint8Array(view.buffer);
}

Deno.test("the token is read from a file, and the path of a sound is relative to the wiring", async () => {
  await using folder = await temporaryFolder();
  Deno.writeTextFileSync(`${folder.path}/token`, "t\n");
  Deno.writeFileSync(`${folder.path}/jingle.wav`, wav());
  const wiring = { sources: { 1: { kind: "file", path: "jingle.wav" } } };
  Deno.writeTextFileSync(`${folder.path}/wiring.json`, JSON.stringify(wiring));
  await using desk = scriptedConsole(answers);
  const files = ["--token-file", `${folder.path}/token`, "--wiring", `${folder.path}/wiring.json`];
  const engine = startEngine("--url", desk.url, ...files, "--sink", "none");
  await until(() => Math.abs(lastMeter(desk.asked) + 30) < 0.5);
  assertEquals(desk.asked[0], { method: "auth", token: "t" });
  engine.kill();
  assertEquals(await engine.ended(), 0);
});

/** Wrong arguments (FOLDER has a wiring that names a missing sound), and the message. */
const wrong: readonly (readonly [string, string, RegExp])[] = [
  ["no console", "", /--url ws:/],
  ["two tokens", "--url ws://a/ --token t --token-file f", /^expected --token or .*, got both\n$/],
  ["no such token file", "--url ws://a/ --token-file FOLDER/none", /^.*none.*No such file.*\n$/],
  ["no such wiring", "--url ws://a/ --wiring FOLDER/none", /^.*none.*No such file.*\n$/],
  ["no such sound", "--url ws://a/ --wiring FOLDER/wiring.json", /^.*none.*No such file.*\n$/],
];

for (const [what, args, sentence] of wrong) {
  Deno.test(`${what}: the program prints one line about it, and ends with 2`, async () => {
    await using folder = await temporaryFolder();
    const wiring = { sources: { 1: { kind: "file", path: "none" } } };
    Deno.writeTextFileSync(`${folder.path}/wiring.json`, JSON.stringify(wiring));
    const given = `${args.replace("FOLDER", folder.path)} --sink none`.trim().split(" ");
    const engine = startEngine(...given);
    assertEquals(await engine.ended(), 2);
    assertMatch(engine.said.text, sentence);
  });
}
