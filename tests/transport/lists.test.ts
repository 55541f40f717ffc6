/**
 * External lists over real connections: how the calls are answered, the receivers of a press, and a
 * list in `control/extlists`. `tests/core/lists` has the tables of the life of a list and of its
 * branch.
 */
import { assert, assertEquals } from "@std/assert";
import {
  demoWith,
  type Json,
  startService,
  stillClock,
  type TestService,
  type TestSocket,
  tokens,
  until,
} from "../service.ts";

const LIST = "/control/extlists/1";
const configuration = demoWith({ lists: [{ id: 1, name: "Lines", pageSize: 2 }, { id: 2 }] });
const entries = [{ label: "A", color: "ff0000" }, { label: "B" }, { label: "C", disabled: true }];
const shown = [
  { label: "A", color: "ff0000", _page: 0, _on: false },
  { label: "B", _page: 0, _on: false },
  { label: "C", disabled: true, _page: 1, _on: false },
];
const absent = { _name: "Lines", _exists: false, _entries: [], _page: 0, _subscribers: 0 };
const list = { list: 1 };
const press = { list: 1, entry: 1, on: 1 };
const release = { ...press, on: 0 };

const notified = (on: number) => ({
  method: "event",
  payload: { type: "extlistnotified", params: { entry: 1, list: 1, on } },
});
const update = (list: object) => ({
  method: "update",
  payload: { control: { extlists: { 1: list } } },
});

/** A test with two connections to a console that has two lists. */
function test(
  name: string,
  run: (given: { one: TestSocket; two: TestSocket; service: TestService }) => Promise<void>,
  parts = {},
): void {
  Deno.test(name, async () => {
    const world = { clock: stillClock(), configuration: { ...configuration, ...parts } };
    await using service = await startService(world);
    await run({ one: await service.open(), two: await service.open(), service });
  });
}

async function ok(socket: TestSocket, method: string, params: object): Promise<Json> {
  const answer = await socket.rpc(method, params);
  assertEquals(answer.error, undefined, `${method} ${JSON.stringify(params)}`);
  return answer.payload.result;
}

/** The messages that came before the answer to a further request. */
async function before(socket: TestSocket): Promise<Json[]> {
  const messages = [];
  socket.send({ method: "get", path: "/general/_api_version", msgID: "mark" });
  for (let message = await socket.next(); message.msgID !== "mark"; message = await socket.next()) {
    messages.push(message);
  }
  return messages;
}

const get = async (socket: TestSocket, path: string): Promise<Json> =>
  (await socket.ask({ method: "get", path })).payload;

test("registerextlist, setextlist and unregisterextlist answer as the table says", async ({ one }) => {
  const calls = [
    ["registerextlist", list, list],
    ["setextlist", { ...list, entries, select: 0 }, { ...list, entries, select: 0 }],
    ["setextlist", { ...list, entries }, { ...list, entries }],
    ["unregisterextlist", list, list],
  ] as const;
  for (const [method, params, expected] of calls) {
    assertEquals(await ok(one, method, params), expected, method);
  }
});

test("a press and a release are the event extlistnotified for the subscribed connections", async ({ one, two, service }) => {
  const holder = await service.open();
  for (const socket of [one, two]) await ok(socket, "registerextlist", list);
  await ok(holder, "setextlist", { list: 1, entries });
  for (const call of [press, release]) assertEquals(await ok(holder, "pressextlist", call), {});
  for (const socket of [one, two]) assertEquals(await before(socket), [notified(1), notified(0)]);
  assertEquals(await before(holder), []);
});

test("setextlist with entries null empties the list", async ({ one }) => {
  await ok(one, "registerextlist", { list: 1 });
  await ok(one, "setextlist", { list: 1, entries });
  const { payload } = await one.rpc("setextlist", { list: 1, entries: null });
  assertEquals(payload.params, { list: 1, entries: null });
  assertEquals(payload.result, { list: 1, entries: [] });
  assertEquals((await one.ask({ method: "get", path: `${LIST}/_entries` })).payload, []);
});

const methods = ["registerextlist", "unregisterextlist", "setextlist", "pressextlist"];

test("over HTTP external lists are refused with code 8 before their parameters are checked", async ({ one, service }) => {
  await ok(one, "registerextlist", list);
  await ok(one, "setextlist", { list: 1, entries });
  const { state } = service.console;
  const message = "external lists are for WebSocket connections only";
  for (const method of methods) {
    assertEquals((await service.rpc(method, {})).error, { code: 8, message }, method);
  }
  assert(service.console.state === state);
});

test(
  "without license 52-8583 lists are refused with code 9 before parameters are checked; the rest of /control is there",
  async ({ one, service }) => {
    const { state } = service.console;
    const isRefused = ({ error }: Json) =>
      assertEquals([error?.code, error?.message.includes("52-8583")], [9, true]);
    for (const method of methods) isRefused(await one.rpc(method, {}));
    for (const method of ["get", "set", "subscribe"]) {
      isRefused(await one.ask({ method, path: LIST, payload: {} }));
    }
    const unsubscribed = await one.ask({ method: "unsubscribe", path: LIST });
    assert(unsubscribed.success, "it always is answered well");
    for (const query of ["", "?set=1", "?flat=true"]) {
      const response = await fetch(`${service.url}/api/rest${LIST}${query}`);
      assertEquals(response.status, 400);
      isRefused(await response.json());
    }
    assert((await one.ask({ method: "subscribe", path: "/control" })).success);
    assert(service.console.state === state);
  },
  { licenses: ["52-8577"] },
);

test("a user who loses the right to press while holding a button releases it, and subscribers are told", async ({ one, two, service }) => {
  await ok(one, "registerextlist", list);
  await ok(one, "setextlist", { list: 1, entries });
  await two.ask({ method: "auth", token: tokens.one });
  await ok(two, "pressextlist", press);
  await service.rpc("modifyuser", { name: "one", may: "view" });
  await ok(two, "pressextlist", release);
  assertEquals(await before(one), [notified(1), notified(0)]);
  assertEquals((await two.rpc("pressextlist", press)).error.code, 5);
});

for (const auth of ["optional", "required"] as const) {
  test(
    `a connection that a wrong token logs out releases its buttons, auth ${auth}`,
    async ({ one, two }) => {
      for (const socket of [one, two]) await socket.ask({ method: "auth", token: tokens.one });
      await ok(one, "registerextlist", list);
      await ok(one, "setextlist", { list: 1, entries });
      await ok(two, "registerextlist", { list: 2 });
      await ok(two, "pressextlist", press);
      await two.ask({ method: "auth", token: tokens.two });
      assertEquals(
        await before(one),
        [notified(1)],
        "after another login it still holds the button",
      );
      const wrong = tokens.one.replaceAll("b", "c");
      assertEquals((await two.ask({ method: "auth", token: wrong })).error.code, 4);
      assertEquals(await before(one), [notified(0)]);
      assertEquals(await get(one, "/control/extlists/2/_subscribers"), 1, "it stays subscribed");
    },
    { websocket: { auth } },
  );
}

test(
  "if a login is required, a connection registers a list after auth, and then gets its events",
  async ({ one, two, service }) => {
    const token = tokens.one;
    const payload = { method: "registerextlist", params: list };
    const refused = await one.ask({ method: "rpc", token, payload });
    assertEquals([refused.error.code, service.console.state.lists.size], [4, 0]);
    for (const socket of [one, two]) await socket.ask({ method: "auth", token });
    await ok(one, "registerextlist", list);
    await ok(two, "setextlist", { list: 1, entries });
    await ok(two, "pressextlist", press);
    assertEquals(await before(one), [notified(1)]);
  },
  { websocket: { auth: "required" } },
);

test("a subscriber of a list gets each change of it in one update", async ({ one, two, service }) => {
  assert((await two.ask({ method: "subscribe", path: LIST })).success);
  const third = await service.open();
  const steps: readonly (readonly [TestSocket, string, object, readonly object[]])[] = [
    [one, "registerextlist", list, [{ _exists: true, _subscribers: 1 }]],
    [third, "setextlist", { list: 1, entries }, [{ _entries: shown }]],
    [third, "setextlist", { list: 1, entries, select: 1 }, [{ _page: 1 }]],
    [third, "pressextlist", press, [{ _entries: { 1: { _on: true } } }]],
    [third, "pressextlist", release, [{ _entries: { 1: { _on: false } } }]],
    [third, "setextlist", { list: 1, entries: entries.slice(1, 2) }, [
      { _entries: [{ label: "B", _page: 0, _on: false }], _page: 0 },
    ]],
    [third, "registerextlist", { list: 2 }, []],
  ];
  for (const [socket, method, params, updates] of steps) {
    await ok(socket, method, params);
    assertEquals(await before(two), updates.map(update), `${method} ${JSON.stringify(params)}`);
    await before(one);
  }
  await one.close();
  assertEquals(await two.next(), update({ _exists: false, _entries: [], _subscribers: 0 }));
});

test("get, GET and the merged updates of a list are equal at any time", async ({ one, two, service }) => {
  const read = async () => {
    const value = await get(two, LIST);
    assertEquals(await (await fetch(`${service.url}/api/rest${LIST}`)).json(), value);
    return value;
  };
  assertEquals(await read(), absent);
  await two.ask({ method: "subscribe", path: "/control/extlists" });
  await ok(one, "registerextlist", list);
  await ok(one, "setextlist", { list: 1, entries, select: 1 });
  await ok(one, "pressextlist", press);
  await before(two);
  const pressed = shown.with(1, { ...shown[1]!, _on: true });
  const full = { _name: "Lines", _exists: true, _entries: pressed, _page: 1, _subscribers: 1 };
  assertEquals(await read(), full);
  assertEquals(await get(two, `${LIST}/_entries/1/_on`), true);
  await one.close();
  assertEquals((await two.next()).payload.control.extlists[1]._exists, false);
  assertEquals(await read(), absent);
});

test("a subscriber of an entry gets only changes of that entry", async ({ one, two }) => {
  await ok(one, "registerextlist", list);
  await ok(one, "setextlist", { list: 1, entries: [{ label: "old" }, { label: "old" }] });
  assert((await two.ask({ method: "subscribe", path: `${LIST}/_entries/1` })).success);
  await ok(one, "setextlist", { list: 1, entries });
  assertEquals(await before(two), [update({ _entries: { 1: shown[1] } })]);
  await ok(one, "pressextlist", press);
  assertEquals(await before(two), [update({ _entries: { 1: { _on: true } } })]);
});

test("a list of 1000 large entries: a late reader gets them all, and a press updates one entry", async ({ one, two }) => {
  const many = Array.from({ length: 1000 }, (_, at) => ({ label: `${at}`.padEnd(128, "€") }));
  await ok(one, "registerextlist", list);
  await two.ask({ method: "subscribe", path: LIST });
  await ok(one, "setextlist", { list: 1, entries: many });
  const [{ payload }] = await before(two);
  const { _entries } = payload.control.extlists[1];
  const last = { ...many[999], _page: 499, _on: false };
  assertEquals([_entries.length, _entries[999]], [1000, last]);
  await ok(one, "pressextlist", { ...press, entry: 999 });
  assertEquals(await before(two), [update({ _entries: { 999: { _on: true } } })]);
  assertEquals((await get(two, LIST))._entries[999]._on, true);
});

test("many connections that close at the same time leave no list, and the updates show it", async ({ one, two, service }) => {
  await two.ask({ method: "subscribe", path: `${LIST}/_subscribers` });
  const many = await Promise.all(Array.from({ length: 20 }, () => service.open()));
  for (const socket of [one, ...many]) await ok(socket, "registerextlist", list);
  await Promise.all([one, ...many].map((socket) => socket.close()));
  await until(() => !service.console.state.lists.has(1));
  const counts = (await before(two)).map(({ payload }) => payload.control.extlists[1]);
  assertEquals(counts.at(-1), { _subscribers: 0 });
  assertEquals(await get(two, LIST), absent);
});
