/** How the TLS front counts the bytes of a WebSocket, in simulated time. */
import { assertEquals } from "@std/assert";
import { createFrontConnection } from "../../../runtimes/deno/front-connection.ts";
import { createMemoryQuota } from "../../../transport/memory-quota.ts";
import { passingTime } from "../../timers.ts";

const KiB = 1024;

/** Pings over TLS: the encrypted bytes of each, the number in a second, and the days. */
const pings: readonly (readonly [bytes: number, aSecond: number, days: number])[] = [
  [28, 1, 7],
  [32, 1, 7],
  [160, 1, 7],
  [36, 10, 1],
];

for (const [bytes, aSecond, days] of pings) {
  Deno.test(`pings of ${bytes} bytes, ${aSecond} a second, do not add up to a message in ${days} days`, () => {
    const { timer, pass } = passingTime();
    let isCut = false;
    const quota = createMemoryQuota(() => 1024 * KiB);
    const listener = createFrontConnection("a", quota, timer, () => isCut = true);
    listener.asked(new Response(), false);
    listener.opened(() => 0);
    for (let count = days * 24 * 60 * 60 * aSecond; count > 0; count--) {
      pass(1000 / aSecond);
      if (listener.sent(bytes) !== undefined) break;
    }
    pass(10_000);
    assertEquals(isCut, false);
  });
}

Deno.test("a client that slowly sends more bytes than pings is cut off, and no other", () => {
  const { timer, pass } = passingTime();
  const quota = createMemoryQuota(() => 1024 * KiB);
  const cut: string[] = [];
  const [culprit, innocent] = ["a", "b"].map((name) => {
    const connection = createFrontConnection(name, quota, timer, () => {
      cut.push(name);
      connection.ended();
    });
    connection.asked(new Response(), false);
    connection.opened(() => 0);
    return connection;
  });
  let isRead = true;
  for (let second = 0; second < 10 * 60; second++) {
    pass(1000);
    innocent!.sent(28);
    if (isRead) isRead = culprit!.sent(1000) === undefined;
  }
  assertEquals(cut, ["a"]);
});

Deno.test("requests that are refused unread add up until their connection is closed, and no other", () => {
  const { timer, pass } = passingTime();
  const quota = createMemoryQuota(() => 1024 * KiB);
  const cut: string[] = [];
  const [culprit, innocent] = ["a", "b"].map((name) =>
    createFrontConnection(name, quota, timer, () => cut.push(name))
  );
  const unread = new Response(null, { status: 503 });
  innocent!.asked(new Response(), true);
  for (let stream = 0; stream < 200; stream++) {
    culprit!.asked(unread, true);
    pass(10);
  }
  innocent!.asked(new Response(), true);
  assertEquals(cut, ["a"]);
  culprit!.ended();
  innocent!.ended();
});

Deno.test("any number of answered requests does not add up", () => {
  const { timer, pass } = passingTime();
  const quota = createMemoryQuota(() => 1024 * KiB);
  let isCut = false;
  const connection = createFrontConnection("a", quota, timer, () => isCut = true);
  for (let stream = 0; stream < 1000; stream++) {
    connection.sent(100);
    connection.asked(new Response(), true);
    pass(10);
  }
  assertEquals(isCut, false);
  connection.ended();
});

Deno.test("a connection is not idle while its request is being answered", async () => {
  const { timer, pass } = passingTime();
  let isCut = false;
  const quota = createMemoryQuota(() => 1024 * KiB);
  const connection = createFrontConnection("a", quota, timer, () => isCut = true);
  const { promise, resolve } = Promise.withResolvers<Response>();
  connection.asked(promise, true);
  pass(10 * 60_000);
  assertEquals(isCut, false);
  resolve(new Response());
  await promise;
  pass(59_000);
  assertEquals(isCut, false);
  pass(61_000);
  assertEquals(isCut, true);
});
