/** External lists over real sockets (service.md, "States and transitions", "Events"). */
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

const notified = (list: number, entry: number, on: number) => ({
  method: "event",
  payload: { type: "extlistnotified", params: { entry, list, on } },
});

async function withClients(
  run: (one: TestSocket, two: TestSocket, service: TestService) => Promise<void>,
  options = {},
) {
  await using service = await startService({ clock: stillClock(), ...options });
  await run(await service.open(), await service.open(), service);
}

/** What came before the answer to something asked now: it was sent before. */
async function eventsOf(socket: TestSocket): Promise<Json[]> {
  const events = [];
  socket.send({ method: "get", path: "/general/_api_version" });
  for (let message = await socket.next(); message.method !== "get"; message = await socket.next()) {
    events.push(message);
  }
  return events;
}

async function ok(socket: TestSocket, method: string, params: object): Promise<Json> {
  const answer = await socket.rpc(method, params);
  assertEquals(answer.error, undefined, `${method} ${JSON.stringify(params)}`);
  return answer.payload.result;
}

const code = async (socket: TestSocket, method: string, params: object) =>
  (await socket.rpc(method, params)).error?.code;

const entries = [
  { label: "Line 1" },
  { label: "Line 2", color: "ff0000", background: true, pagination: true },
  { label: "Line 3", disabled: true },
];

Deno.test("register, set, press and unregister answer as the table says", () =>
  withClients(async (one) => {
    assertEquals(await ok(one, "registerextlist", { list: 1 }), { list: 1 });
    assertEquals(
      await ok(one, "registerextlist", { list: 1 }),
      { list: 1 },
      "twice is well answered",
    );
    assertEquals(await ok(one, "setextlist", { list: 1, entries, select: 0 }), {
      list: 1,
      entries,
      select: 0,
    });
    assertEquals(await ok(one, "setextlist", { list: 1, entries }), { list: 1, entries });
    assertEquals(await ok(one, "unregisterextlist", { list: 1 }), { list: 1 });
    assertEquals(
      await ok(one, "unregisterextlist", { list: 1 }),
      { list: 1 },
      "also when not subscribed",
    );
  }));

Deno.test("a press and a release are two events, to every subscriber and to nobody else", () =>
  withClients(async (one, two, service) => {
    const stranger = await service.open();
    await ok(one, "registerextlist", { list: 1 });
    await ok(two, "registerextlist", { list: 1 });
    await ok(two, "registerextlist", { list: 2 });
    await ok(one, "setextlist", { list: 1, entries });
    assertEquals(await ok(stranger, "pressextlist", { list: 1, entry: 1, on: 1 }), {});
    assertEquals(await eventsOf(one), [notified(1, 1, 1)]);
    assertEquals(await eventsOf(two), [notified(1, 1, 1)]);
    await ok(stranger, "pressextlist", { list: 1, entry: 1, on: 1 });
    assertEquals(await eventsOf(one), [], "it is down already");
    await ok(stranger, "pressextlist", { list: 1, entry: 1, on: 0 });
    assertEquals(await eventsOf(one), [notified(1, 1, 0)]);
    assertEquals(await eventsOf(two), [notified(1, 1, 0)]);
    await ok(stranger, "pressextlist", { list: 1, entry: 1, on: 0 });
    assertEquals(await eventsOf(one), [], "it is up already");
    assertEquals(await eventsOf(stranger), []);
  }));

Deno.test("one who unsubscribed is told no more, the others are", () =>
  withClients(async (one, two) => {
    await ok(one, "registerextlist", { list: 1 });
    await ok(two, "registerextlist", { list: 1 });
    await ok(one, "setextlist", { list: 1, entries });
    await ok(one, "unregisterextlist", { list: 1 });
    await ok(one, "pressextlist", { list: 1, entry: 0, on: 1 });
    assertEquals(await eventsOf(one), []);
    assertEquals(await eventsOf(two), [notified(1, 0, 1)]);
  }));

Deno.test("a list has no owner: any client sets it, also when the registering one is gone", () =>
  withClients(async (one, two, service) => {
    const stranger = await service.open();
    await ok(one, "registerextlist", { list: 1 });
    await ok(two, "registerextlist", { list: 1 });
    await one.close();
    await until(() => service.console.state.lists.get(1)?.subscribers.size === 1);
    await ok(stranger, "setextlist", { list: 1, entries });
    await ok(stranger, "pressextlist", { list: 1, entry: 0, on: 1 });
    assertEquals(await eventsOf(two), [notified(1, 0, 1)]);
  }));

Deno.test("a list is gone with its last subscriber, who unsubscribes or whose connection closes", () =>
  withClients(async (one, two, service) => {
    for (const end of ["unregisterextlist", "close"]) {
      const last = await service.open();
      await ok(one, "registerextlist", { list: 1 });
      await ok(last, "registerextlist", { list: 1 });
      await ok(one, "setextlist", { list: 1, entries });
      await ok(one, "unregisterextlist", { list: 1 });
      assertEquals(
        await code(two, "setextlist", { list: 1, entries }),
        undefined,
        "it exists for the other",
      );
      if (end === "close") await last.close();
      else await ok(last, end, { list: 1 });
      await until(() => !service.console.state.lists.has(1));
      assertEquals(await code(two, "setextlist", { list: 1, entries }), 6, end);
      assertEquals(await code(two, "pressextlist", { list: 1, entry: 0, on: 1 }), 6, end);
      await ok(two, "registerextlist", { list: 1 });
      assertEquals(
        await code(two, "pressextlist", { list: 1, entry: 0, on: 1 }),
        6,
        "its contents are gone too",
      );
      await ok(two, "unregisterextlist", { list: 1 });
    }
  }));

Deno.test("a connection that closes while holding a button releases it", () =>
  withClients(async (one, two, service) => {
    await ok(one, "registerextlist", { list: 1 });
    await ok(one, "setextlist", { list: 1, entries });
    const press = { list: 1, entry: 0, on: 1 };
    await ok(two, "pressextlist", press);
    assertEquals(await one.next(), notified(1, 0, 1));
    await two.close();
    assertEquals(await one.next(), notified(1, 0, 0));

    const [left, right] = [await service.open(), await service.open()];
    await ok(left, "pressextlist", press);
    await ok(right, "pressextlist", press);
    assertEquals(await one.next(), notified(1, 0, 1));
    await left.close();
    await until(() => service.console.state.lists.get(1)?.held.get(0)?.size === 1);
    assertEquals(await eventsOf(one), [], "another still holds it");
    await right.close();
    assertEquals(await one.next(), notified(1, 0, 0));
  }));

Deno.test("a subscriber that closes while holding a button releases it for the others", () =>
  withClients(async (one, two) => {
    await ok(one, "registerextlist", { list: 1 });
    await ok(two, "registerextlist", { list: 1 });
    await ok(one, "setextlist", { list: 1, entries });
    await ok(two, "pressextlist", { list: 1, entry: 0, on: 1 });
    assertEquals(await one.next(), notified(1, 0, 1));
    await two.close();
    assertEquals(await one.next(), notified(1, 0, 0));
  }));

Deno.test("new contents release the buttons that were held", () =>
  withClients(async (one, two) => {
    await ok(one, "registerextlist", { list: 1 });
    await ok(one, "setextlist", { list: 1, entries });
    await ok(two, "pressextlist", { list: 1, entry: 0, on: 1 });
    await ok(two, "setextlist", { list: 1, entries: [{ label: "Other" }] });
    assertEquals(await eventsOf(one), [notified(1, 0, 1), notified(1, 0, 0)]);
  }));

Deno.test("select: a page past the last one shows the last; pages end after pageSize and pagination", async () => {
  const configuration = demoWith({ lists: [{ id: 1, pageSize: 3 }] });
  await withClients(async (one, _, service) => {
    await ok(one, "registerextlist", { list: 1 });
    const some = (count: number, breaks: number[] = []) =>
      Array.from({ length: count }, (_, at) => ({ label: "x", pagination: breaks.includes(at) }));
    const rows: readonly (readonly [ReturnType<typeof some>, number, number])[] = [
      [some(0), 9, 0],
      [some(3), 9, 0],
      [some(4), 9, 1],
      [some(9), 1, 1],
      [some(9), 2, 2],
      [some(9), 3, 2],
      [some(9), 1e9, 2],
      [some(9, [0]), 9, 3],
      [some(3, [2]), 9, 0],
      [some(6, [2]), 9, 1],
    ];
    for (const [entries, select, page] of rows) {
      await ok(one, "setextlist", { list: 1, entries, select });
      assertEquals(
        service.console.state.lists.get(1)?.page,
        page,
        `${entries.length} entries, page ${select}`,
      );
    }
  }, { configuration });
});

Deno.test("absent lists and entries are code 6, disabled entries 3, over 1000 entries 11", () =>
  withClients(async (one, _, service) => {
    assertEquals(await code(one, "setextlist", { list: 1, entries }), 6);
    assertEquals(await code(one, "registerextlist", { list: 3 }), 6);
    assertEquals(await code(one, "unregisterextlist", { list: 3 }), 6);
    await ok(one, "registerextlist", { list: 1 });
    const many = Array.from({ length: 1001 }, () => ({ label: "x" }));
    await ok(one, "setextlist", { list: 1, entries: many.slice(1) });
    await ok(one, "setextlist", { list: 1, entries });
    const { state } = service.console;
    assertEquals(await code(one, "setextlist", { list: 1, entries: many }), 11);
    assertEquals(await code(one, "setextlist", { list: 1, entries, select: -1 }), 3);
    assertEquals(await code(one, "pressextlist", { list: 1, entry: 3, on: 1 }), 6);
    assertEquals(await code(one, "pressextlist", { list: 1, entry: 2, on: 1 }), 3);
    assert(service.console.state === state);
  }));

const calls = [
  ["registerextlist", { list: 1 }],
  ["unregisterextlist", { list: 1 }],
  ["setextlist", { list: 1, entries }],
  ["pressextlist", { list: 1, entry: 0, on: 1 }],
] as const;

Deno.test("over HTTP external lists are refused with code 8", () =>
  withClients(async (one, _, service) => {
    await ok(one, "registerextlist", { list: 1 });
    await ok(one, "setextlist", { list: 1, entries });
    const { state } = service.console;
    for (const [method, params] of calls) {
      assertEquals((await service.rpc(method, params)).error?.code, 8, method);
    }
    assert(service.console.state === state);
  }));

Deno.test("without license 52-8583 external lists are refused with code 9", () =>
  withClients(async (one, _, service) => {
    const { state } = service.console;
    for (const [method, params] of calls) {
      const { error } = await one.rpc(method, params);
      assertEquals([error?.code, error?.message.includes("52-8583")], [9, true], method);
    }
    assert(service.console.state === state);
  }, { configuration: demoWith({ licenses: ["52-8577"] }) }));

Deno.test("where a login is required, a list is registered by who would hear of it: auth first, then events", async () => {
  const configuration = demoWith({ websocket: { auth: "required" } });
  await withClients(async (one, two, { console }) => {
    const register = { method: "registerextlist", params: { list: 1 } };
    const token = tokens.one;
    const refused = await one.ask({ method: "rpc", token, payload: register });
    assertEquals([refused.error.code, console.state.lists.size], [4, 0]);
    for (const socket of [one, two]) await socket.ask({ method: "auth", token });
    await ok(one, "registerextlist", { list: 1 });
    await ok(two, "setextlist", { list: 1, entries: [{ label: "A" }] });
    await ok(two, "pressextlist", { list: 1, entry: 0, on: 1 });
    assertEquals(await eventsOf(one), [notified(1, 0, 1)]);
  }, { configuration });
});
