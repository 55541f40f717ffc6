import { assertEquals } from "@std/assert";
import { LOGIN_BYTES, MESSAGE_BYTES, WAITING_BYTES } from "../../../fleet/hub/hub-limits.ts";
import { relay } from "../../../fleet/hub/relayed-socket.ts";
import type { FleetUser } from "../../../fleet/wire.ts";
import { ample } from "../../budgets.ts";
import { type Json, until } from "../../service.ts";
import { expectDone, openHub, type PlayedConsole, playedSocket } from "../open-hub.ts";

const WRONG = "00000000-00000000-00000000-00000000";

/** Opens a WebSocket of a client to a console. */
async function connected(given: { readonly as?: FleetUser; readonly anonymous?: "console" } = {}) {
  const opened = await openHub(given.anonymous === undefined ? {} : { anonymous: given.anonymous });
  const console = await opened.live();
  const client = playedSocket();
  const { hub, timer } = opened;
  const listener = relay(
    { hub, id: console.id, from: "10.0.0.1", user: given.as, timer, quota: ample.sendBuffers },
    client.socket,
  );
  const answers = () => client.sent.map((text) => JSON.parse(text as string) as Json);
  return {
    ...opened,
    console,
    client,
    listener,
    answers,
    say: (message: Json) => listener.receive(JSON.stringify(message)),
  };
}

/** Returns the socket that a console dials for the ticket that it is about to get. */
async function session(console: PlayedConsole, tickets = 1, sent = 1) {
  await until(() => console.frames("open").length === tickets);
  const socket = console.takeTicket();
  await until(() => socket.sent.length >= sent || socket.closedWith !== undefined);
  return socket;
}

Deno.test("a client logs in with a token of the fleet, and the console gets the user but not the token", async () => {
  const { console, say, answers, token } = await connected();
  say({ method: "auth", token, msgID: 7 });
  say({ method: "get", path: "/general", msgID: 8 });
  const socket = await session(console);
  assertEquals(console.frames("open")[0].as, { name: "anna", may: "admin" });
  assertEquals(answers(), [{ msgID: 7, method: "auth", success: true }]);
  assertEquals(socket.sent, [JSON.stringify({ method: "get", path: "/general", msgID: 8 })]);
  socket.listener.receive('{"msgID":8,"success":true}');
  assertEquals(answers().at(-1), { msgID: 8, success: true });
});

Deno.test("a client is a stranger until it has brought the token of a user, by a login or with a request", async () => {
  for (const method of ["auth", "get"]) {
    const { say, answers, listener, token } = await connected();
    say({ method, token: WRONG, path: "/general", msgID: 1 });
    await until(() => answers().length === 1);
    assertEquals([answers()[0]!.success, listener.isStranger()], [false, true]);
    say({ method, token, path: "/general", msgID: 2 });
    await until(() => !listener.isStranger());
  }
  assertEquals(
    (await connected({ as: { name: "anna", may: "admin" } })).listener.isStranger(),
    false,
  );
});

Deno.test("a client that has logged out gets no updates or events, and is the same user after it has logged in again", async () => {
  const { console, say, answers, token } = await connected();
  say({ method: "auth", token, msgID: 1 });
  const socket = await session(console, 1, 0);
  for (const wrong of [{}, { token: "" }, { token: WRONG }]) {
    say({ method: "auth", ...wrong, msgID: 2 });
    await until(() => answers().at(-1)?.msgID === 2);
    assertEquals(answers().at(-1)?.error?.code, 4);
    socket.listener.receive('{"method":"update","payload":{"x":1}}');
    socket.listener.receive('{"method":"event","payload":{"type":"getaccess"}}');
    say({ method: "get", path: "/general", msgID: 3 });
    await until(() => answers().at(-1)?.msgID === 3);
    assertEquals(answers().at(-1)?.error?.code, 4);
    say({ method: "auth", token, msgID: 4 });
    await until(() => answers().at(-1)?.msgID === 4);
    assertEquals(answers().at(-1)?.success, true);
  }
  assertEquals([socket.sent, answers().filter(({ method }) => method !== "auth").length], [[], 3]);
  socket.listener.receive('{"method":"event","payload":{"type":"getaccess"}}');
  assertEquals(answers().at(-1)?.method, "event");
  say({ method: "get", path: "/general", msgID: 5 });
  assertEquals(socket.sent.length, 1);
});

Deno.test("with anonymous console a client who logs in with a token of the console leaves the session of its user of the fleet", async () => {
  const { console, say, token } = await connected({ anonymous: "console" });
  say({ method: "auth", token });
  const own = await session(console, 1, 0);
  say({ method: "auth", token: WRONG });
  const anonymous = await session(console, 2);
  assertEquals("as" in console.frames("open")[1], false);
  assertEquals([own.sent.length, anonymous.sent.length], [0, 1]);
});

Deno.test("without a token of the fleet a client reaches no console", async () => {
  const { console, say, answers } = await connected();
  say({ method: "get", path: "/general", msgID: 1 });
  say({ method: "auth", token: WRONG, msgID: 2 });
  say({ method: "set", token: WRONG, path: "/general", payload: 1, msgID: 3 });
  await until(() => answers().length === 3);
  assertEquals(answers().map(({ msgID, error }) => [msgID, error.code]), [[1, 4], [2, 4], [3, 4]]);
  assertEquals(console.frames("open"), []);
});

Deno.test("with anonymous console a caller without a token of the fleet is passed on, with its token of the console", async () => {
  const { console, say } = await connected({ anonymous: "console" });
  say({ method: "get", path: "/general" });
  const socket = await session(console);
  assertEquals("as" in console.frames("open")[0], false);
  say({ method: "auth", token: WRONG });
  await until(() => socket.sent.length === 2);
  assertEquals(JSON.parse(socket.sent[1] as string), { method: "auth", token: WRONG });
});

Deno.test("a token in a message counts for that message alone, and stays at the hub, also when it is escaped", async () => {
  const { hub, admin, console, say, listener } = await connected({ anonymous: "console" });
  const { token } = expectDone(await hub.addUser({ name: "ben", may: "press" }, admin));
  listener.receive(
    `{"method":"get","path":"/a","\\u0074oken":"${token.replace("-", "\\u002d")}","msgID":1}`,
  );
  const socket = await session(console);
  assertEquals(console.frames("open")[0].as, { name: "ben", may: "press" });
  assertEquals(JSON.parse(socket.sent[0] as string), { method: "get", path: "/a", msgID: 1 });
  say({ method: "get", path: "/b" });
  const other = await session(console, 2);
  assertEquals("as" in console.frames("open")[1], false);
  assertEquals(JSON.parse(other.sent[0] as string), { method: "get", path: "/b" });
});

Deno.test("a client that reads slowly gets the last value of each leaf, and every answer", async () => {
  const { console, say, client, answers, pass } = await connected({
    as: { name: "anna", may: "admin" },
  });
  say({ method: "subscribe", path: "/a" });
  const socket = await session(console);
  client.bufferedAmount = 200_000;
  for (let value = 0; value < 5000; value++) {
    const payload = { a: { x: value, y: { z: -value } } };
    socket.listener.receive(JSON.stringify({ method: "update", payload }));
  }
  socket.listener.receive('{"method":"get","msgID":9,"success":true}');
  assertEquals(answers(), [{ method: "get", msgID: 9, success: true }]);
  client.bufferedAmount = 0;
  pass(50);
  assertEquals(answers().at(-1), {
    method: "update",
    payload: { a: { x: 4999, y: { z: -4999 } } },
  });
  assertEquals(answers().length, 2);
});

/** A lagging client with a session: `ask` sends a request, which the console answers. */
async function lagging() {
  const opened = await connected({ as: { name: "anna", may: "admin" } });
  const { console, say, client, answers, pass } = opened;
  say({ method: "get", path: "/general" });
  const { listener } = await session(console);
  client.bufferedAmount = 200_000;
  return {
    ask(method: "subscribe" | "unsubscribe", path: string) {
      say({ method, path, msgID: 1 });
      listener.receive(JSON.stringify({ msgID: 1, method, path, success: true }));
    },
    update: (payload: Json) => listener.receive(JSON.stringify({ method: "update", payload })),
    /** Reads on, and returns the updates that the client gets. */
    updates() {
      client.bufferedAmount = 0;
      pass(50);
      return answers().filter(({ method }) => method === "update").map(({ payload }) => payload);
    },
  };
}

Deno.test("a client that reads slowly gets one update for each subscribed path, and none for a path that it has unsubscribed", async () => {
  const { ask, update, updates } = await lagging();
  for (const path of ["/a/x/1", "a/y/", "/b", "/c", "/c/z"]) ask("subscribe", path);
  for (let value = 0; value <= 9; value++) {
    update({ a: { x: { 1: { on: value, [value]: value } } } });
    update({ a: { y: value } });
    update({ b: { [value % 2]: value } });
    update({ c: { z: { [value]: value } } });
  }
  for (const path of ["/c/", "/c/z"]) ask("unsubscribe", path);
  const all = Object.fromEntries(Array.from({ length: 10 }, (_, value) => [value, value]));
  assertEquals(updates(), [
    { a: { x: { 1: { on: 9, ...all } } } },
    { a: { y: 9 } },
    { b: { 0: 8, 1: 9 } },
  ]);
});

Deno.test("a client that reads slowly gets the last value of each leaf, also while subscriptions above and below it begin and end", async () => {
  const { ask, update, updates } = await lagging();
  ask("subscribe", "/a/b");
  update({ a: { b: { x: 1 } } });
  ask("subscribe", "/a");
  for (const value of [2, 3]) {
    update({ a: { b: { x: value }, c: value } });
    update({ a: { b: { x: value } } });
  }
  ask("unsubscribe", "/a");
  update({ a: { b: { x: 4 } } });
  ask("subscribe", "/");
  update({ a: { b: { x: 5 } } });
  ask("unsubscribe", "/");
  update({ a: { b: { x: 6 } } });
  assertEquals((updates().at(-1) as Json).a.b.x, 6);
});

Deno.test("a client that reads nothing is closed, and its session ends", async () => {
  const { console, say, client } = await connected({ as: { name: "anna", may: "admin" } });
  say({ method: "subscribe", path: "/a" });
  const socket = await session(console);
  const answer = JSON.stringify({ method: "get", payload: "x".repeat(100_000) });
  for (let index = 0; index < 20; index++) {
    client.bufferedAmount += answer.length;
    socket.listener.receive(answer);
  }
  assertEquals(client.closedWith, 1013);
  assertEquals(socket.closedWith, 1000);
  assertEquals(client.sent.length < 15, true);
});

Deno.test("a console that floods its session with a user is cut off, also on a new session, and another user's goes on", async () => {
  const { hub, pass, admin, live } = await openHub();
  expectDone(await hub.addUser({ name: "ben", may: "admin" }, admin));
  const console = await live();
  const heard = { anna: 0, ben: 0 };
  const open = async (name: "anna" | "ben") => {
    const opens = console.frames("open").length;
    const opening = hub.session(console.id, { name, may: "admin" }, "10.0.0.1", {
      receive: () => void heard[name]++,
      closed() {},
    });
    await until(() => console.frames("open").length > opens);
    const socket = console.takeTicket();
    expectDone(await opening);
    return socket;
  };
  const update = "x".repeat(1024 * 1024);
  const flooding = await open("anna");
  const honest = await open("ben");
  for (let count = 0; count < 1000; count++) flooding.listener.receive(update);
  assertEquals([flooding.closedWith, heard.anna < 70], [1013, true]);
  const before = heard.anna;
  flooding.listener.receive("{}");
  const again = await open("anna");
  for (let count = 0; count < 10; count++) again.listener.receive(update);
  assertEquals([again.closedWith, heard.anna - before < 2], [1013, true]);
  honest.listener.receive(update);
  assertEquals([honest.closedWith, heard.ben], [undefined, 1]);
  pass(1000);
  (await open("anna")).listener.receive(update);
  assertEquals(heard.anna > before, true);
});

Deno.test("a client that sends more than WAITING_BYTES to a slow console is closed", async () => {
  const { console, say, client } = await connected({ as: { name: "anna", may: "admin" } });
  say({ method: "get", path: "/a" });
  const socket = await session(console);
  const padding = "x".repeat(WAITING_BYTES / 4);
  for (let index = 0; index < 8 && client.closedWith === undefined; index++) {
    say({ method: "get", path: padding });
    socket.bufferedAmount += padding.length;
  }
  assertEquals(client.closedWith, 1013);
});

Deno.test("a client that sends more than WAITING_BYTES before its session is open is closed", async () => {
  const { client, say } = await connected({ as: { name: "anna", may: "admin" } });
  for (let index = 0; index < 8; index++) {
    say({ method: "get", path: "x".repeat(WAITING_BYTES / 4) });
  }
  assertEquals(client.closedWith, 1013);
});

Deno.test("a message over the limit closes the client, a binary message is answered with error 1", async () => {
  const { client, listener, answers } = await connected({ as: { name: "anna", may: "admin" } });
  listener.receive(new ArrayBuffer(1));
  assertEquals(answers()[0].error.code, 1);
  listener.receive("x".repeat(MESSAGE_BYTES + 1));
  assertEquals(client.closedWith, 1009);
});

Deno.test("a message over LOGIN_BYTES closes a client without a login, but not a user", async () => {
  const stranger = await connected();
  stranger.listener.receive(`[${" ".repeat(LOGIN_BYTES)}]`);
  assertEquals(stranger.client.closedWith, 1009);
  const { say, console, client } = await connected({ as: { name: "anna", may: "admin" } });
  say({ method: "set", path: "/a", payload: " ".repeat(LOGIN_BYTES) });
  await session(console);
  assertEquals(client.closedWith, undefined);
});

Deno.test("a message of more than 25000 values is refused to a client without a login, but not to a user", async () => {
  const values = [...new Uint8Array(30_000)];
  const stranger = await connected({ anonymous: "console" });
  stranger.say({ method: "set", path: "/a", payload: { token: values } });
  await until(() => stranger.client.sent.length > 0);
  assertEquals(stranger.answers()[0].error.message, "the message has more than 25000 values");
  const { say, console } = await connected({ as: { name: "anna", may: "admin" } });
  say({ method: "set", path: "/a", payload: { token: values } });
  const socket = await session(console);
  assertEquals(JSON.parse(socket.sent[0] as string).payload.token.length, 30_000);
});

Deno.test("the connection of a removed user is closed at once", async () => {
  const { hub, admin, console, say, client } = await connected({
    as: { name: "ben", may: "view" },
  });
  say({ method: "get", path: "/a" });
  await until(() => client.closedWith !== undefined);
  assertEquals(client.closedWith, 4503, "there is no such user yet");

  const { token } = expectDone(await hub.addUser({ name: "ben", may: "operate" }, admin));
  const second = playedSocket();
  const opened = await hub.authenticate(token, "x");
  const user = "name" in opened ? opened : undefined;
  const { timer } = await openHub();
  const listener = relay(
    { hub, id: console.id, from: "x", user, timer, quota: ample.sendBuffers },
    second.socket,
  );
  listener.receive('{"method":"get","path":"/a"}');
  const socket = await session(console);
  assertEquals(second.closedWith, undefined);
  await hub.removeUser("ben", admin);
  assertEquals(second.closedWith, 1012);
  assertEquals(socket.closedWith, 1012);
});

Deno.test("a client of a console that is not live is closed with a code that makes it try again", async () => {
  const { client, say, pass } = await connected({ as: { name: "anna", may: "admin" } });
  pass(4000);
  say({ method: "get", path: "/a" });
  await until(() => client.closedWith !== undefined);
  assertEquals(client.closedWith, 4503);
});

for (
  const [code, expected] of [[4012, 1012], [4001, 1001], [1006, 4503], [1005, 4503], [1000, 1000]]
) {
  Deno.test(`a session that a console closes with ${code} closes the client with ${expected}`, async () => {
    const { console, say, client } = await connected({ as: { name: "anna", may: "admin" } });
    say({ method: "get", path: "/a" });
    const socket = await session(console);
    socket.listener.closed(code!, "why");
    assertEquals(client.closedWith, expected);
  });
}

Deno.test("the end of a client's connection ends its session on the console", async () => {
  const { console, say, listener } = await connected({ as: { name: "anna", may: "admin" } });
  say({ method: "get", path: "/a" });
  const socket = await session(console);
  listener.closed();
  assertEquals(socket.closedWith, 1000);
});

Deno.test("an invalid update closes the lagging client, and not the console", async () => {
  const { console, say, client, state } = await connected({ as: { name: "anna", may: "admin" } });
  say({ method: "subscribe", path: "/a" });
  const socket = await session(console);
  client.bufferedAmount = 200_000;
  socket.listener.receive(`{"method":"update","payload":${"[".repeat(5000)}`);
  assertEquals(client.closedWith, 1011);
  assertEquals(state(console.id), "live");
});
