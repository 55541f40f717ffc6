/** Bodies of large answers, and clients that do not read them. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { createAnswerBody, STREAM_WHOLE_BYTES } from "../../transport/answer-body.ts";
import { createMemoryQuota } from "../../transport/memory-quota.ts";
import { passingTime } from "../timers.ts";
import { until } from "../until.ts";

const KiB = 1024;

function bodies(quota = Infinity, wholeBytes?: number) {
  const { timer, pass } = passingTime();
  const bodyFor = createAnswerBody(createMemoryQuota(() => quota), timer, wholeBytes);
  const bodyOf = (content: Parameters<typeof bodyFor>[0]) => bodyFor(content, "192.0.2.1");
  return { bodyOf, pass };
}

const textOf = (body: BodyInit) => new Response(body).text();

/** A text with more bytes than characters, in which no two places are alike. */
const text = (length: number) =>
  Array.from({ length }, (_, at) => `${at}é`).join().slice(0, length);

Deno.test("a small answer is sent at once, a large one in pieces, and both arrive whole", async () => {
  const { bodyOf } = bodies();
  assertEquals(bodyOf(text(64 * KiB)), text(64 * KiB));
  for (const length of [64 * KiB + 1, 128 * KiB, 200_000]) {
    const body = bodyOf(text(length));
    assert(body instanceof ReadableStream);
    assertEquals(await textOf(body), text(length));
  }
});

Deno.test("an answer to a stream of HTTP/2 of up to 1 KiB is sent at once", async () => {
  const { bodyOf } = bodies(Infinity, STREAM_WHOLE_BYTES);
  assertEquals(bodyOf(text(KiB)), text(KiB));
  const body = bodyOf(text(KiB + 1));
  assert(body instanceof ReadableStream);
  assertEquals(await textOf(body), text(KiB + 1));
});

Deno.test("when the quota is used up, the client with the most unread bytes is cut off", async () => {
  const { bodyOf } = bodies(1_000_000);
  const most = bodyOf("a".repeat(500_000));
  const other = bodyOf("b".repeat(400_000));
  const next = bodyOf("c".repeat(300_000));
  await assertRejects(() => textOf(most), Error, "the memory");
  assertEquals((await textOf(other)).length, 400_000);
  assertEquals((await textOf(next)).length, 300_000);
});

Deno.test("bytes that were read do not count for the quota any more", async () => {
  const { bodyOf } = bodies(1_000_000);
  for (let count = 0; count < 20; count++) {
    assertEquals((await textOf(bodyOf("a".repeat(900_000)))).length, 900_000);
  }
});

Deno.test("an answer counts until its last piece is taken, and is cut off also if nobody reads it", async () => {
  const { bodyOf } = bodies(150_000);
  const reader = (bodyOf("a".repeat(100_000)) as ReadableStream<Uint8Array>).getReader();
  await reader.read();
  await new Promise((resolve) => setTimeout(resolve, 0));
  const next = bodyOf("b".repeat(100_000));
  let ended: string | undefined;
  reader.closed.then(() => ended = "whole", ({ message }) => ended = message);
  await until(() => ended !== undefined);
  assertEquals(ended, "other answers needed the memory");
  assertEquals((await textOf(next)).length, 100_000);
});

Deno.test("shared bytes count one piece for each client against the quota", async () => {
  const { bodyOf } = bodies(3 * 64 * KiB);
  const bytes = new Uint8Array(1_000_000).fill(7);
  const [first, ...others] = Array.from({ length: 4 }, () => bodyOf(bytes));
  await assertRejects(() => textOf(first!), Error, "the memory");
  for (const body of others) {
    assertEquals(new Uint8Array(await new Response(body).arrayBuffer()), bytes);
  }
});

Deno.test("a client that reads nothing for 60 s is cut off", async () => {
  const { bodyOf, pass } = bodies();
  const body = bodyOf("a".repeat(500_000)) as ReadableStream<Uint8Array>;
  const reader = body.getReader();
  await reader.read();
  await new Promise((resolve) => setTimeout(resolve, 0));
  pass(60_000);
  await assertRejects(
    async () => {
      while (!(await reader.read()).done);
    },
    Error,
    "60000 ms",
  );
});
