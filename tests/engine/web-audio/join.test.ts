import { assertEquals, assertRejects } from "@std/assert";
import { connect } from "../../../client/client.ts";
import { find } from "../../../core/tree/tree.ts";
import type { Engine } from "../../../engine/web-audio/engine.ts";
import { joinConsole, type JoinOptions, REPORT_MS } from "../../../engine/web-audio/join.ts";
import { scriptedConsole } from "../../client/scripted-console.ts";
import { simulatedSockets } from "../../client/simulated-sockets.ts";
import { type Json, until } from "../../service.ts";

const METER = { _input: [-20, -20] };
const METERS = {
  audio: {
    levels: { 1: { _left: -20 }, 2: { _left: -21 } },
    mixers: { 0: { faders: { 0: { meter: METER } } } },
  },
};
const READY = { audio: { mixers: { 0: { faders: { 0: { _readystate: true } } } } } };
const AUDIO = { mixers: { 0: { faders: { 0: { fader: -20 } } } } };

/** An engine that only records its calls. */
function notedEngine() {
  const told: unknown[] = [];
  const is = { late: false };
  const engine: Engine = {
    whole: (tree) =>
      told.push(["whole", find(tree, ["audio", "mixers", "0", "faders", "0", "fader"])]),
    apply: (patch, tick) => told.push([patch, tick]),
    meters: () => METERS,
    isLate: () => is.late,
  };
  return { engine, told, is };
}

/** Time that passes when the test says so. */
function handTimer() {
  const actions = new Set<() => void>();
  const asked: number[] = [];
  const every: NonNullable<JoinOptions["every"]> = (ms, action) => {
    asked.push(ms);
    actions.add(action);
    return () => actions.delete(action);
  };
  return { every, asked, pass: () => actions.forEach((action) => action()) };
}

const methodsOf = (asked: readonly Json[]) => asked.map(({ method }) => method);
const answers = ({ method }: Json) => method === "get" ? { payload: AUDIO } : {};
const reportsIn = (asked: readonly Json[]) =>
  asked.filter(({ method }) => method === "report").map(({ payload }) => payload);

/** A console that refuses claims while `refusal` returns an error. */
function scene(refusal: () => object | undefined = () => undefined, token?: string) {
  const scripted = scriptedConsole((message) => {
    const error = message.method === "engine" ? refusal() : undefined;
    return error === undefined ? answers(message) : { success: false, error };
  });
  const desk = connect(scripted.url, token === undefined ? {} : { token });
  const { engine, told, is } = notedEngine();
  const time = handTimer();
  const warnings: string[] = [];
  const warn = (sentence: string) => warnings.push(sentence);
  return {
    scripted,
    desk,
    told,
    is,
    warnings,
    ...time,
    join: (paths?: readonly string[], joined: Partial<Engine> = {}) =>
      joinConsole(desk, { ...engine, ...joined }, {
        every: time.every,
        warn,
        ...(paths === undefined ? {} : { paths }),
      }),
    async [Symbol.asyncDispose]() {
      await desk.close();
      await scripted[Symbol.asyncDispose]();
    },
  };
}

Deno.test("an engine that joins makes its claim, gets the state, and is told of ticks", async () => {
  await using at = scene(undefined, "t");
  const { scripted, told } = at;
  await at.join(["/audio/mixers/0"]);
  assertEquals(told, [["whole", -20]]);
  assertEquals(methodsOf(scripted.asked), ["auth", "engine", "subscribe", "get"]);
  assertEquals(scripted.asked[1], { method: "engine", paths: ["/audio/mixers/0"] });
  const change = { audio: { mixers: { 0: { faders: { 0: { fader: -10 } } } } } };
  scripted.say({ method: "update", tick: 12, payload: change });
  await until(() => told.length === 2);
  assertEquals(told[1], [change, 12]);
});

Deno.test("an engine that starts before its console joins once the console answers", async () => {
  const { world, last, pass } = simulatedSockets();
  await using desk = connect("ws://desk/api/ws", { world });
  const joined = joinConsole(desk, notedEngine().engine, { every: handTimer().every, warn() {} });
  last().fail("connect ECONNREFUSED 127.0.0.1:8080");
  pass(250);
  last().open();
  for (const methods of [["engine"], ["subscribe", "get"]]) {
    await until(() => last().sent.length > 0);
    assertEquals(methodsOf(last().answer(answers)), methods);
  }
  await joined;
});

Deno.test("the engine reports 25 times a second until it is stopped: first readiness, then only meters", async () => {
  await using at = scene();
  const { scripted, desk, asked, pass } = at;
  const stop = await at.join();
  assertEquals([asked, REPORT_MS], [[40], 40]);
  for (let ticks = 0; ticks < 3; ticks++) pass();
  await until(() => reportsIn(scripted.asked).length === 3);
  assertEquals(reportsIn(scripted.asked), [READY, METERS, METERS]);
  stop();
  pass();
  await desk.get("/general/_uptime");
  assertEquals(reportsIn(scripted.asked).length, 3);
});

const PARTS = { audio: { levels: { 2: { _left: -21 } }, mixers: METERS.audio.mixers } };

/** The claim of an engine, and its first two reports. */
const parts: readonly (readonly [readonly string[], ...unknown[]])[] = [
  [["/audio/mixers/0"], READY, { audio: { mixers: METERS.audio.mixers } }],
  [["/audio/levels/2", "audio/mixers/0/faders/0/meter/"], PARTS, PARTS],
  [["/audio/mixers/7"]],
];

for (const [paths, ...reported] of parts) {
  Deno.test(`an engine with a claim of ${paths.join(" and ")} reports only meters at these paths`, async () => {
    await using at = scene();
    await at.join(paths);
    for (let ticks = 0; ticks < 2; ticks++) at.pass();
    await at.desk.get("/general/_uptime");
    assertEquals(reportsIn(at.scripted.asked), reported);
  });
}

Deno.test("any number of reports that the console refuses makes one warning", async () => {
  await using at = scene();
  const { scripted, desk, warnings } = at;
  await at.join();
  const error = { code: 5, message: "user dsp is not an engine" };
  for (let reports = 0; reports < 3; reports++) {
    scripted.say({ method: "report", success: false, error });
  }
  await desk.get("/general/_uptime");
  assertEquals(warnings, [error.message]);
});

Deno.test("an engine plays on when the connection is lost, and gets the whole state on the next connection", async () => {
  await using at = scene();
  const { scripted, desk, told, pass } = at;
  await at.join();
  pass();
  await until(() => reportsIn(scripted.asked).length === 1);
  scripted.drop();
  await until(() => desk.state === "lost");
  assertEquals(told.length, 1);
  await until(() => told.length === 2);
  assertEquals(told[1], ["whole", -20]);
  assertEquals(methodsOf(scripted.asked).filter((method) => method === "engine").length, 2);
  pass();
  await until(() => reportsIn(scripted.asked).length === 2);
  assertEquals(reportsIn(scripted.asked), [READY, READY], "on each connection");
});

Deno.test("an engine that is late reports it once on each connection, and reports when it is in time again", async () => {
  await using at = scene();
  const { scripted, desk, is, warnings, pass } = at;
  await at.join();
  const lates = () => scripted.asked.filter(({ late }) => late !== undefined);
  const passed = async (ticks: number) => {
    for (let tick = 0; tick < ticks; tick++) pass();
    await desk.get("/general/_uptime");
  };
  await passed(2);
  assertEquals(lates(), []);
  is.late = true;
  await passed(3);
  assertEquals(lates(), [{ method: "report", late: true }]);
  scripted.drop();
  await until(() => desk.state === "lost");
  await until(() => desk.state === "open");
  await desk.get("/general/_uptime");
  await passed(2);
  assertEquals(lates().map(({ late }) => late), [true, true]);
  is.late = false;
  await passed(2);
  assertEquals(lates().map(({ late }) => late), [true, true, false]);
  assertEquals(warnings.at(-1), "the sound keeps up again");
});

Deno.test("an engine whose device never starts, so that it has no meters, reports that it is late", async () => {
  await using at = scene();
  const { scripted, desk, is, pass } = at;
  await at.join(undefined, { meters: () => undefined });
  is.late = true;
  pass();
  await desk.get("/general/_uptime");
  const reports = scripted.asked.filter(({ method }) => method === "report");
  assertEquals(reports, [{ method: "report", late: true }]);
});

Deno.test("on a console without the method engine an engine plays with a warning, and reports nothing", async () => {
  await using at = scene(() => ({ code: 2, message: "unknown method: engine" }));
  await at.join();
  assertEquals([at.told.length, at.asked.length, at.warnings.length], [1, 0, 1]);
});

Deno.test("a refused claim is an error with the message of the console", async () => {
  await using at = scene(() => ({ code: 6, message: "no such path: /audio/x" }));
  await assertRejects(() => at.join(), Error, "no such path: /audio/x");
});

Deno.test("a claim that another engine holds is retried with growing intervals, with a warning each time", async () => {
  const overlap = { code: 11, message: "paths: / is claimed by dsp" };
  let isTaken = true;
  await using at = scene(() => isTaken ? overlap : undefined);
  const { told, asked, pass, warnings } = at;
  const joined = at.join();
  for (let tries = 1; tries <= 7; tries++) {
    await until(() => asked.length === tries);
    pass();
  }
  await until(() => asked.length === 8);
  isTaken = false;
  pass();
  await joined;
  assertEquals(asked, [250, 500, 1000, 2000, 4000, 8000, 10_000, 10_000, 40]);
  assertEquals(warnings[1], "paths: / is claimed by dsp: tried again in 0.5 s");
  assertEquals([warnings.length, told], [8, [["whole", -20]]]);
});

Deno.test("a wiring that does not fit the console is an error with the reason", async () => {
  await using at = scene();
  const whole = () => {
    throw new RangeError("the wiring names mixer/7, expected one of mixer/0");
  };
  await assertRejects(() => at.join(undefined, { whole }), RangeError, "mixer/7");
});
