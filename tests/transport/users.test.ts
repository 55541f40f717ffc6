/** The effects of a change of users on open connections, at once (decisions.md, "Users"). */
import { passingTime } from "../timers.ts";
import { assert, assertEquals } from "@std/assert";
import {
  demoWith,
  heldStore,
  type Json,
  startService,
  stillClock,
  type TestService,
  type TestSocket,
  tokens,
  until,
} from "../service.ts";
import { openRaw } from "./raw-socket.ts";

const SERVICE_RESTART = 1012;
const FADER = "/audio/mixers/0/faders/0/fader";

async function loggedIn(service: TestService, token: string): Promise<TestSocket> {
  const socket = await service.open();
  assert((await socket.ask({ method: "auth", token })).success);
  return socket;
}

/**
 * The codes of savesnapshot, which needs a group, and of getuserlist, which needs an admin: they
 * show the rights of a connection.
 */
async function rights(socket: TestSocket): Promise<unknown[]> {
  const saved = await socket.rpc("savesnapshot", { type: 2, id: "", writegroups: 255 });
  const listed = await socket.rpc("getuserlist", {});
  return [saved.error?.code, listed.error?.code];
}

/** A change of the user "one", and the rights of an open connection after it. */
const changes: readonly (readonly [object, readonly unknown[]])[] = [
  [{ groups: 0 }, [5, 5]],
  [{ groups: 2 }, [undefined, 5]],
  [{ admin: true }, [undefined, undefined]],
  [{ groups: 0, admin: true }, [5, undefined]],
  [{ engine: true }, [undefined, 5]],
];

Deno.test("an open connection has the present rights of its user", async () => {
  await using service = await startService();
  const socket = await loggedIn(service, tokens.one);
  const modify = async (change: object) => {
    const before = { name: "one", groups: 1, admin: false, engine: false };
    assertEquals((await service.rpc("modifyuser", { ...before, ...change })).payload.result, {});
  };
  for (const [change, expected] of changes) {
    await modify({});
    assertEquals(await rights(socket), [undefined, 5]);
    await modify(change);
    assertEquals(await rights(socket), expected, JSON.stringify(change));
  }
  assertEquals(service.closedWith, []);
});

Deno.test("an admin who demotes himself loses the rights at once, and stays connected", async () => {
  await using service = await startService();
  await service.rpc("modifyuser", { name: "one", admin: true });
  const socket = await loggedIn(service, tokens.one);
  const demote = { method: "modifyuser", params: { name: "one", admin: false } };
  socket.send({ msgID: 1, method: "rpc", payload: demote });
  socket.send({ msgID: 2, method: "rpc", payload: { method: "getuserlist", params: {} } });
  assertEquals((await socket.next()).payload.result, {});
  assertEquals((await socket.next()).error.code, 5);
});

const ends = [["removeuser", {}], ["modifyuser", { newtoken: true }]] as const;

for (const [method, params] of ends) {
  const call = `${method} ${JSON.stringify(params)}`;

  Deno.test(`${call} closes the connections of the user with 1012, and no others`, async () => {
    await using service = await startService();
    const { admin, one, two } = tokens;
    const own = [await loggedIn(service, one), await loggedIn(service, one)];
    const others = [await loggedIn(service, admin), await loggedIn(service, two)];
    others.push(await service.open());
    // A token in an envelope counts for that envelope alone.
    const lent = await service.open();
    const payload = { method: "getsnapshotlist", params: { type: 2 } };
    assert((await lent.ask({ method: "rpc", token: one, payload })).success);

    assert((await service.rpc(method, { name: "one", ...params })).success);
    for (const socket of own) assertEquals(await socket.closed, SERVICE_RESTART);
    assertEquals(service.closedWith, [SERVICE_RESTART, SERVICE_RESTART]);
    for (const socket of [...others, lent]) {
      assert((await socket.ask({ method: "get", path: "/general" })).success);
    }
    assertEquals((await lent.ask({ method: "auth", token: one })).error.code, 4);
    const over = await service.rpc("getsnapshotlist", { type: 2 }, one);
    assertEquals(over.error.code, 4, "and over HTTP the token is worth nothing");
  });

  Deno.test(`${call} by the user himself is answered, and then closes the connection`, async () => {
    await using service = await startService();
    await service.rpc("modifyuser", { name: "one", admin: true });
    const socket = await loggedIn(service, tokens.one);
    // The close comes after the answers in flight.
    const payload = { method, params: { name: "one", ...params } };
    const requests = [
      { method: "set", path: "/audio/mixers/0/faders/0/on", payload: true },
      { method: "get", path: "/" },
      { method: "rpc", payload },
    ];
    for (const [msgID, request] of requests.entries()) socket.send({ msgID, ...request });
    for (const at of requests.keys()) {
      const { msgID, success } = await socket.next();
      assertEquals([msgID, success], [at, true]);
    }
    assertEquals(await socket.closed, SERVICE_RESTART);
  });

  Deno.test(`${call} that could not be stored closes no connection`, async () => {
    const store = heldStore();
    await using service = await startService({ store, clock: stillClock() });
    const socket = await loggedIn(service, tokens.one);
    store.hold();
    const ending = service.rpc(method, { name: "one", ...params });
    await until(() => store.waiting === 1);
    store.fail("no space left on device");
    assertEquals((await ending).error.code, 12);
    const asked = { method: "rpc", payload: { method: "getuserlist", params: {} } };
    assertEquals((await socket.ask(asked)).error.code, 5, "still the user, who is not an admin");
    assertEquals(service.closedWith, []);
  });

  Deno.test(`${call}: until the connection is closed it has no login`, async () => {
    const { timer: serviceTimer, pass } = passingTime();
    await using service = await startService({ serviceTimer, clock: stillClock() });
    const socket = await loggedIn(service, tokens.one);
    assert((await service.rpc(method, { name: "one", ...params })).success);
    assertEquals(await rights(socket), [4, 4]);
    pass(0);
    assertEquals(await socket.closed, SERVICE_RESTART);
  });
}

Deno.test("a connection with its token in the handshake is closed with its user, too", async () => {
  await using service = await startService();
  const headers = { authorization: `Bearer ${tokens.one}` };
  using socket = await openRaw(`${service.url}/api/ws`, headers);
  const { payload } = await service.rpc("getclientlist", {});
  assertEquals(payload.result.map(({ user }: Json) => user), ["one"]);
  await service.rpc("removeuser", { name: "one" });
  assertEquals(await socket.closeCode(), SERVICE_RESTART);
});

Deno.test("a connection that logs in as another user before it is closed stays open", async () => {
  await using service = await startService();
  const socket = await loggedIn(service, tokens.one);
  await service.rpc("modifyuser", { name: "two", admin: true });
  assert((await socket.ask({ method: "auth", token: tokens.two })).success);
  assert((await service.rpc("removeuser", { name: "one" })).success);
  assertEquals((await rights(socket))[1], undefined);
  assertEquals(service.closedWith, []);
});

Deno.test("with websocket.auth required a removed user gets no more updates", async () => {
  const configuration = demoWith({ websocket: { auth: "required" } });
  await using service = await startService({ configuration, clock: stillClock() });
  const socket = await loggedIn(service, tokens.one);
  assert((await socket.ask({ method: "subscribe", path: "/audio" })).success);
  await service.rpc("removeuser", { name: "one" });
  await service.post({ method: "set", path: "/audio/mixers/0/faders/0/on", payload: true });
  assertEquals(await socket.closed, SERVICE_RESTART);
  assertEquals(socket.untaken, []);
});

Deno.test("of two admins who remove each other over their connections one remains, and the other request is refused", async () => {
  const store = heldStore();
  await using service = await startService({ store, clock: stillClock() });
  await service.rpc("modifyuser", { name: "two", admin: true });
  const admin = await loggedIn(service, tokens.admin);
  const two = await loggedIn(service, tokens.two);
  store.hold();
  const first = admin.rpc("removeuser", { name: "two" });
  await until(() => store.waiting === 1);
  assertEquals((await two.rpc("removeuser", { name: "admin" })).error.code, 4);
  store.store();
  assertEquals((await first).success, true);
  assertEquals(await two.closed, SERVICE_RESTART);
  assertEquals([...service.console.state.users.keys()], ["admin", "one", "none"]);
});

Deno.test("a removed user is logged out of the mixers, and subscribers get that update", async () => {
  await using service = await startService({ clock: stillClock() });
  await fetch(`${service.url}/action/login?ObjectID=1&Token=${tokens.one}`).then((it) => it.json());
  const socket = await service.open();
  await socket.ask({ method: "subscribe", path: "/audio/mixers/1/_user" });
  await service.rpc("removeuser", { name: "one" });
  assertEquals((await socket.next()).payload, { audio: { mixers: { 1: { _user: "" } } } });
});

for (const auth of ["optional", "required"] as const) {
  Deno.test(`a connection whose token expires loses its login at once, and is closed within a second, auth ${auth}`, async () => {
    const clock = stillClock();
    const { timer, pass } = passingTime();
    const configuration = demoWith({ websocket: { auth } });
    await using service = await startService({ clock, serviceTimer: timer, configuration });
    const guest = { name: "guest", groups: 1, admin: false, expires: "1970-01-31" };
    const { token } = (await service.rpc("adduser", guest)).payload.result;
    const acting = await loggedIn(service, token);
    const listening = await loggedIn(service, token);
    const other = await loggedIn(service, tokens.one);
    for (const socket of [acting, listening, other]) {
      assert((await socket.ask({ method: "subscribe", path: FADER })).success);
    }
    clock.tick(Date.UTC(1970, 1, 1) - 1);
    pass(1000);
    assertEquals((await rights(acting))[0], undefined);
    clock.tick(1);
    assertEquals((await rights(acting))[0], 4);
    await service.post({ method: "set", path: FADER, payload: -3 });
    pass(1000);
    assertEquals(await acting.closed, SERVICE_RESTART);
    assertEquals(await listening.closed, SERVICE_RESTART);
    assertEquals(listening.untaken.length, auth === "optional" ? 1 : 0, "what it heard");
    assertEquals((await other.next()).method, "update");
    assertEquals(service.closedWith, [SERVICE_RESTART, SERVICE_RESTART]);
  });
}

Deno.test("a login on a mixer ends within a second after its token expires, and subscribers get that update", async () => {
  const clock = stillClock();
  const { timer, pass } = passingTime();
  await using service = await startService({ clock, serviceTimer: timer });
  const guest = { name: "guest", groups: 1, admin: false, expires: "1970-01-31" };
  const { token } = (await service.rpc("adduser", guest)).payload.result;
  await service.rpc("login", { mixer: 1 }, token);
  const socket = await service.open();
  await socket.ask({ method: "subscribe", path: "/audio/mixers/1" });
  clock.tick(Date.UTC(1970, 1, 1));
  pass(1000);
  assertEquals((await socket.next()).payload, { audio: { mixers: { 1: { _user: "" } } } });
});
