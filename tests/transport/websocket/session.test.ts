/** A WebSocket connection: the order of its answers, and its login. */
import { schedulerWith } from "../../schedulers.ts";
import { withoutPauses } from "../../../core/cooperative-scheduler.ts";
import { machineTimer } from "../../../runtimes/clock.ts";
import { assert, assertEquals } from "@std/assert";
import type { WrittenConfiguration } from "../../../core/configuration/schema.ts";
import type { Console } from "../../../core/console.ts";
import { registerList } from "../../../core/lists/registerextlist.ts";
import { removeUser } from "../../../core/users/adduser.ts";
import { ample } from "../../budgets.ts";
import { createSessions } from "../../../transport/websocket/sessions.ts";
import {
  demoWith,
  heldStore,
  type Json,
  refusing,
  result,
  startService,
  stillClock,
  testConsole,
  tokens,
  until,
} from "../../service.ts";

const fader = "/audio/mixers/0/faders/0/fader";
const set = (value: number, msgID: unknown = value) => ({
  msgID,
  method: "set",
  path: fader,
  payload: value,
});
const get = (msgID: unknown) => ({ msgID, method: "get", path: fader });

async function onSlowStore(configuration?: WrittenConfiguration) {
  const store = heldStore();
  const clock = stillClock();
  const service = await startService({ store, clock, ...(configuration && { configuration }) });
  store.hold();
  return { store, service, socket: await service.open() };
}

/** The code of a save, which needs a group: it shows the login of the connection. */
async function savingIs(
  socket: { rpc(method: string, params: object): Promise<Json> },
): Promise<number | undefined> {
  const answer = await socket.rpc("savesnapshot", { type: 2, id: "", writegroups: 255 });
  return answer.error?.code;
}

Deno.test("answers come in the order of requests, also behind requests that wait for the medium", async () => {
  const { store, service, socket } = await onSlowStore();
  await using _ = service;
  for (const message of [get("a"), set(-1, "b"), get("c"), "{", set(-2, "d"), get("e")]) {
    socket.send(message);
  }
  assertEquals((await socket.next()).msgID, "a");
  await until(() => store.waiting === 1);
  assertEquals(socket.untaken, [], "the get behind the set waits for it");
  store.store();
  await until(() => store.waiting === 1);
  store.store();
  const rest: Json[] = [];
  while (rest.length < 5) rest.push(await socket.next());
  assertEquals(rest.map(({ msgID, payload, error }) => [msgID, payload ?? error.code]), [
    ["b", -1],
    ["c", -1],
    [undefined, 1],
    ["d", -2],
    ["e", -2],
  ]);
});

Deno.test("a get right after a set on the same connection sees it; others see it once it is stored", async () => {
  const { store, service, socket } = await onSlowStore();
  await using _ = service;
  const other = await service.open();
  await other.ask({ method: "subscribe", path: "/audio" });
  socket.send(set(-20));
  socket.send(get("after"));
  await until(() => store.waiting === 1);
  assertEquals((await other.ask(get(1))).payload, -160);
  assertEquals(await (await fetch(`${service.url}/api/rest${fader}`)).json(), -160);
  store.store();
  assertEquals((await socket.next()).payload, -20);
  assertEquals((await socket.next()).payload, -20);
  assertEquals((await other.next()).method, "update");
  assertEquals((await other.ask(get(2))).payload, -20);
});

Deno.test("writes of one connection overlap: they are in flight together, and each is decided on the ones before", async () => {
  const { store, service, socket } = await onSlowStore();
  await using _ = service;
  socket.send(set(-1));
  const snapshot = { type: 2, id: "", name: "Two", writegroups: 1 };
  socket.send({ ...rpc("savesnapshot", snapshot), token: tokens.one });
  socket.send(rpc("setchannellabel", { sourceid: 1, label: "Three" }));
  await until(() => store.waiting === 3);
  store.store();
  for (const msgID of [-1, "savesnapshot", "setchannellabel"]) {
    assertEquals((await socket.next()).msgID, msgID);
  }
  const inc = { method: "set", path: "/audio/mixers/0/faders/0/params/gain/again/inc", payload: 3 };
  for (let at = 0; at < 4; at++) socket.send(inc);
  await until(() => store.waiting === 4);
  store.store();
  for (let at = 0; at < 4; at++) assert((await socket.next()).success);
  const value = { method: "get", path: "/audio/mixers/0/faders/0/params/gain/again/value" };
  assertEquals((await socket.ask(value)).payload, 12);
});

Deno.test("with onFault refuse writes in flight with a failed write fail, too, and later writes are tried again", async () => {
  const { store, service, socket } = await onSlowStore(refusing);
  await using _ = service;
  const { state } = service.console;
  socket.send(set(-1));
  socket.send(set(-2));
  socket.send(get("then"));
  await until(() => store.waiting === 2);
  store.fail("no space left on device");
  assertEquals([(await socket.next()).error.code, (await socket.next()).error.code], [12, 12]);
  assertEquals((await socket.next()).payload, -160);
  assert(service.console.state === state);
  socket.send(set(-3));
  await until(() => store.waiting === 1);
  store.store();
  assertEquals((await socket.next()).payload, -3);
});

Deno.test("changes sent before a close are still stored, and their answers cause no fault", async () => {
  const { store, service, socket } = await onSlowStore();
  await using _ = service;
  socket.send(set(-5));
  await until(() => store.waiting === 1);
  await socket.close();
  store.store();
  const other = await service.open();
  assertEquals((await other.ask(get(1))).payload, -5);
});

const rpc = (method: string, params: object) => ({
  msgID: method,
  method: "rpc",
  payload: { method, params },
});

/** A service whose long work waits until the test calls `goOn`. */
async function onHeldTurns(configuration = demoWith({})) {
  const turns: (() => void)[] = [];
  let holds = true;
  const turn = () =>
    holds ? new Promise<void>((resolve) => turns.push(resolve)) : Promise.resolve();
  const service = await startService({
    scheduler: schedulerWith(turn),
    configuration,
    clock: stillClock(),
  });
  const goOn = () => {
    holds = false;
    for (const next of turns.splice(0)) next();
  };
  return { service, goOn, waits: () => until(() => turns.length > 0) };
}

Deno.test("writes are decided in their order, also if the check of one takes long", async () => {
  const configuration = demoWith({ mixers: [{ faders: 64 }] });
  await using source = await startService({ configuration });
  await source.rpc("savesnapshot", { type: 2, id: "", mixer: 0, writegroups: 255, readgroups: 0 });
  const { payload: { result: [, , { id }] } } = await source.rpc("getsnapshotlist", { type: 2 });
  const { payload: { result: snapshot } } = await source.rpc("getsnapshot", { id });
  const { service, goOn, waits } = await onHeldTurns(configuration);
  await using _ = service;
  const socket = await service.open();
  await socket.ask({ method: "auth", token: tokens.admin });
  socket.send(rpc("setsnapshot", snapshot));
  for (const method of ["loadsnapshot", "modifysnapshot"]) socket.send(rpc(method, { id }));
  await waits();
  const other = await service.open();
  assertEquals((await other.ask(get("other"))).success, true, "it is the only one that waits");
  assertEquals(socket.untaken, []);
  goOn();
  for (const msgID of ["setsnapshot", "loadsnapshot", "modifysnapshot"]) {
    const { success, ...answer } = await socket.next();
    assertEquals([answer.msgID, success], [msgID, true], JSON.stringify(answer.error));
  }
});

Deno.test("a user who was removed during the check of a snapshot is not logged in any more", async () => {
  const configuration = demoWith({ mixers: [{ faders: 64 }] });
  await using source = await startService({ configuration });
  const { payload: { result: snapshot } } = await source.rpc("getsnapshot", { id: "default" });
  const { service, goOn, waits } = await onHeldTurns(configuration);
  await using _ = service;
  const socket = await service.open();
  socket.send({ ...rpc("setsnapshot", snapshot), token: tokens.one });
  await waits();
  await result(service.console, removeUser("one"));
  const { state } = service.console;
  goOn();
  assertEquals((await socket.next()).error?.code, 4);
  assert(service.console.state === state);
});

Deno.test("changes during the writing of a large answer are sent after it, as one update", async () => {
  const { service, goOn, waits } = await onHeldTurns();
  await using _ = service;
  const reader = await service.open();
  const writer = await service.open();
  await reader.ask({ method: "subscribe", path: "/audio" });
  reader.send({ msgID: "all", method: "get", path: "/" });
  await waits();
  await writer.ask(set(-30));
  await writer.ask(set(-40));
  assertEquals(reader.untaken, []);
  goOn();
  const answer = await reader.next();
  assertEquals([answer.msgID, answer.payload.audio.mixers[0].faders[0].fader], ["all", -160]);
  const payload = { audio: { mixers: { 0: { faders: { 0: { fader: -40 } } } } } };
  assertEquals(await reader.next(), { method: "update", payload });
  await writer.ask(set(-50));
  assertEquals((await reader.next()).payload.audio.mixers[0].faders[0].fader, -50);
});

Deno.test("msgID is any JSON value, echoed as it came; absent when none came", async () => {
  await using service = await startService();
  const socket = await service.open();
  const messages = [
    get(undefined),
    { method: "auth", token: "wrong" },
    { method: "auth", token: tokens.one },
    { method: "nosuch" },
    { method: 1 },
    { method: "rpc", payload: { method: "getsnapshotlist", params: { type: 1 } } },
    { method: "rpc", payload: 1 },
  ];
  for (const message of messages) {
    for (const msgID of [0, 1, "a", "", null, true, false, [], [1, { a: null }], {}, 1.5, "é😀"]) {
      const answer = await socket.ask({ ...message, msgID });
      assertEquals(Object.hasOwn(answer, "msgID"), true, JSON.stringify(message));
      assertEquals(answer.msgID, msgID);
    }
    assertEquals(Object.hasOwn(await socket.ask(message), "msgID"), false);
  }
  assertEquals(Object.hasOwn(await socket.ask("{"), "msgID"), false);
});

Deno.test("auth logs in; a failed auth answers with error, stays open, not logged in", async () => {
  await using service = await startService();
  const socket = await service.open();
  assertEquals(await savingIs(socket), 4);
  const auth = (token: unknown) => socket.ask({ method: "auth", token, msgID: 7 });
  assertEquals(await auth(tokens.one), { msgID: 7, method: "auth", success: true });
  assertEquals(await savingIs(socket), undefined);
  const wrong = ["wrong", "", null, undefined, 1, {}, "00000000-00000000-00000000-00000000"];
  for (const token of wrong) {
    assert((await auth(tokens.one)).success);
    const { error, ...answer } = await auth(token);
    assertEquals([answer, error.code], [{ msgID: 7, method: "auth", success: false }, 4]);
    assertEquals(await savingIs(socket), 4, `logged out by ${JSON.stringify(token)}`);
  }
});

Deno.test("a login counts for its connection alone, a token in an envelope for that envelope alone", async () => {
  await using service = await startService();
  const socket = await service.open();
  const other = await service.open();
  const save = rpc("savesnapshot", { type: 2, id: "", writegroups: 255 });
  assertEquals((await socket.ask({ ...save, token: tokens.one })).success, true);
  assertEquals(await savingIs(socket), 4);
  assert((await socket.ask({ method: "auth", token: tokens.one })).success);
  assertEquals((await socket.ask({ ...save, token: tokens.none })).error.code, 5);
  assertEquals((await socket.ask({ ...save, token: "wrong" })).error.code, 4);
  assertEquals([await savingIs(socket), await savingIs(other)], [undefined, 4], "still logged in");
});

Deno.test("if websocket.auth is required only auth is answered without a token", async () => {
  const configuration = demoWith({ websocket: { auth: "required" } });
  await using service = await startService({ configuration });
  const socket = await service.open();
  const subscribe = { method: "subscribe", path: "/" };
  const list = rpc("getsnapshotlist", { type: 1 });
  const messages = [get(1), set(-1), subscribe, { ...subscribe, method: "unsubscribe" }, list];
  for (const message of [...messages, { method: "nosuch" }]) {
    assertEquals((await socket.ask(message)).error?.code, 4, message.method);
  }
  assertEquals((await service.post({ method: "nosuch", token: undefined })).error.code, 4);
  const unknown = { method: "nosuch", token: tokens.none };
  assertEquals((await socket.ask(unknown)).error.code, 2);
  assertEquals((await service.post(unknown)).error.code, 2);
  const { error } = await socket.ask({ ...subscribe, token: tokens.one });
  assertEquals(error, { code: 4, message: "log in with auth to subscribe" });
  assert((await socket.ask({ ...get(1), token: tokens.none })).success, "a token for one envelope");
  assertEquals((await socket.ask(get(1))).error?.code, 4);
  assert((await socket.ask({ method: "auth", token: tokens.none })).success);
  for (const message of messages) {
    assert((await socket.ask(message)).success !== false, message.method);
  }
});

Deno.test("an answer that throws is reported as a fault, and closes the connection with 1011", async () => {
  const console = await testConsole();
  const later = () => Promise.reject(new Error("later")) as never;
  const atOnce = () => {
    throw new Error("at once");
  };
  for (const [fault, message] of [[later, "later"], [atOnce, "at once"]] as const) {
    const dispatch: Console["dispatch"] = (command, actor) =>
      actor.call === "set" ? fault() : console.dispatch(command, actor);
    const broken = { ...console, state: console.state, dispatch };
    const world = { timer: machineTimer, scheduler: withoutPauses, budget: ample };
    const sessions = createSessions(broken, world);
    const sent: string[] = [];
    const closed: unknown[] = [];
    const session = sessions.open({
      bufferedAmount: 0,
      send: (text) => void sent.push(text),
      close: (code, _, fault) => void closed.push(code, (fault as Error).message),
    }, { address: "127.0.0.1", since: 0 });
    await console.dispatch(registerList(1), { connection: session.number });
    for (const message of [set(-1), get("behind it")]) session.receive(JSON.stringify(message));
    await until(() => closed.length > 0);
    session.receive(JSON.stringify(get("after it")));
    await new Promise((resolve) => setTimeout(resolve, 0));
    assertEquals([sent, closed], [[], [1011, message]]);
    assertEquals(console.state.lists.size, 0, "its list is let go");
    session.closed();
  }
});
