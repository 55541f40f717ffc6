/** The messages of an audio engine, as they go over the wire. */
import { assertEquals, assertRejects } from "@std/assert";
import { connect, RequestError, type StateChange } from "../../client/client.ts";
import { jsonExcess } from "../../core/json.ts";
import { JSON_MEMBERS, MESSAGE_VALUES } from "../../core/limits.ts";
import { type Json, until } from "../service.ts";
import { scriptedConsole } from "./scripted-console.ts";
import { openedDesk, simulatedSockets } from "./simulated-sockets.ts";

const refusal = (code: number, message: string) => ({ success: false, error: { code, message } });

Deno.test("an engine claims, subscribes with meters, hears ticks and reports", async () => {
  await using scripted = scriptedConsole(({ method }) => {
    if (method === "get") return { payload: { fader: -160 } };
    return method === "report" ? { payload: { taken: 2 } } : {};
  });
  await using desk = connect(scripted.url, { token: "t" });
  await desk.ready();
  await desk.engine(["/audio/mixers/0"]);
  const fader = await desk.watch("/audio/mixers/0/faders/0", { meters: true, interval: 100 });
  const told: unknown[] = [];
  fader.listen(({ value, tick }) => told.push([value.fader, tick]));
  const change = { audio: { mixers: { 0: { faders: { 0: { fader: -20 } } } } } };
  scripted.say({ method: "update", tick: 4711, payload: change });
  await until(() => told.length === 2);
  assertEquals(told, [[-160, undefined], [-20, 4711]]);

  const meters = { audio: { mixers: { 0: { faders: { 0: { meter: { _input: [-20, -21] } } } } } } };
  assertEquals(desk.report(meters), true);
  assertEquals(await desk.reportCounted(meters), 2);
  const path = "/audio/mixers/0/faders/0";
  assertEquals(scripted.asked, [
    { method: "auth", token: "t" },
    { method: "engine", paths: ["/audio/mixers/0"] },
    { method: "subscribe", path, meters: true, interval: 100 },
    { method: "get", path },
    { method: "report", payload: meters },
    { method: "report", payload: meters },
  ]);
});

Deno.test("an engine that names no path claims everything", async () => {
  await using scripted = scriptedConsole(() => ({}));
  await using desk = connect(scripted.url);
  await desk.ready();
  await desk.engine();
  assertEquals(scripted.asked, [{ method: "engine" }]);
});

Deno.test("an engine gives its claim back with an empty list of paths, and does not claim again after a lost connection", async () => {
  const { desk, last, pass } = openedDesk();
  for (const paths of [["/audio"], []]) {
    const claim = desk.engine(paths);
    assertEquals(last().answer(() => ({})).map(({ paths }) => paths), [paths]);
    await claim;
  }
  last().drop();
  pass(250);
  last().open();
  assertEquals([desk.state, last().sent], ["open", []]);
});

Deno.test("a refused claim is not made again after a lost connection", async () => {
  const overlap = refusal(11, "paths: /audio/mixers/0 is claimed by dsp1");
  await using scripted = scriptedConsole(({ method }) => method === "engine" ? overlap : {});
  await using desk = connect(scripted.url);
  await desk.ready();
  const error = await assertRejects(() => desk.engine(["/audio/mixers/0"]), RequestError);
  assertEquals(error.message, overlap.error.message);
  scripted.drop();
  await until(() => desk.state === "lost");
  await until(() => desk.state === "open");
  assertEquals(scripted.asked.length, 1);
});

/** An engine with a claim, whose second connection has just been opened. */
async function engineOnSecondConnection() {
  const simulated = openedDesk();
  const { desk, last, pass } = simulated;
  const claim = desk.engine(["/audio/mixers/1"]);
  last().answer(() => ({}));
  await claim;
  const told: unknown[] = [];
  desk.subscribe("/audio", {
    whole: (value: unknown) => told.push(value),
    change: (change: unknown) => told.push(change),
    ended: (error: unknown) => told.push(error),
  });
  last().drop();
  pass(250);
  last().open();
  const states: StateChange[] = [];
  desk.onState((change) => states.push(change));
  const refused: string[] = [];
  desk.onRefusedReport(({ code, message }) => refused.push(`${code} ${message}`));
  return { ...simulated, told, states, refused };
}

const gone = () => refusal(6, "no such path: /audio/mixers/1");
const asked = (messages: readonly Json[]) => messages.map(({ method }) => method);

Deno.test("after a lost connection the claim is made first, then the state is open", async () => {
  const { desk, last, states } = await engineOnSecondConnection();
  const claims = last().answer(() => ({}));
  assertEquals(claims.map(({ method, paths }) => [method, ...paths]), [
    ["engine", "/audio/mixers/1"],
  ]);
  assertEquals(states, [{ state: "open", reason: "connected to ws://desk/api/ws" }]);
  assertEquals(asked(last().sent.splice(0)), ["subscribe", "get"]);
  assertEquals(desk.report({}), true);
});

Deno.test("an engine whose claim is refused on a new connection gets the whole value and changes", async () => {
  const { desk, last, told, refused } = await engineOnSecondConnection();
  last().answer(gone);
  assertEquals(desk.state, "open");
  assertEquals(refused, ["6 the claim is refused: no such path: /audio/mixers/1"]);
  assertEquals(asked(last().answer(() => ({ payload: { mixers: {} } }))), ["subscribe", "get"]);
  last().say({ method: "update", payload: { audio: { mixers: { 0: { dim: true } } } } });
  assertEquals(told, [{ mixers: {} }, { mixers: { 0: { dim: true } } }]);
});

Deno.test("a claim that is refused on a new connection is made again at growing intervals; no report is sent until it is accepted", async () => {
  const { desk, last, pass, sockets, states, refused } = await engineOnSecondConnection();
  last().answer(gone);
  last().answer(() => ({ payload: {} }));
  for (const wait of [250, 500, 1000]) {
    assertEquals([desk.report({}), desk.reportLate(true)], [false, false]);
    await assertRejects(() => desk.reportCounted({}), RequestError, "the claim is refused");
    pass(wait - 1);
    assertEquals(last().sent, []);
    pass(1);
    assertEquals(asked(last().answer(wait < 1000 ? gone : () => ({}))), ["engine"]);
  }
  const reason = "the claim is accepted";
  assertEquals(states.slice(1), [{ state: "open", reason }]);
  assertEquals([desk.report({}), sockets.length, refused.length], [true, 2, 3]);
});

Deno.test("a refused claim is not made again once another claim is accepted, or the connection is lost or closed", async () => {
  const { desk, last, pass, pending } = await engineOnSecondConnection();
  const refuse = () => {
    last().answer(gone);
    last().answer(() => ({ payload: {} }));
    // The check for silence, and the next claim.
    assertEquals(pending(), 2);
  };
  refuse();
  const other = desk.engine(["/audio/mixers/0"]);
  last().answer(() => ({}));
  await other;
  assertEquals([pending(), desk.report({})], [1, true]);

  last().drop();
  pass(500);
  last().open();
  refuse();
  last().drop();
  // The next attempt to connect.
  assertEquals(pending(), 1);
  pass(1000);
  last().open();
  refuse();
  const closed = desk.close();
  last().drop();
  await closed;
  assertEquals(pending(), 0);
});

Deno.test("a client that is closed before the answer to its claim stays closed", async () => {
  const { desk, last, pending, states } = await engineOnSecondConnection();
  const closed = desk.close();
  last().drop();
  await closed;
  assertEquals([desk.state, pending(), states.at(-1)!.state], ["closed", 0, "closed"]);
});

Deno.test("subscribers of one path share one subscription, with meters and the shortest interval of them all", () => {
  const { desk, last } = openedDesk();
  const silent = { whole() {}, change() {}, ended() {} };
  const wants = [{}, { interval: 200 }, {}, { meters: true, interval: 500 }, { interval: 40 }];
  const stops = wants.map((options) => desk.subscribe("/audio/levels/1", { ...silent }, options));
  const subscribed = () =>
    last().sent.filter(({ method }) => method === "subscribe")
      .map(({ meters, interval }) => [meters, interval]);
  const more = [[undefined, undefined], [undefined, 200], [true, 200], [true, 40]];
  assertEquals(subscribed(), more);
  stops.reverse().forEach((stop) => stop());
  assertEquals(subscribed(), [...more, [true, 200], [undefined, 200], [undefined, undefined]]);
  assertEquals(last().sent.filter(({ method }) => method === "unsubscribe").length, 1);
});

Deno.test("a subscriber that subscribes again changes its options, and does not get the whole value again", () => {
  const { desk, last } = openedDesk();
  const silent = { whole() {}, change() {}, ended() {} };
  desk.subscribe("/audio/levels/1", silent, { interval: 40 });
  const stop = desk.subscribe("/audio/levels/1", silent, { interval: 200 });
  const sent = () => last().sent.map(({ method, interval }) => [method, interval]);
  const asked = [["subscribe", 40], ["get", undefined], ["subscribe", 200]];
  assertEquals(sent(), asked);
  stop();
  assertEquals(sent(), [...asked, ["unsubscribe", undefined]]);
});

Deno.test("a subscriber that subscribes again before its first answer gets the part that its new options name", () => {
  const { desk, last } = openedDesk();
  const told: unknown[] = [];
  const subscriber = {
    whole: (value: unknown) => told.push(value),
    change: (change: unknown) => told.push(change),
    ended() {},
  };
  const subscribe = (depth: number) =>
    desk.subscribe("/audio/levels/1", subscriber, { interval: 40, extent: { depth } });
  subscribe(1);
  subscribe(1);
  subscribe(2);
  last().answer(({ depth }) => ({ payload: { depth } }));
  assertEquals(told, [{ depth: 2 }]);
  subscribe(3);
  last().say({ method: "update", payload: { audio: { levels: { 1: { _left: -20 } } } } });
  assertEquals(last().sent, []);
  assertEquals(told, [{ depth: 2 }, { _left: -20 }]);
});

Deno.test("the refusal of a part that a subscriber no longer wants does not end it", () => {
  const { desk, last } = openedDesk();
  const told: unknown[] = [];
  const subscriber = {
    whole: (value: unknown) => told.push(value),
    change() {},
    ended: (error: unknown) => told.push(error),
  };
  const subscribe = (depth: number) =>
    desk.subscribe("/audio/levels/1", subscriber, { extent: { depth } });
  subscribe(9);
  subscribe(1);
  last().answer(({ depth }) => depth === 9 ? refusal(3, "too much") : { payload: { depth } });
  assertEquals(told, [{ depth: 1 }]);
});

Deno.test("a report is dropped while there is no connection, or more than 64 KiB wait to be sent", async () => {
  const { world, last } = simulatedSockets();
  let bufferedAmount = 0;
  const open = (url: string) =>
    Object.defineProperty(world.open(url), "bufferedAmount", { get: () => bufferedAmount });
  await using desk = connect("ws://desk/api/ws", { world: { ...world, open } });
  assertEquals(desk.report({}), false);
  last().open();
  assertEquals(desk.report({}), true);
  bufferedAmount = 64 * 1024 + 1;
  assertEquals(desk.report({}), false);
  assertEquals(last().sent, [{ method: "report", payload: {} }]);
});

Deno.test("the refusal of a report goes to the listeners of refused reports, and fails no request", async () => {
  const { desk, last } = openedDesk();
  const told: string[] = [];
  const stop = desk.onRefusedReport(({ code, message }) => told.push(`${code} ${message}`));
  desk.report({ general: { _sync2ok: true } });
  const set = desk.set("/audio/mixers/0/faders/0/fader", -20);
  const [, asked] = last().sent.splice(0);
  const refused = { method: "report", ...refusal(5, "user dsp is not an engine") };
  last().say(refused);
  stop();
  last().say(refused);
  last().say({ msgID: asked.msgID, method: "set", payload: -20, success: true });
  assertEquals(await set, -20);
  assertEquals(told, ["5 user dsp is not an engine"]);
});

Deno.test("a report that the console would not read is not sent, and its reason goes to the listeners of refused reports", () => {
  const { desk, last } = openedDesk();
  const told: unknown[] = [];
  desk.onRefusedReport(({ code, message }) => told.push([code, message]));
  const list = (items: number) => Array(items).fill(-20);
  const fader = (member: object) => ({ audio: { mixers: { 0: { faders: { 0: member } } } } });
  const lists = (last: number) => [4096, 4096, 4096, 4096, 4096, 4096, last].map(list);
  const reports: readonly object[] = [
    list(4096),
    list(4097),
    Object.fromEntries(list(4096).entries()),
    Object.fromEntries(list(4097).entries()),
    lists(408),
    lists(409),
  ].map((meter) => fader({ meter }));
  for (const report of reports) {
    const isRead = jsonExcess(
      JSON.stringify({ method: "report", payload: report }),
      MESSAGE_VALUES,
      JSON_MEMBERS,
    ) === undefined;
    assertEquals(desk.report(report as never), isRead);
    assertEquals(last().sent.splice(0).length, isRead ? 1 : 0);
  }
  const limits = "more than 25000 values, or more than 4096 in an object or a list";
  assertEquals(told, Array(3).fill([1, `the report was not sent: it has ${limits}`]));
});

Deno.test("a refused interval ends the subscriber that asked for it, and no other of the path", () => {
  const { desk, last, pass } = openedDesk();
  const told: unknown[] = [];
  const subscriber = (name: string) => ({
    whole: () => told.push(`${name} has all`),
    change: () => told.push(`${name} changes`),
    ended: () => told.push(`${name} ends`),
  });
  const reply = ({ interval }: { interval?: number }) =>
    interval === 5 ? refusal(3, "interval: expected 40 to 10000, got 5") : { payload: {} };
  desk.subscribe("/audio/levels/1", subscriber("one"));
  last().answer(reply);
  desk.subscribe("/audio/levels/1", subscriber("other"), { interval: 5 });
  last().answer(reply);
  last().say({ method: "update", payload: { audio: { levels: { 1: { _left: -20 } } } } });
  assertEquals(told, ["one has all", "other ends", "one changes"]);
  last().drop();
  pass(250);
  last().open();
  assertEquals(last().answer(reply).map(({ interval }) => interval), [undefined, undefined]);
});

Deno.test("a meter value that JSON cannot hold comes as null, and does not end the connection", async () => {
  const { desk, last } = openedDesk();
  const watched = desk.watch("/audio/levels/1");
  last().answer(() => ({ payload: { _left: -20, _right: -21 } }));
  const level = await watched;
  last().say({ method: "update", payload: { audio: { levels: { 1: { _left: null } } } } });
  assertEquals(level.value as unknown, { _left: null, _right: -21 });
  assertEquals(desk.state, "open");
});
