/**
 * `control/extlists` over real connections: who reads or subscribes to it sees what the lists are.
 */
import { assert, assertEquals } from "@std/assert";
import {
  demoWith,
  type Json,
  startService,
  stillClock,
  type TestService,
  type TestSocket,
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

async function withClients(
  run: (one: TestSocket, two: TestSocket, service: TestService) => Promise<void>,
  options = {},
) {
  await using service = await startService({ clock: stillClock(), configuration, ...options });
  await run(await service.open(), await service.open(), service);
}

const update = (list: object) => ({
  method: "update",
  payload: { control: { extlists: { 1: list } } },
});

async function ok(socket: TestSocket, method: string, params: object): Promise<void> {
  assertEquals((await socket.rpc(method, params)).error, undefined, method);
}

async function get(socket: TestSocket, path: string): Promise<Json> {
  return (await socket.ask({ method: "get", path })).payload;
}

/** What came before the answer to something asked now. */
async function before(socket: TestSocket): Promise<Json[]> {
  const messages = [];
  socket.send({ method: "get", path: "/general/_api_version", msgID: "mark" });
  for (let message = await socket.next(); message.msgID !== "mark"; message = await socket.next()) {
    messages.push(message);
  }
  return messages;
}

Deno.test("a subscriber of a list is told of each change of it, in one update", () =>
  withClients(async (one, two, service) => {
    const subscribed = await two.ask({ method: "subscribe", path: LIST });
    assert(subscribed.success);
    const third = await service.open();
    const press = { list: 1, entry: 1, on: 1 };
    const steps: readonly (readonly [TestSocket, string, object, readonly object[]])[] = [
      [one, "registerextlist", { list: 1 }, [{ _exists: true, _subscribers: 1 }]],
      [third, "setextlist", { list: 1, entries }, [{ _entries: shown }]],
      [third, "setextlist", { list: 1, entries, select: 1 }, [{ _page: 1 }]],
      [third, "setextlist", { list: 1, entries, select: 9 }, []],
      [third, "pressextlist", press, [{ _entries: { 1: { _on: true } } }]],
      [third, "pressextlist", press, []],
      [third, "pressextlist", { ...press, on: 0 }, [{ _entries: { 1: { _on: false } } }]],
      [third, "pressextlist", press, [{ _entries: { 1: { _on: true } } }]],
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
    assertEquals(
      await two.next(),
      update({ _exists: false, _entries: [], _subscribers: 0 }),
    );
  }));

Deno.test("get, GET and what the updates add up to are the same at any time", () =>
  withClients(async (one, two, service) => {
    await two.ask({ method: "subscribe", path: "/control/extlists" });
    const read = async () => {
      const value = await get(two, LIST);
      const response = await fetch(`${service.url}/api/rest${LIST}`);
      assertEquals(await response.json(), value);
      return value;
    };
    assertEquals(await read(), absent);
    await ok(one, "registerextlist", { list: 1 });
    await ok(one, "setextlist", { list: 1, entries, select: 1 });
    await ok(one, "pressextlist", { list: 1, entry: 0, on: 1 });
    await before(two);
    const pressed = shown.with(0, { ...shown[0]!, _on: true });
    const full = { _name: "Lines", _exists: true, _entries: pressed, _page: 1, _subscribers: 1 };
    assertEquals(await read(), full);
    assertEquals(await get(two, `${LIST}/_entries/0/_on`), true);
    await one.close();
    assertEquals((await two.next()).payload.control.extlists[1]._exists, false);
    assertEquals(await read(), absent);
  }));

Deno.test("a button that its holder's closed connection lets go of shows it", () =>
  withClients(async (one, two, service) => {
    const holder = await service.open();
    await ok(one, "registerextlist", { list: 1 });
    await ok(one, "setextlist", { list: 1, entries });
    await two.ask({ method: "subscribe", path: `${LIST}/_entries` });
    await ok(holder, "pressextlist", { list: 1, entry: 1, on: 1 });
    assertEquals(await two.next(), update({ _entries: { 1: { _on: true } } }));
    await holder.close();
    assertEquals(await two.next(), update({ _entries: { 1: { _on: false } } }));
    assertEquals(await before(two), []);
  }));

for (
  const [path, set, press] of [
    [`${LIST}/_entries/1`, { 1: shown[1] }, { 1: { _on: true } }],
    [`${LIST}/_entries/1/_on`, { 1: { _on: false } }, { 1: { _on: true } }],
    [`${LIST}/_entries/0/_on`, { 0: { _on: false } }, undefined],
  ] as const
) {
  Deno.test(`a subscriber of ${path} is told of that alone`, () =>
    withClients(async (one, two) => {
      await ok(one, "registerextlist", { list: 1 });
      await ok(one, "setextlist", { list: 1, entries: [{ label: "old" }, { label: "old" }] });
      assert((await two.ask({ method: "subscribe", path })).success);
      await ok(one, "setextlist", { list: 1, entries });
      assertEquals(await before(two), [update({ _entries: set })]);
      await ok(one, "pressextlist", { list: 1, entry: 1, on: 1 });
      const pressed = press === undefined ? [] : [update({ _entries: press })];
      assertEquals(await before(two), pressed);
    }));
}

Deno.test("a list of 1000 large entries: whoever reads late has them all, a press is one entry", () =>
  withClients(async (one, two) => {
    const many = Array.from({ length: 1000 }, (_, at) => ({ label: `${at}`.padEnd(128, "€") }));
    await ok(one, "registerextlist", { list: 1 });
    await two.ask({ method: "subscribe", path: LIST });
    await ok(one, "setextlist", { list: 1, entries: many });
    const [{ payload }] = await before(two);
    const { _entries } = payload.control.extlists[1];
    assertEquals([_entries.length, _entries[999]], [1000, {
      ...many[999],
      _page: 499,
      _on: false,
    }]);
    await ok(one, "pressextlist", { list: 1, entry: 999, on: 1 });
    assertEquals(await before(two), [update({ _entries: { 999: { _on: true } } })]);
    assertEquals((await get(two, LIST))._entries[999]._on, true);
  }));

Deno.test("lists are read-only: a set is refused with 7 and changes nothing", () =>
  withClients(async (one, two, service) => {
    await ok(one, "registerextlist", { list: 1 });
    await ok(one, "setextlist", { list: 1, entries });
    const { state } = service.console;
    const writes = [
      [LIST, { _page: 1 }],
      [`${LIST}/_page`, 1],
      [`${LIST}/_entries/0/label`, "X"],
      [`${LIST}/_entries/0/_on`, true],
    ] as const;
    for (const [path, payload] of writes) {
      assertEquals((await two.ask({ method: "set", path, payload })).error?.code, 7, path);
      assertEquals((await service.post({ method: "set", path, payload })).error?.code, 7, path);
    }
    assert(service.console.state === state);
  }));

Deno.test("without license 52-8583 there is no branch: 9 for it, the rest of /control is there", () =>
  withClients(async (one, _, service) => {
    const { state } = service.console;
    for (const path of ["/control/extlists", LIST, `${LIST}/_entries`, "control/extlists/77/"]) {
      for (const method of ["get", "set", "subscribe"]) {
        const { error } = await one.ask({ method, path, payload: {} });
        assertEquals([error?.code, error?.message.includes("52-8583")], [9, true], method);
      }
      assert(
        (await one.ask({ method: "unsubscribe", path })).success,
        "it always is answered well",
      );
    }
    for (const query of ["", "?set=1", "?flat=true"]) {
      const response = await fetch(`${service.url}/api/rest${LIST}${query}`);
      assertEquals([response.status, (await response.json()).error.code], [400, 9], query);
    }
    assertEquals(Object.keys(await get(one, "/control")), ["labels", "logics"]);
    assert((await one.ask({ method: "subscribe", path: "/control" })).success);
    assertEquals((await one.ask({ method: "get", path: "/control/nothing" })).error.code, 6);
    assert(service.console.state === state);
  }, { configuration: { ...configuration, licenses: ["52-8577"] } }));

Deno.test("a list that is not configured is no path", () =>
  withClients(async (one) => {
    for (const method of ["get", "set", "subscribe"]) {
      const { error } = await one.ask({ method, path: "/control/extlists/3", payload: {} });
      assertEquals(error?.code, 6, method);
    }
  }));

Deno.test("an overlapping close of many connections leaves no list, and says so", () =>
  withClients(async (one, two, service) => {
    await two.ask({ method: "subscribe", path: `${LIST}/_subscribers` });
    const many = await Promise.all(Array.from({ length: 20 }, () => service.open()));
    for (const socket of [one, ...many]) await ok(socket, "registerextlist", { list: 1 });
    await Promise.all([one, ...many].map((socket) => socket.close()));
    await until(() => !service.console.state.lists.has(1));
    const counts = (await before(two)).map(({ payload }) => payload.control.extlists[1]);
    assertEquals(counts.at(-1), { _subscribers: 0 });
    assertEquals(await get(two, LIST), absent);
  }));
