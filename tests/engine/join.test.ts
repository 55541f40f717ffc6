import { assertEquals, assertRejects } from "@std/assert";
import { connect } from "../../client/client.ts";
import { find, type Patch } from "../../core/tree/tree.ts";
import type { Engine } from "../../engine/engine.ts";
import { joinConsole, type JoinOptions, REPORT_MS } from "../../engine/join.ts";
import { scriptedConsole } from "../client/scripted-console.ts";
import { until } from "../service.ts";

const METERS = { audio: { levels: { 1: { _left: -20 } } } };
const AUDIO = { mixers: { 0: { faders: { 0: { fader: -20 } } } } };

/** An engine that only notes what it is told. */
function notedEngine() {
  const told: unknown[] = [];
  const engine: Engine = {
    whole: (tree) =>
      told.push(["whole", find(tree, ["audio", "mixers", "0", "faders", "0", "fader"])]),
    apply: (patch, tick) => told.push([patch, tick]),
    meters: () => METERS,
  };
  return { engine, told };
}

/** Time that passes when the test says so. */
function handTimer() {
  const actions = new Set<() => void>();
  const asked: number[] = [];
  const every: JoinOptions["every"] = (ms, action) => {
    asked.push(ms);
    actions.add(action);
    return () => actions.delete(action);
  };
  return { every, asked, pass: () => actions.forEach((action) => action()) };
}

const methodsOf = (asked: readonly { method: string }[]) => asked.map(({ method }) => method);
const answers = ({ method }: { method: string }) => method === "get" ? { payload: AUDIO } : {};

Deno.test("an engine that is joined claims, gets the state, and hears of ticks", async () => {
  await using scripted = scriptedConsole(answers);
  await using desk = connect(scripted.url, { token: "t" });
  const { engine, told } = notedEngine();
  const { every } = handTimer();
  await joinConsole(desk, engine, { every, warn() {}, paths: ["/audio/mixers/0"] });
  assertEquals(told, [["whole", -20]]);
  assertEquals(methodsOf(scripted.asked), ["auth", "engine", "subscribe", "get"]);
  assertEquals(scripted.asked[1], { method: "engine", paths: ["/audio/mixers/0"] });
  const change = { audio: { mixers: { 0: { faders: { 0: { fader: -10 } } } } } };
  scripted.say({ method: "update", tick: 12, payload: change });
  await until(() => told.length === 2);
  assertEquals(told[1], [change, 12]);
});

Deno.test("it reports its meters 25 times a second, until it is stopped", async () => {
  await using scripted = scriptedConsole(answers);
  await using desk = connect(scripted.url);
  const { every, asked, pass } = handTimer();
  const stop = await joinConsole(desk, notedEngine().engine, { every, warn() {} });
  assertEquals([asked, REPORT_MS], [[40], 40]);
  pass();
  await until(() => methodsOf(scripted.asked).includes("report"));
  assertEquals(scripted.asked.at(-1), { method: "report", payload: METERS as Patch });
  stop();
  pass();
  assertEquals(methodsOf(scripted.asked).filter((method) => method === "report").length, 1);
});

Deno.test("when the connection is lost it plays on, and gets the whole state on the next one", async () => {
  await using scripted = scriptedConsole(answers);
  await using desk = connect(scripted.url);
  const { engine, told } = notedEngine();
  await joinConsole(desk, engine, { every: handTimer().every, warn() {} });
  scripted.drop();
  await until(() => desk.state === "lost");
  assertEquals(told.length, 1);
  await until(() => told.length === 2);
  assertEquals(told[1], ["whole", -20]);
  assertEquals(methodsOf(scripted.asked).filter((method) => method === "engine").length, 2);
});

Deno.test("a console without engines is played, with a warning, and told nothing", async () => {
  const unknown = { success: false, error: { code: 2, message: "unknown method: engine" } };
  await using scripted = scriptedConsole((message) =>
    message.method === "engine" ? unknown : answers(message)
  );
  await using desk = connect(scripted.url);
  const { engine, told } = notedEngine();
  const { every, asked } = handTimer();
  const warnings: string[] = [];
  await joinConsole(desk, engine, { every, warn: (sentence) => warnings.push(sentence) });
  assertEquals([told.length, asked.length, warnings.length], [1, 0, 1]);
});

Deno.test("a claim that is refused is an error that says why", async () => {
  const overlap = { success: false, error: { code: 11, message: "paths: / is claimed by dsp1" } };
  await using scripted = scriptedConsole((message) =>
    message.method === "engine" ? overlap : answers(message)
  );
  await using desk = connect(scripted.url);
  const joining = joinConsole(desk, notedEngine().engine, { every: handTimer().every, warn() {} });
  await assertRejects(() => joining, Error, "paths: / is claimed by dsp1");
});

Deno.test("a wiring that does not fit the console is an error that says why", async () => {
  await using scripted = scriptedConsole(answers);
  await using desk = connect(scripted.url);
  const engine: Engine = {
    ...notedEngine().engine,
    whole() {
      throw new RangeError("the wiring names mixer/7, expected one of mixer/0");
    },
  };
  const joining = joinConsole(desk, engine, { every: handTimer().every, warn() {} });
  await assertRejects(() => joining, RangeError, "mixer/7");
});
