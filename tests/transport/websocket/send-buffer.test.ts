/**
 * The send buffer of one connection, for a client that reads, reads slowly, or does not read.
 */
import { assertEquals } from "@std/assert";
import type { Patch } from "../../../core/tree/tree.ts";
import { createMemoryQuota } from "../../../transport/memory-quota.ts";
import {
  createSendBuffer,
  type Socket,
  updateOf,
} from "../../../transport/websocket/send-buffer.ts";
import { ample } from "../../budgets.ts";
import type { Json } from "../../service.ts";
import { passingTime } from "../../timers.ts";

/** A socket whose network takes bytes as the test says, and a timer that the test fires. */
function slowSocket(quota = ample.sendBuffers) {
  const sent: Json[] = [];
  let gaveUp = 0;
  const socket = {
    bufferedAmount: 0,
    send(text: string) {
      sent.push(JSON.parse(text));
      socket.bufferedAmount += text.length;
    },
    close() {},
  } satisfies Socket;
  const { timer: port, pass, pending } = passingTime();
  const sendBuffer = createSendBuffer(socket, "192.0.2.1", () => gaveUp++, port, quota);
  const say = (patch: Patch, path = "/", tick?: number) =>
    sendBuffer.update(updateOf(path, patch, { tick }));
  /** Fires the timer at which the send buffer tries again. */
  const timer = () => pass(20);
  return {
    socket,
    sent,
    /** The number of times that the send buffer has given up. */
    gaveUp: () => gaveUp,
    sendBuffer,
    say,
    timer,
    isWaiting: () => pending() > 0,
  };
}

const KIB = 1024;

Deno.test("a client that reads gets each update unchanged", () => {
  const { socket, sent, say, isWaiting } = slowSocket();
  for (let at = 0; at < 3; at++) {
    say({ a: at });
    socket.bufferedAmount = 0;
  }
  assertEquals(sent.map(({ payload }) => payload), [{ a: 0 }, { a: 1 }, { a: 2 }]);
  assertEquals(isWaiting(), false, "no timer runs");
});

Deno.test("for a slow client pending updates to one leaf are merged", () => {
  const { socket, sent, gaveUp, say, timer } = slowSocket();
  socket.bufferedAmount = 65 * KIB;
  for (let at = 0; at < 1000; at++) say({ a: at, [`leaf${at % 3}`]: at });
  timer();
  assertEquals(sent, [], "it still does not read");
  socket.bufferedAmount = 0;
  timer();
  assertEquals(sent.map(({ payload }) => payload), [{
    a: 999,
    leaf0: 999,
    leaf1: 997,
    leaf2: 998,
  }]);
  say({ a: 1000 });
  assertEquals(sent.length, 2, "it reads again");
  assertEquals(gaveUp(), 0);
});

/** The ticks of pending updates, and the tick of the merged update. */
const merged: readonly (readonly [string, readonly (number | undefined)[], number | undefined])[] =
  [
    ["two steps of a fade have the tick of the last", [7, 8], 8],
    ["a step, and a set after it, have no tick", [7, undefined], undefined],
    ["a set, and a step after it, have no tick", [undefined, 8], undefined],
    ["a set between steps leaves no tick", [7, undefined, 9], undefined],
  ];

for (const [sentence, ticks, expected] of merged) {
  Deno.test(`merged updates: ${sentence}`, () => {
    const { socket, sent, say, timer } = slowSocket();
    socket.bufferedAmount = 65 * KIB;
    for (const [at, tick] of ticks.entries()) say({ [`leaf${at}`]: at }, "/", tick);
    socket.bufferedAmount = 0;
    timer();
    assertEquals(sent.map(({ tick }) => tick), [expected]);
  });
}

Deno.test("an update does not overtake pending updates", () => {
  const { socket, sent, say, timer } = slowSocket();
  socket.bufferedAmount = 65 * KIB;
  say({ a: 1 });
  socket.bufferedAmount = 0;
  say({ b: 2 });
  assertEquals(sent, []);
  timer();
  assertEquals(sent.map(({ payload }) => payload), [{ a: 1, b: 2 }]);
});

Deno.test("for a slow client meters wait behind all other changes", () => {
  const { socket, sent, sendBuffer, say, timer } = slowSocket();
  const meter = (level: number) => updateOf("/", { meter: level }, { isOfMeters: true });
  socket.bufferedAmount = 65 * KIB;
  sendBuffer.update(meter(-20));
  say({ fader: -10 });
  sendBuffer.update(meter(-18));
  say({ fader: -9 });
  socket.bufferedAmount = 0;
  timer();
  assertEquals(sent.map(({ payload }) => payload), [{ fader: -9 }, { meter: -18 }]);
});

Deno.test("for a slow client the updates of each path are merged, and sent one by one", () => {
  const { socket, sent, sendBuffer, say, timer } = slowSocket();
  socket.bufferedAmount = 65 * KIB;
  for (let at = 0; at < 100; at++) {
    say({ a: at }, "/a");
    say({ a: at, b: at }, "/");
    say({ b: at }, "/b");
  }
  sendBuffer.forget("/b");
  sendBuffer.forget("/c");
  socket.bufferedAmount = 0;
  timer();
  assertEquals(sent.map(({ payload }) => payload), [{ a: 99 }, { a: 99, b: 99 }]);
  say({ b: 100 }, "/b");
  assertEquals(sent.length, 3, "it reads again");
});

Deno.test("of several large pending updates each is sent once the client has read the one before", () => {
  const { socket, sent, gaveUp, sendBuffer, say, timer, isWaiting } = slowSocket();
  const large = (path: string) => say({ [path]: "x".repeat(1500 * KIB) }, path);
  socket.bufferedAmount = 65 * KIB;
  for (const path of ["/a", "/b", "/c", "/d"]) large(path);
  for (const count of [1, 2]) {
    socket.bufferedAmount = 0;
    timer();
    assertEquals([sent.length, isWaiting()], [count, true]);
    timer();
    assertEquals(sent.length, count, "it has not read that one");
  }
  const goOn = sendBuffer.hold();
  timer();
  assertEquals(isWaiting(), false);
  large("/c");
  goOn();
  assertEquals(
    [sent.length, isWaiting()],
    [3, true],
    "one: it may ask for the next answer at once",
  );
  socket.bufferedAmount = 0;
  timer();
  assertEquals([sent.length, isWaiting(), gaveUp()], [4, false, 0]);
});

Deno.test("past 1 MiB of unread bytes the send buffer gives up, once, and sends nothing more", () => {
  const answers = slowSocket();
  const quarter = JSON.stringify("x".repeat(256 * KIB - 2));
  // The last quarter is still in flight and does not count.
  for (let at = 0; at < 6; at++) answers.sendBuffer.send(quarter);
  assertEquals([answers.sent.length, answers.gaveUp()], [6, 0], "1 MiB is not past it");
  answers.sendBuffer.send("1");
  assertEquals([answers.sent.length, answers.gaveUp()], [6, 1]);

  const updates = slowSocket();
  updates.socket.bufferedAmount = 600 * KIB;
  updates.say({ a: 1 });
  updates.socket.bufferedAmount = 1025 * KIB;
  updates.timer();
  assertEquals(updates.gaveUp(), 1);

  for (const { sent, sendBuffer, say, timer, gaveUp, isWaiting } of [answers, updates]) {
    const before = sent.length;
    sendBuffer.send("2");
    say({ a: "more" });
    timer();
    assertEquals([sent.length, gaveUp(), isWaiting()], [before, 1, false]);
  }
});

Deno.test("a single message of any size is sent, and further ones while it is being read", () => {
  const { socket, sent, gaveUp, sendBuffer, say, timer } = slowSocket();
  sendBuffer.send(JSON.stringify("x".repeat(2048 * KIB)));
  sendBuffer.send('"subscribed"');
  assertEquals([sent.length, gaveUp()], [2, 0]);
  say({ a: 1 });
  timer();
  assertEquals([sent.length, gaveUp()], [2, 0], "the update waits for its turn");
  socket.bufferedAmount = 0;
  timer();
  assertEquals([sent.length, gaveUp()], [3, 0]);
});

Deno.test("a merged update of any size is sent once the client has read all earlier bytes", () => {
  const { socket, sent, gaveUp, say, timer } = slowSocket();
  socket.bufferedAmount = 65 * KIB;
  say({ a: "x".repeat(2048 * KIB) });
  timer();
  assertEquals([sent.length, gaveUp()], [0, 0]);
  socket.bufferedAmount = 0;
  timer();
  assertEquals([sent.length, gaveUp()], [1, 0]);
});

Deno.test("an earlier large message does not raise the limit for a client that stops reading", () => {
  const { socket, sent, gaveUp, sendBuffer } = slowSocket();
  sendBuffer.send(JSON.stringify("x".repeat(2048 * KIB)));
  socket.bufferedAmount = 0;
  sendBuffer.send("1");
  socket.bufferedAmount = 1025 * KIB;
  sendBuffer.send("2");
  assertEquals([sent.length, gaveUp()], [2, 1]);
});

Deno.test("a change of an item is merged into a pending update of its whole list", () => {
  const { socket, sent, say, timer } = slowSocket();
  socket.bufferedAmount = 65 * KIB;
  say({ list: [{ label: "A", on: false }, { label: "B", on: false }] });
  say({ list: { 1: { on: true } } });
  socket.bufferedAmount = 0;
  timer();
  const list = [{ label: "A", on: false }, { label: "B", on: true }];
  assertEquals(sent.map((one) => one.payload), [{ list }]);
});

Deno.test("after its close a send buffer sends nothing, not even pending updates", () => {
  const { socket, sent, gaveUp, sendBuffer, say, timer, isWaiting } = slowSocket();
  socket.bufferedAmount = 65 * KIB;
  say({ a: 1 });
  sendBuffer.close();
  socket.bufferedAmount = 0;
  timer();
  assertEquals([sent, gaveUp(), isWaiting()], [[], 0, false]);
});

Deno.test("while a send buffer is held, updates are kept and merged, and answers are sent", () => {
  const { socket, sent, sendBuffer, say, timer, isWaiting } = slowSocket();
  const goOn = [sendBuffer.hold(), sendBuffer.hold()];
  say({ a: 1 });
  say({ a: 2, b: 1 });
  sendBuffer.send('"answer"');
  assertEquals([sent, isWaiting()], [["answer"], false], "no timer runs");
  goOn[0]!();
  assertEquals(sent.length, 1);
  socket.bufferedAmount = 0;
  goOn[1]!();
  assertEquals(sent.slice(1).map((one) => one.payload), [{ a: 2, b: 1 }]);
  sendBuffer.hold()();
  assertEquals(sent.length, 2, "nothing was held");

  const release = sendBuffer.hold();
  say({ a: 3 });
  socket.bufferedAmount = 65 * KIB;
  release();
  assertEquals(sent.at(-1).payload, { a: 3 }, "it lags: it may ask for the next at once");
  say({ a: 4 });
  const again = sendBuffer.hold();
  timer();
  assertEquals(sent.length, 3, "an update that waits for the client keeps waiting");
  again();
  assertEquals(sent.at(-1).payload, { a: 4 });
  socket.bufferedAmount = 0;
  const last = sendBuffer.hold();
  say({ a: 5 });
  sendBuffer.close();
  last();
  assertEquals(sent.length, 4, "nothing after the end");
});

Deno.test("pending changes of an unsubscribed path do not count against the quota", () => {
  const quota = createMemoryQuota(() => 200 * KIB);
  const { socket, sendBuffer, say, gaveUp } = slowSocket(quota);
  const other = slowSocket(quota);
  socket.bufferedAmount = other.socket.bufferedAmount = 65 * KIB;
  for (const path of ["/a", "/b"]) say({ text: "x".repeat(50 * KIB) }, path);
  sendBuffer.forget("/a");
  sendBuffer.forget("/b");
  socket.bufferedAmount = 0;
  other.say({ text: "x".repeat(120 * KIB) });
  assertEquals([gaveUp(), other.gaveUp()], [0, 0]);
});
