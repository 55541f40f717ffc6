/** The audio engine as a program: `deno task engine`, without a sound device. */
import { assertEquals, assertMatch } from "@std/assert";
import { find, type Tree } from "../../core/tree/tree.ts";
import { scriptedConsole } from "../client/scripted-console.ts";
import { until } from "../service.ts";
import { treeOf } from "./rendering.ts";

const root = new URL("../../", import.meta.url).pathname;
const { tasks } = JSON.parse(Deno.readTextFileSync(`${root}deno.json`));
const FLAGS: readonly string[] = tasks.engine.command.split(" ").slice(1);

/** Starts the program; what it says is gathered. */
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

/** What is reported last of the meter after the fader. */
function lastMeter(asked: readonly { method: string; payload?: unknown }[]): number {
  const report = asked.findLast(({ method }) => method === "report");
  const path = `${FADER}/meter/_afl/0`.split("/").slice(1);
  return report === undefined ? -Infinity : find(report.payload as Tree, path) as number;
}

Deno.test("without a sound device the program plays to nothing, meters, comes back, and ends with 0", async () => {
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

Deno.test("a token that is refused ends the program with 1, saying why", async () => {
  const refused = { success: false, error: { code: 4, message: "token: unknown" } };
  await using desk = scriptedConsole(() => refused);
  const engine = startEngine("--url", desk.url, "--token", "t", "--sink", "none");
  assertEquals(await engine.ended(), 1);
  assertMatch(engine.said.text, /token: unknown/);
});

Deno.test("without a console the program says how it is used, and ends with 2", async () => {
  const engine = startEngine();
  assertEquals(await engine.ended(), 2);
  assertMatch(engine.said.text, /--url ws:/);
});
