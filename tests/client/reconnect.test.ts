/** A lost connection is opened again, with growing waits, and its subscriptions with it. */
import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import { connect, RequestError, type StateChange } from "../../client/client.ts";
import type { Json } from "../service.ts";
import { errorOf, openedDesk, simulatedDesk, simulatedSockets } from "./simulated-sockets.ts";

const MINUTE_MS = 60_000;

Deno.test("attempts to connect come at growing intervals, from 0.25 s to 10 s", () => {
  const { sockets, last, pass } = simulatedDesk();
  const waits: number[] = [];
  for (let attempt = 1; attempt <= 8; attempt++) {
    last().drop();
    let ms = 0;
    for (; sockets.length === attempt; ms += 50) pass(50);
    waits.push(ms);
  }
  assertEquals(waits, [250, 500, 1000, 2000, 4000, 8000, 10_000, 10_000]);
});

Deno.test("a socket that fails with an error event and no close event is opened again", () => {
  const { desk, last, sockets, pass } = openedDesk();
  const states: StateChange[] = [];
  desk.onState((change) => states.push(change));
  last().drop(1001);
  const waits: number[] = [];
  for (let attempt = 2; attempt <= 4; attempt++) {
    let ms = 0;
    for (; sockets.length < attempt; ms += 50) pass(50);
    waits.push(ms);
    last().fail("connect ECONNREFUSED 127.0.0.1:8080");
    last().drop(); // as most runtimes say, too
  }
  assertEquals(waits, [250, 500, 1000]);
  const reason = "the console could not be reached: connect ECONNREFUSED 127.0.0.1:8080";
  assertEquals(states.slice(1), Array(3).fill({ state: "lost", reason, code: 1006 }));
  pass(2000);
  last().open();
  assertEquals(desk.state, "open");
});

Deno.test("after an error event of an open connection its close event gives the code", () => {
  const { desk, last } = openedDesk();
  last().fail("Connection reset");
  assertEquals(desk.state, "open");
  const states: StateChange[] = [];
  desk.onState((change) => states.push(change));
  last().drop(1013, "too many");
  const reason = "the connection was closed, with code 1013: too many";
  assertEquals(states, [{ state: "lost", reason, code: 1013 }]);
});

Deno.test("a connection for whose end the runtime gives the code 0 has the code 1006", () => {
  const { desk, last } = openedDesk();
  const codes: unknown[] = [];
  desk.onState(({ code }) => codes.push(code));
  last().drop(0);
  assertEquals(codes, [1006]);
});

Deno.test("nothing is sent on a closing socket, and a request then fails with the reason of the close", async () => {
  const { desk, last } = openedDesk();
  last().fail();
  last().sent.splice(0);
  const fault = errorOf(desk.get("/general/_uptime"));
  assertEquals(last().sent, []);
  last().drop(1001);
  assertEquals((await fault).code, "lost");
});

Deno.test("ready rejects when an attempt fails, with the address and the reason", async () => {
  const { desk, last, pass } = simulatedDesk();
  const reasons: string[] = [];
  const failures = [
    () => last().fail("connect ECONNREFUSED 127.0.0.1:8080"),
    () => last().fail(),
    () => last().drop(1013, "there are 1000 connections already"),
  ];
  for (const fail of failures) {
    const ready = assertRejects(() => desk.ready(), RequestError);
    fail();
    const { code, message } = await ready;
    assertEquals([code, desk.state], ["lost", "connecting"]);
    reasons.push(message);
    pass(10_000);
  }
  assertEquals(reasons, [
    "no connection to ws://desk/api/ws: the console could not be reached: connect ECONNREFUSED 127.0.0.1:8080",
    "no connection to ws://desk/api/ws: the console could not be reached",
    "no connection to ws://desk/api/ws: the connection was closed, with code 1013: there are 1000 connections already",
  ]);
  const ready = desk.ready();
  last().open();
  await ready;
});

Deno.test("in a runtime without WebSocket, connect names the package that provides one", () => {
  const { WebSocket } = globalThis;
  try {
    Reflect.deleteProperty(globalThis, "WebSocket");
    const sentence =
      'there is no WebSocket here: in Node before version 22 set globalThis.WebSocket to that of the package "ws"';
    assertThrows(() => connect("ws://desk/api/ws"), TypeError, sentence);
  } finally {
    Object.assign(globalThis, { WebSocket });
  }
});

Deno.test("a random factor of 0.5 to 1 shortens each wait, so that clients do not all come back at once", () => {
  const { sockets, last, pass } = simulatedDesk({ random: 0 });
  last().drop();
  pass(124);
  assertEquals(sockets.length, 1);
  pass(1);
  assertEquals(sockets.length, 2);
});

Deno.test("the event online makes an attempt at once", () => {
  const { sockets, last, goOnline, pass } = simulatedDesk();
  for (let attempt = 1; attempt <= 6; attempt++) {
    last().drop();
    pass(10_000);
  }
  last().drop();
  const before = sockets.length;
  goOnline();
  assertEquals(sockets.length, before + 1);
  goOnline(); // makes no second attempt while the first is under way
  pass(9999);
  assertEquals(sockets.length, before + 1);
});

Deno.test("a connection that is lost within ten seconds counts as one more failed attempt", () => {
  const { desk, last, sockets, pass, ...rest } = openedDesk();
  // As over limits.connections: the handshake is done, and the connection closed with 1013.
  for (let second = 0; second < 60; second++) {
    if (!last().isClosed) {
      last().open();
      last().drop(1013, "there are 1000 connections already");
    }
    pass(1000);
  }
  assertEquals(sockets.length, 11);
  assertEquals(desk.state, "lost");
  pass(10_000);
  last().open();
  for (let second = 0; second < 10; second++) {
    pass(1000);
    last().answer(() => ({ payload: 0 }));
  }
  const before = sockets.length;
  last().drop();
  pass(250);
  assertEquals(sockets.length, before + 1, "one that lasted begins anew");
  assertEquals(rest.pending(), 1);
});

Deno.test("a refused token is not sent again", async () => {
  const { world, sockets, last, pass, goOnline, pending } = simulatedSockets();
  const states: StateChange[] = [];
  await using desk = connect("ws://desk/api/ws", { world, token: "wrong" });
  desk.onState((change) => states.push(change));
  const ready = errorOf(desk.ready());
  const watched = errorOf(desk.watch("/general"));
  last().open();
  const error = { code: 4, message: "the token is not known" };
  const asked = last().answer(() => ({ success: false, error }));
  assertEquals(asked, [{ msgID: 1, method: "auth", token: "wrong" }]);
  assertEquals([desk.state, last().isClosed], ["refused", true]);
  assertEquals(states, [{ state: "refused", reason: "the token is not known" }]);
  pass(MINUTE_MS);
  goOnline();
  assertEquals([sockets.length, pending()], [1, 0]);
  for (const failed of [ready, watched, errorOf(desk.get("/general")), errorOf(desk.ready())]) {
    const { code, message } = await failed;
    assertEquals([code, message], [4, "the token is not known"]);
  }
});

Deno.test("an empty token counts as none", () => {
  const { desk, last } = simulatedDesk({ token: "" });
  last().open();
  assertEquals([desk.state, last().sent], ["open", []]);
});

Deno.test("a login that fails for another reason is tried again", () => {
  const { desk, sockets, last, pass } = simulatedDesk({ token: "good" });
  last().open();
  const error = { code: 11, message: "too many" };
  last().answer(() => ({ success: false, error }));
  assertEquals(desk.state, "connecting");
  pass(250);
  assertEquals(sockets.length, 2);
  last().open();
  last().answer(() => ({}));
  assertEquals(desk.state, "open");
});

Deno.test("nothing is sent before the login is answered", async () => {
  const { desk, last } = simulatedDesk({ token: "good" });
  desk.subscribe("/general", { whole() {}, change() {}, ended() {} });
  last().open();
  assertEquals(last().sent.map(({ method }) => method), ["auth"]);
  const early = await assertRejects(() => desk.get("/general"), RequestError);
  assertEquals(early.message, "no connection to ws://desk/api/ws: nothing was sent");
  last().answer(() => ({}));
  assertEquals(last().sent.map(({ method }) => method), ["subscribe", "get"]);
});

Deno.test("when the connection is lost, requests without an answer are rejected, and not sent again", async () => {
  const { desk, last, pass } = openedDesk();
  const set = errorOf(desk.set("/audio/mixers/0/faders/0/fader", -10));
  const rpc = errorOf(desk.rpc("fadetovalue", { fader: 1, time: 2, value: 0 }));
  last().drop();
  const unknown = "came: nobody knows whether it was carried out";
  const sentences = [
    `the connection was lost before the answer to set /audio/mixers/0/faders/0/fader ${unknown}`,
    `the connection was lost before the answer to fadetovalue ${unknown}`,
  ];
  for (const [index, failed] of [set, rpc].entries()) {
    const { code, message } = await failed;
    assertEquals([code, message], ["lost", sentences[index]]);
  }
  pass(250);
  last().open();
  assertEquals(last().sent, []);
});

Deno.test("after a lost connection a subscriber gets the whole value again, then each change", () => {
  const { desk, last, pass } = openedDesk();
  const told: unknown[] = [];
  const stop = desk.subscribe("audio/pots/1/", {
    whole: (value) => told.push({ value }),
    change: (change) => told.push({ change }),
    ended: (error) => told.push(error),
  });
  const update = (value: number) =>
    last().say({ method: "update", payload: { audio: { pots: { 1: { value } } } } });
  const subscribed = [
    { msgID: 1, method: "subscribe", path: "/audio/pots/1" },
    { msgID: 2, method: "get", path: "/audio/pots/1" },
  ];
  update(-5); // older than what is asked for
  assertEquals(last().answer(() => ({ payload: { value: -4, _name: "x" } })), subscribed);
  update(-3);
  last().drop();
  pass(250);
  last().open();
  update(-2);
  const again = last().answer(() => ({ payload: { value: -1, _name: "x" } }));
  assertEquals(again.map(({ method, path }) => `${method} ${path}`), [
    "subscribe /audio/pots/1",
    "get /audio/pots/1",
  ]);
  update(0);
  assertEquals(told, [
    { value: { value: -4, _name: "x" } },
    { change: { value: -3 } },
    { value: { value: -1, _name: "x" } },
    { change: { value: 0 } },
  ]);
  stop();
  assertEquals(last().sent.map(({ method }) => method), ["unsubscribe"]);
  update(1);
  assertEquals(told.length, 4);
});

Deno.test("a silent console is asked for its uptime, and its connection counts as lost if it does not answer", async () => {
  const { desk, last, pass, sockets } = openedDesk();
  pass(5000);
  assertEquals(last().sent, []);
  pass(5000);
  const asked = last().answer(() => ({ payload: 10 }));
  assertEquals(asked, [{ msgID: 1, method: "get", path: "/general/_uptime" }]);
  const states: StateChange[] = [];
  desk.onState((change) => states.push(change));
  const get = errorOf(desk.get("/general"));
  pass(19_999);
  assertEquals(desk.state, "open");
  pass(1);
  assertEquals(states, [{ state: "lost", reason: "nothing came from the console for 15 s" }]);
  assertEquals((await get).code, "lost");
  assertEquals(sockets[0]!.isClosed, true);
  pass(250);
  assertEquals(sockets.length, 2);
});

Deno.test("an answer that takes 25 s to arrive comes on the second connection", async () => {
  const { desk, last, pass, sockets } = openedDesk();
  const watched = desk.watch("/audio/mixers/0/_name");
  pass(20_000);
  assertEquals([desk.state, sockets[0]!.isClosed], ["lost", true]);
  pass(250);
  last().open();
  pass(25_000);
  assertEquals([desk.state, sockets.length], ["open", 2]);
  last().answer(() => ({ payload: "On Air" }));
  assertEquals((await watched).value, "On Air");
});

Deno.test("each connection that is lost by silence doubles the silence that the next may have, up to 60 s", () => {
  const { desk, last, pass } = openedDesk();
  const reasons: string[] = [];
  desk.onState(({ state, reason }) => state === "lost" && reasons.push(reason));
  const lostAfter = () => {
    const own = last();
    let ms = 0;
    for (; !own.isClosed; ms += 250) pass(250);
    return ms;
  };
  const lives = [lostAfter()];
  for (let connection = 2; connection <= 4; connection++) {
    pass(250);
    last().open();
    lives.push(lostAfter());
  }
  assertEquals(lives, [20_000, 35_000, 65_000, 65_000]);
  pass(250);
  assertEquals(lostAfter(), 20_000, "a handshake has as little time as ever");
  const seconds = [15, 30, 60, 60, 15];
  assertEquals(reasons, seconds.map((s) => `nothing came from the console for ${s} s`));
});

Deno.test("a connection that lasts a minute and has all its answers is lost after 15 s of silence again", () => {
  const { desk, last, pass } = openedDesk();
  desk.subscribe("/audio/mixers/0", { whole() {}, change() {}, ended() {} });
  const answerAll = () => last().answer(({ method }) => method === "get" ? { payload: {} } : {});
  const live = (seconds: number, act: () => void) => {
    for (let second = 0; second < seconds; second += 5) {
      pass(5000);
      act();
    }
  };
  pass(20_250);
  last().open();
  // Updates are signs of life, but the first answer is still on its way.
  live(90, () => last().say({ method: "update", payload: {} }));
  pass(29_999);
  assertEquals(desk.state, "open");
  answerAll();
  live(60, answerAll);
  pass(14_999);
  assertEquals(desk.state, "open");
  pass(5001);
  assertEquals(desk.state, "lost");
});

Deno.test("a handshake without an answer is given up after a time", () => {
  const { desk, last, sockets, pass } = simulatedDesk();
  pass(20_000);
  assertEquals([sockets[0]!.isClosed, sockets.length], [true, 1]);
  pass(250);
  assertEquals(sockets.length, 2);
  last().open();
  assertEquals(desk.state, "open");
});

/** Data that is not a message of the protocol. */
const malformed: Readonly<Record<string, unknown>> = {
  "a message that is not JSON": "{",
  "a message that is not an object": [1],
  "a message that is not text": undefined,
  "an update without a payload": { method: "update" },
  "an event without a payload": { method: "event", payload: 1 },
  "an answer without success": { msgID: 1, method: "get", payload: 1 },
  "a refusal without a code": { msgID: 1, success: false, error: { message: "no" } },
  "an answer to get without a value": { msgID: 1, method: "get", success: true },
};

for (const [what, message] of Object.entries(malformed)) {
  Deno.test(`${what} ends the connection`, async () => {
    const { desk: _, last, pass, sockets } = openedDesk();
    await using desk = _;
    const get = errorOf(desk.get("/general/_uptime"));
    last().say(message);
    assertEquals((await get).code, "lost");
    assertEquals([desk.state, last().isClosed], ["lost", true]);
    pass(250);
    assertEquals(sockets.length, 2);
  });
}

Deno.test("messages of an unknown method or msgID are ignored", async () => {
  const { desk, last } = openedDesk();
  last().say({ method: "news", payload: 1 });
  last().say({ msgID: 99, method: "get", payload: 1, success: true });
  const get = desk.get("/general/_uptime");
  last().answer(() => ({ payload: 7 }));
  assertEquals(await get, 7);
});

Deno.test("answers are matched to requests by their msgID, in any order", async () => {
  const { desk, last } = openedDesk();
  const values = Promise.all([desk.get("/a"), desk.get("/b"), desk.get("/c")]);
  for (const { msgID, path } of last().sent.splice(0).reverse()) {
    last().say({ msgID, method: "get", payload: path, success: true });
  }
  assertEquals(await values, ["/a", "/b", "/c"]);
});

Deno.test("a refusal without a msgID rejects the oldest request without an answer", async () => {
  const { desk, last } = openedDesk();
  const large = errorOf(desk.set("/audio", {}));
  const small = desk.get("/general/_uptime");
  const [, second] = last().sent.splice(0);
  const error = { code: 1, message: "the message has more than 25000 values" };
  last().say({ method: null, success: false, error });
  last().say({ msgID: second.msgID, method: "get", payload: 3, success: true });
  assertEquals((await large).message, error.message);
  assertEquals(await small, 3);
});

Deno.test("a value that JSON cannot have is refused at the call, and takes no answer of a later request", async () => {
  const { desk, last } = openedDesk();
  await assertRejects(() => desk.set("/audio/pots/1/value", 1n as unknown as number), TypeError);
  const large = errorOf(desk.set("/audio", {}));
  assertEquals(last().sent.splice(0).length, 1);
  const error = { code: 1, message: "the message has more than 25000 values" };
  last().say({ method: null, success: false, error });
  assertEquals((await large).message, error.message);
});

Deno.test("a refused subscription ends, and is not made again", async () => {
  const { desk, last, pass } = openedDesk();
  const watched = errorOf(desk.watch("/nowhere"));
  const error = { code: 6, message: "no such path: /nowhere" };
  last().answer(() => ({ success: false, error }));
  assertEquals((await watched).code, 6);
  last().drop();
  pass(250);
  last().open();
  assertEquals(last().sent, []);
});

Deno.test("if the get of a subscription is refused, its subscriber ends, and earlier subscribers of the path go on", () => {
  const { desk, last } = openedDesk();
  const told: unknown[] = [];
  const subscribe = (interval: number) => {
    const ended = (error: RequestError) => told.push(`ended: ${error.message}`);
    const whole = (value: unknown) => told.push(value);
    desk.subscribe("/audio/levels", { whole, change() {}, ended }, { interval });
  };
  const error = { code: 11, message: "too much" };
  const refuseGet = ({ method }: Json) => method === "get" ? { success: false, error } : {};
  subscribe(250);
  last().answer(refuseGet);
  assertEquals(last().sent.map(({ method, path }) => `${method} ${path}`), [
    "unsubscribe /audio/levels",
  ]);
  last().answer(() => ({}));
  subscribe(250);
  last().answer(() => ({ payload: 1 }));
  subscribe(40);
  last().answer(refuseGet);
  assertEquals(last().sent, [
    { msgID: 8, method: "subscribe", path: "/audio/levels", interval: 250 },
  ]);
  assertEquals(told, ["ended: too much", 1, "ended: too much"]);
});

Deno.test("a late answer to a subscriber that has left is not for the next subscriber of the path", () => {
  const { desk, last } = openedDesk();
  const told: unknown[] = [];
  const subscribe = (name: string, interval: number) =>
    desk.subscribe("/audio/pots/1/value", {
      whole: (value) => told.push(`${name}: ${value}`),
      change: (value) => told.push(`${name}: ${value}`),
      ended: (error) => told.push(`${name} ended: ${error.message}`),
    }, { interval });
  const refused = { success: false, error: { code: 3, message: "interval: too short" } };
  const rows = [
    ["value", { payload: -160 }],
    ["refusal", refused],
  ] as const;
  for (const [late, answer] of rows) {
    subscribe(`left before the ${late}`, 5)();
    // Another client sets -10 here: it is in the second answer alone.
    const stop = subscribe(`after the ${late}`, 40);
    let gets = 0;
    last().answer(({ method, interval }) => {
      if (method === "get") return ++gets === 1 ? answer : { payload: -10 };
      return interval === 5 && late === "refusal" ? refused : {};
    });
    stop();
    last().answer(() => ({}));
  }
  assertEquals(told, ["after the value: -10", "after the refusal: -10"]);
});

Deno.test("close ends the connection, all requests, live copies and timers", async () => {
  const { desk, last, pending, pass, goOnline, sockets } = openedDesk();
  const states: StateChange[] = [];
  desk.onState((change) => states.push(change));
  const get = errorOf(desk.get("/general"));
  const watched = errorOf(desk.watch("/general"));
  await desk.close();
  assertEquals([last().isClosed, pending()], [true, 0]);
  assertEquals(states, [{ state: "closed", reason: "the client was closed" }]);
  const late = errorOf(desk.get("/general"));
  for (const failed of [get, watched, late, errorOf(desk.watch("/general"))]) {
    assertEquals((await failed).code, "closed");
  }
  pass(MINUTE_MS);
  goOnline();
  assertEquals(sockets.length, 1);
  await desk.close();
});

Deno.test("a second close resolves when the connection is gone, as the first does", async () => {
  const { world } = simulatedSockets();
  let end = () => {};
  const open = (url: string) => {
    const socket = world.open(url);
    socket.close = () => end = () => socket.onclose?.call(undefined as never, {} as never);
    return socket;
  };
  const desk = connect("ws://desk/api/ws", { world: { ...world, open } });
  const ended: string[] = [];
  const closed = [desk.close(), desk.close()].map((one) => one.then(() => ended.push("closed")));
  await Promise.resolve();
  ended.push("gone");
  end();
  await Promise.all(closed);
  assertEquals(ended, ["gone", "closed", "closed"]);
});

Deno.test("close while the connection is lost ends the attempts to connect", async () => {
  const { desk, last, pending, pass, sockets } = openedDesk();
  last().drop();
  await desk.close();
  pass(MINUTE_MS);
  assertEquals([pending(), sockets.length], [0, 1]);
});

Deno.test("an AbortSignal closes the client, and connect with an aborted signal throws", async () => {
  const { world, last } = simulatedSockets();
  const abort = new AbortController();
  const desk = connect("ws://desk/api/ws", { world, signal: abort.signal });
  const ready = errorOf(desk.ready());
  abort.abort();
  assertEquals([desk.state, last().isClosed], ["closed", true]);
  assertEquals((await ready).code, "closed");
  const { signal } = new AbortController();
  let listeners = 0;
  Object.assign(signal, { addEventListener: () => listeners++ });
  Object.assign(signal, { removeEventListener: () => listeners-- });
  const closed = connect("ws://desk/api/ws", { world, signal });
  assertEquals(listeners, 1);
  await closed.close();
  assertEquals(listeners, 0, "the signal, which may last, holds no client that was closed");
  await assertRejects(async () => {
    await using _never = connect("ws://desk/api/ws", { world, signal: abort.signal });
  }, DOMException);
});
