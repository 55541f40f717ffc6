import { assert, assertEquals, AssertionError } from "@std/assert";
import fc from "fast-check";
import { withoutPauses } from "../../../core/cooperative-scheduler.ts";
import { UNREAD_BODY_MS } from "../../../core/limits.ts";
import type { CooperativeScheduler, Timer } from "../../../core/ports.ts";
import { machineScheduler, machineTimer } from "../../../runtimes/clock.ts";
import { endingUnread } from "../../../runtimes/deno/unread-body.ts";
import {
  type BodyOutcome,
  createBodyReader,
  SILENCE_MS,
  WHOLE_BODY_MS,
} from "../../../transport/intake/body.ts";
import { SWEEP_MS } from "../../../transport/intake/timeouts.ts";
import { countingScheduler } from "../../schedulers.ts";
import { createMemoryQuota, type MemoryQuota } from "../../../transport/memory-quota.ts";
import { ample } from "../../budgets.ts";
import { passingTime } from "../../timers.ts";

/** Reads a body, in the time of this machine or in simulated time. */
async function read(
  request: Request,
  maxBytes: number,
  timer: Timer = machineTimer,
  scheduler: CooperativeScheduler = machineScheduler(),
) {
  const readBody = createBodyReader(timer, scheduler, ample);
  const body = await readBody(request, maxBytes, "192.0.2.1");
  return body.outcome === "read" ? { outcome: body.outcome, bytes: body.bytes } : body;
}

/** A body from an address that the test sends piece by piece, with a limit of 100 bytes. */
function sender(address: string, quota: MemoryQuota) {
  const { stream, feed } = fedStream();
  const readBody = createBodyReader(passingTime().timer, withoutPauses, {
    bodies: quota,
    bodiesAtOnce: () => 8192,
  });
  const reading = readBody(post(stream), 100, address);
  let outcome: BodyOutcome["outcome"] | undefined;
  const read = reading.then((body) => {
    outcome = body.outcome;
    return body;
  });
  return {
    read,
    get outcome() {
      return outcome;
    },
    async send(bytes: number) {
      feed.enqueue(new Uint8Array(bytes));
      await settle();
    },
    end: () => feed.close(),
  };
}

/** The work of the server after an answer to a request whose body may be unread. */
async function answer(request: Request, timer: Timer): Promise<void> {
  await endingUnread(request, new Response(), timer);
}

/** A stream that the test feeds, and whether its reader has cancelled it. */
function fedStream() {
  let feed!: ReadableStreamDefaultController<Uint8Array<ArrayBuffer>>;
  const state = { cancelled: false };
  const stream = new ReadableStream<Uint8Array<ArrayBuffer>>({
    start: (controller) => void (feed = controller),
    cancel: () => void (state.cancelled = true),
  });
  return { stream, feed, state };
}

function post(body: BodyInit | null, headers: Record<string, string> = {}) {
  return new Request("http://127.0.0.1/", { method: "POST", body, headers });
}

/** Lets all work run that does not wait for a clock. */
const settle = () => new Promise((resolve) => setTimeout(resolve));

Deno.test("a body within its limit is read whole, in chunks of any length", async () => {
  const anyChunks = fc.array(fc.uint8Array({ maxLength: 40 }), { maxLength: 20 });
  await fc.assert(fc.asyncProperty(anyChunks, fc.nat(3), async (chunks, spare) => {
    const whole = chunks.flatMap((chunk) => [...chunk]);
    const stream = ReadableStream.from(chunks.map((chunk) => new Uint8Array(chunk)));
    const body = await read(post(stream), whole.length + spare);
    assertEquals(body, { outcome: "read", bytes: new Uint8Array(whole) });
  }));
});

Deno.test("a large body is read whole, with any Content-Length and in chunks of any length", async () => {
  const anySizes = fc.array(fc.integer({ min: 1, max: 400_000 }), { minLength: 3, maxLength: 8 });
  const anyLie = fc.constantFrom(0, 1, -70_000, 70_000, 300_000);
  await fc.assert(
    fc.asyncProperty(anySizes, anyLie, async (sizes, lie) => {
      const chunks = sizes.map((size, at) => new Uint8Array(size).fill(at + 1));
      const length = sizes.reduce((sum, size) => sum + size, 0);
      const says = Math.max(70_000, length + lie);
      const headers: Record<string, string> = lie === 1 ? {} : { "content-length": `${says}` };
      const body = await read(post(ReadableStream.from(chunks), headers), length + 300_000);
      if (body.outcome !== "read") throw new AssertionError(body.outcome);
      assertEquals(body.bytes.length, length);
      let at = 0;
      for (const chunk of chunks) {
        const came = body.bytes.subarray(at, at += chunk.length);
        assert(came.every((byte) => byte === chunk[0]));
      }
    }),
    { numRuns: 30 },
  );
});

Deno.test("reading a large body pauses for other work before each chunk", async () => {
  const chunks = Array.from({ length: 64 }, () => new Uint8Array(65_536));
  const headers = { "content-length": String(64 * 65_536) };
  const counting = countingScheduler();
  const request = post(ReadableStream.from(chunks), headers);
  const body = await read(request, 64 * 65_536, machineTimer, counting.scheduler);
  assertEquals(
    [body.outcome, counting.turns],
    ["read", 64],
    "before each chunk that is waited for",
  );
});

Deno.test("a request without a body has no bytes", async () => {
  for (const body of [null, ""]) {
    assertEquals(await read(post(body), 0), { outcome: "read", bytes: new Uint8Array() });
  }
});

Deno.test("a body at the limit is read, one byte more is too large", async () => {
  assertEquals((await read(post("x".repeat(65_536)), 65_536)).outcome, "read");
  assertEquals((await read(post("x".repeat(65_537)), 65_536)).outcome, "tooLarge");
});

Deno.test("a Content-Length over the limit is refused before anything is read", async () => {
  const { timer, pass } = passingTime();
  let pulled = 0;
  let cancelled = false;
  const stream = new ReadableStream({
    pull: () => void pulled++,
    cancel: () => void (cancelled = true),
  }, { highWaterMark: 0 });
  const request = post(stream, { "content-length": "101" });
  assertEquals(await read(request, 100, timer), { outcome: "tooLarge" });
  await answer(request, timer);
  assertEquals([pulled, cancelled], [0, false]);
  pass(UNREAD_BODY_MS);
  assertEquals([pulled, cancelled], [0, true]);
});

Deno.test("a wrong Content-Length does not lift the limit", async () => {
  for (const length of ["1", "-5", "abc", "", "1e1"]) {
    const body = await read(post("x".repeat(101), { "content-length": length }), 100);
    assertEquals(body, { outcome: "tooLarge" }, length);
  }
});

Deno.test("an endless body is cut off at the limit, and its sender cancelled after the answer", async () => {
  const { timer, pass } = passingTime();
  let sent = 0;
  let cancelled = false;
  const stream = new ReadableStream({
    pull: (controller) => {
      sent += 1000;
      controller.enqueue(new Uint8Array(1000));
    },
    cancel: () => {
      cancelled = true;
      return new Promise(() => {}); // a cancel that never ends delays nobody
    },
  }, { highWaterMark: 0 });
  const request = post(stream);
  assertEquals(await read(request, 10_000, timer), { outcome: "tooLarge" });
  await answer(request, timer);
  assertEquals([sent, cancelled], [11_000, false]);
  pass(UNREAD_BODY_MS);
  assertEquals([sent, cancelled], [11_000, true]);
});

Deno.test("an endless body that sends nothing is given up after 10 s", async () => {
  const { timer, pass, pending } = passingTime();
  const { stream, feed, state } = fedStream();
  let outcome: string | undefined;
  const request = post(stream);
  const reading = read(request, 100, timer).then((body) => outcome = body.outcome);
  pass(SILENCE_MS - 1);
  feed.enqueue(Uint8Array.of(1));
  await settle();
  pass(SILENCE_MS - 1);
  await settle();
  feed.enqueue(new Uint8Array()); // no byte: the silence goes on
  await settle();
  assertEquals([outcome, state.cancelled], [undefined, false]);
  pass(1 + SWEEP_MS);
  await reading;
  await answer(request, timer);
  assertEquals([outcome, state.cancelled], ["late", false], "it is cancelled after the answer");
  pass(UNREAD_BODY_MS);
  assertEquals([state.cancelled, pending()], [true, 0]);
});

/** The number of steps of just under 10 s that fit into the maximum time of a whole body. */
const STEPS = Math.floor((WHOLE_BODY_MS - 1) / (SILENCE_MS - 1));

Deno.test("a body with a small Content-Length is given up 10 s after its beginning, read in one piece or not", async () => {
  for (const most of [Infinity, 0]) {
    const { timer, pass, pending } = passingTime();
    const { stream, feed } = fedStream();
    const budget = { ...ample, bodiesAtOnce: () => most };
    const readBody = createBodyReader(timer, withoutPauses, budget);
    const reading = readBody(post(stream, { "content-length": "100" }), 100, "192.0.2.1");
    for (let second = 0; second < 9; second++) {
      feed.enqueue(Uint8Array.of(second));
      await settle();
      pass(1000);
    }
    pass(1000 + SWEEP_MS);
    assertEquals(await reading, { outcome: "late" });
    feed.close();
    await settle();
    pass(SILENCE_MS + SWEEP_MS);
    assertEquals(pending(), 0);
  }
});

Deno.test("many stalled small bodies count for the quota, and delay no other body", async () => {
  const quota = createMemoryQuota(() => 100);
  const readBody = createBodyReader(passingTime().timer, withoutPauses, {
    bodies: quota,
    bodiesAtOnce: () => 8192,
  });
  const small = (address: string, stream: ReadableStream<Uint8Array<ArrayBuffer>> | string) =>
    readBody(post(stream, { "content-length": "4096" }), 4096, address);
  for (let stalled = 0; stalled < 2; stalled++) void small("192.0.2.66", fedStream().stream);
  const [one, other] = [fedStream(), fedStream()];
  const outcomes = [small("192.0.2.66", one.stream), small("192.0.2.66", other.stream)];
  one.feed.enqueue(new Uint8Array(60));
  await settle();
  other.feed.enqueue(new Uint8Array(60));
  assertEquals((await outcomes[0])!.outcome, "evicted");
  assertEquals((await small("192.0.2.1", "x")).outcome, "read");
});

Deno.test("a slow body is read whole as long as each byte comes within 10 s, and all within 60 s", async () => {
  const { timer, pass, pending } = passingTime();
  const { stream, feed } = fedStream();
  const reading = read(post(stream), 100, timer);
  for (let byte = 0; byte < STEPS; byte++) {
    pass(SILENCE_MS - 1);
    feed.enqueue(Uint8Array.of(byte));
    await settle();
  }
  feed.close();
  const bytes = Uint8Array.from({ length: STEPS }, (_, byte) => byte);
  assertEquals(await reading, { outcome: "read", bytes });
  pass(SILENCE_MS);
  assertEquals(pending(), 0);
});

Deno.test("a body that drips, with each byte within 10 s, is given up after 60 s", async () => {
  const { timer, pass, pending } = passingTime();
  const { stream, feed, state } = fedStream();
  const request = post(stream);
  const reading = read(request, 100, timer);
  for (let byte = 0; byte < STEPS; byte++) {
    pass(SILENCE_MS - 1);
    feed.enqueue(Uint8Array.of(byte));
    await settle();
  }
  pass(WHOLE_BODY_MS - STEPS * (SILENCE_MS - 1));
  assertEquals(await reading, { outcome: "late" });
  await answer(request, timer);
  pass(UNREAD_BODY_MS);
  assertEquals(state.cancelled, true);
  pass(SILENCE_MS);
  assertEquals(pending(), 0);
});

Deno.test("a body whose connection fails has the outcome broken", async () => {
  const { timer, pass, pending } = passingTime();
  const { stream, feed } = fedStream();
  const reading = read(post(stream), 100, timer);
  feed.enqueue(Uint8Array.of(1));
  await settle();
  feed.error(new Error("connection reset"));
  assertEquals(await reading, { outcome: "broken" });
  pass(SILENCE_MS);
  assertEquals(pending(), 0);
});

Deno.test("when unfinished bodies of an address exceed the quota, they are evicted, and others are received completely", async () => {
  const quota = createMemoryQuota(() => 100);
  const hostile = Array.from({ length: 3 }, () => sender("192.0.2.66", quota));
  const innocent = sender("192.0.2.1", quota);
  const small = sender("192.0.2.2", quota);
  await small.send(5);
  await innocent.send(35);
  for (const one of hostile) await one.send(30);
  await innocent.send(5);
  assertEquals(hostile.map(({ outcome }) => outcome), ["evicted", "evicted", undefined]);
  for (const one of [innocent, small]) one.end();
  assertEquals((await innocent.read).outcome, "read");
  assertEquals((await small.read).outcome, "read");
});

Deno.test("a complete body counts for the quota until it is released, and is not evicted", async () => {
  const quota = createMemoryQuota(() => 100);
  const whole = sender("192.0.2.1", quota);
  const late = sender("192.0.2.2", quota);
  await whole.send(90);
  whole.end();
  const body = await whole.read;
  await late.send(20);
  assertEquals((await late.read).outcome, "evicted");
  if (body.outcome === "read") body.release();
  const next = sender("192.0.2.2", quota);
  await next.send(100);
  next.end();
  assertEquals((await next.read).outcome, "read");
});

Deno.test("a body over its limit is too large, and evicts no other", async () => {
  const quota = createMemoryQuota(() => 100);
  const other = sender("192.0.2.1", quota);
  const large = sender("192.0.2.2", quota);
  await other.send(10);
  await large.send(101);
  assertEquals(await large.read, { outcome: "tooLarge" });
  assertEquals(other.outcome, undefined);
  await other.send(90);
  other.end();
  assertEquals((await other.read).outcome, "read");
});
