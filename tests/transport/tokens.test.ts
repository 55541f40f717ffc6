/** A token is checked in the same way on every interface. */
import { assertEquals } from "@std/assert";
import { addUser, removeUser } from "../../core/users/adduser.ts";
import { listUsers } from "../../core/users/getuserlist.ts";
import { modifyUser } from "../../core/users/modifyuser.ts";
import { createWrongTokens } from "../../transport/wrong-tokens.ts";
import { granted } from "../core/actors.ts";
import { packed, restoredFrom } from "../core/backup/archives.ts";
import { passingTime } from "../timers.ts";
import {
  act,
  type Json,
  result,
  startService,
  stillClock,
  type TestService,
  tokens,
  until,
} from "../service.ts";
import { openRaw } from "./raw-socket.ts";

const wrong = "eeeeeeee-00000000-00000000-00000009";
const FADER = "/audio/mixers/0/faders/0/fader";

/** Sends a request with a token; returns whether the token was accepted. */
type Way = (service: TestService, token: string) => Promise<boolean>;

async function overSocket(service: TestService, message: object): Promise<boolean> {
  const socket = await service.open();
  return (await socket.ask(message)).success;
}

async function handshake({ url }: TestService, token: string): Promise<boolean> {
  using raw = await openRaw(`${url}/api/ws?token=${token}`);
  return raw.status === 101;
}

const ways: Readonly<Record<string, Way>> = {
  "a REST action": async (service, Token) =>
    (await act(service, "setgloballabel", { ObjectID: 1, Name: "A", Token })).json.Error ===
      undefined,
  "a REST action that needs a token": async (service, Token) =>
    (await act(service, "login", { ObjectID: 0, Token })).json.Error === undefined,
  "POST /api/rest": async (service, token) =>
    (await service.post({ method: "get", path: FADER, token })).success,
  "auth by POST /api/rest": async (service, token) =>
    (await service.post({ method: "auth", token })).success,
  "GET /api/rest": async ({ url }, token) => {
    const response = await fetch(`${url}/api/rest${FADER}?token=${token}`);
    await response.body?.cancel();
    return response.status === 200;
  },
  "a picture": async ({ url }, token) => {
    const response = await fetch(`${url}/pictures/1?token=${token}`);
    await response.body?.cancel();
    return response.status !== 401;
  },
  "the handshake of a WebSocket": handshake,
  "auth over a WebSocket": (service, token) => overSocket(service, { method: "auth", token }),
  "a message over a WebSocket": (service, token) =>
    overSocket(service, { method: "set", path: FADER, payload: -3, token }),
};

/** Counts the wrong tokens, and delays the answer to each by a time in ms. */
function delayedBy(delay: number) {
  const wrongTokens = { counted: 0, count: () => (wrongTokens.counted++, delay) };
  return wrongTokens;
}

for (const [name, ask] of Object.entries(ways)) {
  Deno.test(`${name}: after many wrong tokens the answer to a wrong one is delayed, that to a right one never is`, async () => {
    const { timer, pass } = passingTime();
    const wrongTokens = delayedBy(5000);
    await using service = await startService({ wrongTokens, serviceTimer: timer });
    let answered: boolean | undefined;
    const asked = ask(service, wrong).then((taken) => answered = taken);
    await until(() => wrongTokens.counted === 1);
    assertEquals(await ask(service, tokens.admin), true);
    pass(4999);
    assertEquals(await ask(service, tokens.one), true);
    assertEquals(answered, undefined);
    pass(1);
    assertEquals(await asked, false);
    assertEquals(wrongTokens.counted, 1, "one token is counted once");
  });

  Deno.test(`${name}: lastused shows the use of a token`, async () => {
    const clock = stillClock();
    await using service = await startService({ clock });
    await result(service.console, modifyUser({ name: "one", expires: null, may: "configure" }));
    clock.tick(Date.UTC(2026, 9, 2, 7, 30));
    const { token } = await result(
      service.console,
      addUser({ name: "guest", groups: 1, admin: false }),
    );
    const lastused = () =>
      listUsers(service.console.state).find((user) => user.name === "guest")!.lastused;
    assertEquals(lastused(), null);
    await ask(service, wrong);
    assertEquals(lastused(), null);
    await ask(service, token);
    await until(() => lastused() === "2026-10-02T07:30:00.000Z");
  });
}

// Each way has its tokens judged by transport/tokens.ts, as the tests above show: so one is enough.
Deno.test("an expired token is refused, and counted, as a wrong one", async () => {
  const clock = stillClock();
  const wrongTokens = delayedBy(0);
  await using service = await startService({ clock, wrongTokens });
  const guest = { name: "guest", groups: 1, admin: false, expires: "1970-01-31" };
  const { token } = await result(service.console, addUser(guest));
  const ask = ways["POST /api/rest"]!;
  assertEquals([await ask(service, token), wrongTokens.counted], [true, 0]);
  clock.tick(Date.UTC(1970, 1, 1));
  assertEquals([await ask(service, token), wrongTokens.counted], [false, 1]);
});

Deno.test("requests on a logged-in connection count as uses of its token", async () => {
  const clock = stillClock();
  const { timer, pass } = passingTime();
  await using service = await startService({ clock, serviceTimer: timer });
  const socket = await service.open();
  await socket.ask({ method: "auth", token: tokens.one });
  clock.tick(7_200_000);
  pass(7_200_000);
  await socket.ask({ method: "get", path: FADER });
  const one = () => listUsers(service.console.state).find(({ name }) => name === "one")!.lastused;
  await until(() => one() === "1970-01-01T02:00:00.000Z");
});

Deno.test("a token that is used again after a restore of USERS, or by a user added anew, has its last use again", async () => {
  const clock = stillClock();
  await using service = await startService({ clock });
  const { console } = service;
  const archive = await packed(console.state, ["USERS"]);
  clock.tick(Date.UTC(2026, 9, 2, 7, 30));
  const one = () => listUsers(console.state).find(({ name }) => name === "one")!.lastused;
  const use = () => service.rpc("getuser", {}, tokens.one);
  await use();
  await until(() => one() === "2026-10-02T07:30:00.000Z");
  granted(await restoredFrom(console, archive, "USERS"));
  assertEquals(one(), null);
  clock.tick(60_000);
  await use();
  await until(() => one() === "2026-10-02T07:31:00.000Z");
  await result(console, removeUser("one"));
  await result(console, addUser({ name: "one", groups: 1, admin: false, token: tokens.one }));
  assertEquals(one(), null);
  await use();
  await until(() => one() === "2026-10-02T07:31:00.000Z");
});

Deno.test("over a WebSocket the requests behind a delayed answer wait, and other connections do not", async () => {
  const { timer, pass } = passingTime();
  const wrongTokens = delayedBy(250);
  await using service = await startService({ wrongTokens, serviceTimer: timer });
  const socket = await service.open();
  const set = (msgID: number, payload: number, token?: string) => ({
    method: "set",
    msgID,
    path: FADER,
    payload,
    ...(token === undefined ? {} : { token }),
  });
  socket.send(set(1, -1, wrong));
  socket.send(set(2, -2, wrong));
  socket.send(set(3, -3));
  await until(() => wrongTokens.counted === 1);
  const other = await service.open();
  assertEquals((await other.ask({ method: "get", path: FADER })).payload, -160);
  assertEquals(
    [wrongTokens.counted, socket.untaken],
    [1, []],
    "the second wrong one is not looked at yet",
  );
  pass(250);
  assertEquals((await socket.next()).error.code, 4);
  await until(() => wrongTokens.counted === 2);
  pass(250);
  const [second, third]: Json[] = [await socket.next(), await socket.next()];
  assertEquals([second.msgID, second.error.code, third.msgID, third.success], [2, 4, 3, true]);
});

Deno.test("answers to many wrong tokens are delayed more and more; their number is reported, but no token", async () => {
  const { timer, pass } = passingTime();
  const said: unknown[] = [];
  const wrongTokens = createWrongTokens((...what) => void said.push(what));
  await using service = await startService({ wrongTokens, serviceTimer: timer });
  const ask = (token: string) => service.post({ method: "auth", token });
  for (let at = 0; at < 10; at++) assertEquals((await ask(wrong)).error.code, 4);
  assertEquals(said, []);
  let answered = 0;
  const late = [ask(wrong), ask(wrong)].map((asked) => asked.finally(() => answered++));
  await until(() => said.length === 1);
  assertEquals(said, [["127.0.0.1", 11]]);
  assertEquals([(await ask(tokens.admin)).success, answered], [true, 0]);
  pass(250);
  await until(() => answered === 1);
  pass(250);
  const codes = (await Promise.all(late)).map(({ error }) => error.code);
  assertEquals(codes, [4, 4]);
});

Deno.test("a client that disconnects before a delayed answer is not listed any more", async () => {
  const { timer, pass } = passingTime();
  const wrongTokens = delayedBy(5000);
  await using service = await startService({ wrongTokens, serviceTimer: timer });
  const socket = await service.open();
  socket.send({ method: "auth", token: wrong });
  await until(() => wrongTokens.counted === 1);
  await socket.close();
  pass(5000);
  const clients = async () => (await service.rpc("getclientlist", {})).payload.result;
  assertEquals(await clients(), []);
});
