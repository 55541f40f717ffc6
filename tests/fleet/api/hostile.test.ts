/** A client that misuses the control API of a hub harms no other client. */
import { assertEquals, assertMatch } from "@std/assert";
import { SUBSCRIPTIONS } from "../../../core/limits.ts";
import { openSocket, until } from "../../service.ts";
import { ask } from "../../transport/requests.ts";
import { ADMIN_TOKEN, entry, fakeCore, idOf, USER_TOKEN } from "../fake-core.ts";
import { serveHub } from "../serve-hub.ts";

const one = idOf(1);

/** Messages that are refused, each with its error code. */
const refused: readonly (readonly [string, unknown, number])[] = [
  ["a message that is not JSON", "{", 1],
  ["a message that is not an object", "[]", 1],
  ["a message without a method", {}, 1],
  ["an unknown method", { method: "engine" }, 2],
  ["a method named toString", { method: "toString" }, 2],
  ["an RPC named constructor", { method: "rpc", payload: { method: "constructor" } }, 2],
  ["an RPC that is a text", { method: "rpc", payload: "fleetlist" }, 1],
  [
    "parameters that are a list",
    { method: "rpc", payload: { method: "fleetlist", params: [] } },
    3,
  ],
  [
    "a removal of a user whose name is longer than a name",
    { method: "rpc", payload: { method: "fleetuserremove", params: { name: "x".repeat(65) } } },
    3,
  ],
  [
    "other rights for such a user",
    { method: "rpc", payload: { method: "fleetusermodify", params: { name: "x".repeat(65) } } },
    3,
  ],
  ["a path that is a number", { method: "get", path: 1 }, 3],
  ["a path to __proto__", { method: "get", path: "/consoles/__proto__" }, 6],
  ["a set of all consoles", { method: "set", path: "/consoles", payload: {} }, 7],
  ["a set of the hub", { method: "set", path: "/general/_name", payload: "x" }, 7],
  ["a negative depth", { method: "get", path: "/consoles", depth: -1 }, 3],
  ["a wrong token", { method: "get", path: "/general", token: "x" }, 4],
];

for (const [what, message, code] of refused) {
  Deno.test(`${what} is refused (${code}), and the connection goes on`, async () => {
    await using hub = await serveHub(fakeCore("console"));
    const socket = await openSocket(hub.socket);
    assertEquals((await socket.ask(message)).error?.code, code);
    assertEquals((await socket.ask({ method: "get", path: "/general/_name" })).payload, "Radio");
    await socket.close();
  });
}

Deno.test("other members of a message are ignored, whatever their names", async () => {
  await using hub = await serveHub(fakeCore("console"));
  const socket = await openSocket(hub.socket);
  for (const other of [{ limit: 1 }, { refusal: { code: 1, message: "x" }, message: {} }]) {
    const get = { method: "get", path: "/general/_name", ...other };
    const answer = await Promise.race([socket.ask(get), socket.closed]);
    assertEquals(answer.payload, "Radio");
    const posted = await ask(`${hub.url}/api/rest`, { method: "POST", body: JSON.stringify(get) });
    assertEquals([posted.status, JSON.parse(posted.text).payload], [200, "Radio"]);
  }
  await socket.close();
});

Deno.test("a message over the limit closes its connection, over HTTP it is 413", async () => {
  await using hub = await serveHub(fakeCore());
  const large = JSON.stringify({ method: "get", path: "x".repeat(300_000) });
  const socket = await openSocket(hub.socket);
  socket.send(large);
  assertEquals(await socket.closed, 1009);
  const answer = await fetch(`${hub.url}/api/rest`, { method: "POST", body: large });
  assertEquals(answer.status, 413);
  await answer.body?.cancel();
});

Deno.test("a page of another site opens no WebSocket and asks for nothing", async () => {
  await using hub = await serveHub(fakeCore("console"));
  const headers = { origin: "https://evil.example", "sec-fetch-site": "cross-site" };
  const answer = await fetch(`${hub.url}/api/rest/general`, { headers });
  assertEquals(answer.status, 403);
  await answer.body?.cancel();
  const upgrade = await fetch(`${hub.url}/api/ws`, {
    headers: { ...headers, upgrade: "websocket" },
  });
  assertEquals(upgrade.status >= 400, true);
  await upgrade.body?.cancel();
});

Deno.test("a subscription beyond the maximum is refused (11), and the others still get updates", async () => {
  const core = fakeCore("console");
  for (let number = 0; number <= SUBSCRIPTIONS; number++) core.put(idOf(number), entry("x"));
  await using hub = await serveHub(core);
  const socket = await openSocket(hub.socket);
  for (let number = 0; number <= SUBSCRIPTIONS; number++) {
    const path = `/consoles/${idOf(number)}`;
    const { success, error } = await socket.ask({ method: "subscribe", path });
    assertEquals([success, error?.code], number < SUBSCRIPTIONS ? [true, undefined] : [false, 11]);
  }
  core.put(one, entry("y"));
  assertEquals((await socket.next()).payload, { consoles: { [one]: { _name: "y" } } });
  await socket.close();
});

Deno.test("a summary cannot overwrite the members that the hub sets: _name, _state, _id", async () => {
  const core = fakeCore("console");
  const tree = { _name: "forged", _state: "live", _id: "x", __proto__: { _may: "admin" } } as never;
  core.put(one, entry("true", { tree }, "stale"));
  await using hub = await serveHub(core);
  const socket = await openSocket(hub.socket);
  const { payload } = await socket.ask({ method: "get", path: `/consoles/${one}` });
  assertEquals([payload._name, payload._state, payload._id], ["true", "stale", one]);
  await socket.close();
});

Deno.test("a console disconnects no user who does not see it, by losing values or by changing its site", async () => {
  const core = fakeCore();
  const two = idOf(2);
  core.put(one, entry("Studio 1", { site: "Berlin" }));
  core.put(two, entry("hostile", { site: "Vienna", tree: { a: 1, b: 2 } }));
  const admin = { user: { name: "anna", may: "admin" as const }, from: "x" };
  const rights = [{ site: "Berlin", may: "press" as const }];
  const { token } = await core.addUser({ name: "carl", rights }, admin) as { token: string };
  await using hub = await serveHub(core);
  const socket = await openSocket(hub.socket);
  await socket.ask({ method: "auth", token });
  await socket.ask({ method: "subscribe", path: "/consoles" });
  const heard = () => Promise.race([socket.closed, socket.next().then(({ payload }) => payload)]);
  core.put(two, entry("hostile", { site: "Vienna", tree: { a: 1 } }));
  core.put(one, entry("Studio One", { site: "Berlin" }));
  assertEquals(await heard(), { consoles: { [one]: { _name: "Studio One" } } });
  core.put(two, entry("hostile", { site: "Rome", tree: { a: 1 } }));
  core.put(one, entry("Studio 1", { site: "Berlin" }));
  assertEquals(await heard(), { consoles: { [one]: { _name: "Studio 1" } } });
  core.put(two, entry("hostile", { site: "Berlin", tree: { a: 1 } }));
  assertEquals(await socket.closed, 1012);
});

Deno.test("a console that refuses in no form of a refusal harms neither the caller nor the audit trail", async () => {
  const core = fakeCore();
  core.put(one, entry("hostile"));
  await using hub = await serveHub(core);
  const socket = await openSocket(hub.socket);
  await socket.ask({ method: "auth", token: USER_TOKEN });
  const long = "x".repeat(100_000);
  for (
    const [answer, expected] of [
      [{ success: false, error: null }, [1, "the console refused it"]],
      [{ success: false, error: { code: 5, message: { long } } }, [1, "the console refused it"]],
      [{ success: false }, [1, "the console refused it"]],
      [{ success: false, error: { code: 5, message: long } }, [5, long.slice(0, 500)]],
      [{ success: true, error: null, code: 5, message: long }, undefined],
    ] as const
  ) {
    core.answer = () => answer;
    socket.send({ method: "set", path: `/consoles/${one}/x`, payload: 1 });
    const told = await Promise.race([socket.next(), socket.closed.then((code) => ({ code }))]);
    assertEquals(told.error && [told.error.code, told.error.message], expected);
    assertEquals(told.success, expected === undefined);
  }
  const { payload } = await hub.rpc("getaudit", {}, ADMIN_TOKEN);
  const refusals = payload.result.map(({ refused }: { refused: string }) => refused.length);
  assertEquals(refusals, [500, 22, 22, 22]);
  await socket.close();
});

Deno.test("a console that does not answer delays no set of another console", async () => {
  const core = fakeCore("console");
  core.put(one, entry("mute"));
  core.put(idOf(2), entry("well"));
  core.answer = ({ id }) => id === one ? undefined : { payload: 5 };
  await using hub = await serveHub(core);
  const socket = await openSocket(hub.socket);
  socket.send({ msgID: 1, method: "set", path: `/consoles/${one}/x`, payload: 1 });
  const other = await openSocket(hub.socket);
  const path = `/consoles/${idOf(2)}/x`;
  assertEquals((await other.ask({ method: "set", path, payload: 1 })).payload, 5);
  // Sets overlap: the second set is sent while the first has no answer.
  socket.send({ msgID: 2, method: "set", path, payload: 2 });
  await until(() => core.asked.filter(({ id }) => id !== one).length === 2);
  core.cut();
  assertMatch((await socket.next()).error.message, /nobody knows/);
  assertEquals((await socket.next()).payload, 5);
  await socket.close();
  await other.close();
});

Deno.test("a client without a login gets no updates, and no answer names a console", async () => {
  const core = fakeCore();
  core.put(one, entry("Studio 1"));
  await using hub = await serveHub(core);
  const socket = await openSocket(hub.socket);
  for (const method of ["get", "subscribe", "set", "rpc"]) {
    const answer = await socket.ask({
      method,
      path: "/consoles",
      payload: { method: "fleetlist" },
    });
    assertEquals([method, answer.error?.code, JSON.stringify(answer).includes("Studio")], [
      method,
      4,
      false,
    ]);
  }
  assertEquals((await socket.ask({ method: "auth", token: USER_TOKEN })).success, true);
  assertEquals((await socket.ask({ method: "get", path: `/consoles/${one}/_name` })).success, true);
  assertEquals((await socket.ask({ method: "auth", token: "x" })).error?.code, 4);
  assertEquals(
    (await socket.ask({ method: "get", path: "/consoles" })).error?.code,
    4,
    "logged out",
  );
  await socket.close();
});

Deno.test("a WebSocket beyond the maximum of an address is refused until another of that address is closed", async () => {
  await using hub = await serveHub(fakeCore("console"));
  const sockets = [];
  for (let number = 0; number < 100; number++) sockets.push(await openSocket(hub.socket));
  const isRefused = () => openSocket(hub.socket).then((socket) => socket.close(), () => true);
  assertEquals(await isRefused(), true);
  await sockets.pop()!.close();
  let isIn = false;
  while (!isIn) isIn = await isRefused() !== true;
  for (const socket of sockets) await socket.close();
});

Deno.test("a stranger who opens WebSockets without end shuts no user of the same address out, and ends no login", async () => {
  const core = fakeCore();
  core.put(one, entry("One"));
  await using hub = await serveHub(core);
  const ask = { method: "get", path: `/consoles/${one}/_name` };
  const innocent = await openSocket(hub.socket);
  assertEquals((await innocent.ask({ method: "auth", token: ADMIN_TOKEN })).success, true);
  // A client that never logs in, and gives its token with each request.
  const other = await openSocket(hub.socket);
  assertEquals((await other.ask({ ...ask, token: USER_TOKEN })).payload, "One");
  const strangers: Awaited<ReturnType<typeof openSocket>>[] = [];
  const flood = async () => {
    for (let number = 0; number < 110; number++) {
      await openSocket(hub.socket).then((socket) => strangers.push(socket), () => {});
    }
  };
  await flood();
  // While earlier strangers are still being closed, it has to try again.
  let page;
  while (page === undefined) page = await openSocket(hub.socket).catch(() => undefined);
  assertEquals((await page.ask({ method: "auth", token: USER_TOKEN })).success, true);
  await flood();
  for (const socket of [innocent, page]) assertEquals((await socket.ask(ask)).payload, "One");
  assertEquals((await other.ask({ ...ask, token: USER_TOKEN })).payload, "One");
  for (const socket of [innocent, other, page, ...strangers]) await socket.close();
});
