import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { assertEquals, assertRejects } from "@std/assert";
import { machineTimer } from "../../../runtimes/clock.ts";
import { send } from "../../../runtimes/node/response.ts";

Deno.test("an answer of many pieces leaves no listener behind", async () => {
  const pieces = Array.from({ length: 30 }, () => new Uint8Array(1024));
  const listeners = Promise.withResolvers<number>();
  const server = createServer((incoming, outgoing) => {
    const body = ReadableStream.from(pieces);
    send(new Response(body), incoming, outgoing, machineTimer)
      .then(() => listeners.resolve(outgoing.listenerCount("drain")), listeners.reject);
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const answer = await fetch(`http://127.0.0.1:${port}/`, { headers: { connection: "close" } });
  assertEquals((await answer.arrayBuffer()).byteLength, 30 * 1024);
  assertEquals(await listeners.promise, 0);
  await new Promise((resolve) => server.close(resolve));
});

Deno.test("the body of an answer is given up if its client has disconnected before", async () => {
  const sent = Promise.withResolvers<boolean>();
  let isCancelled = false;
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.enqueue(new Uint8Array(1024)),
    cancel: () => void (isCancelled = true),
  }, { highWaterMark: 0 });
  const server = createServer(async (incoming, outgoing) => {
    outgoing.destroy();
    await new Promise((resolve) => outgoing.once("close", resolve));
    await send(new Response(body), incoming, outgoing, machineTimer);
    sent.resolve(isCancelled);
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const answer = fetch(`http://127.0.0.1:${port}/`, { headers: { connection: "close" } });
  await assertRejects(() => answer);
  assertEquals(await sent.promise, true);
  await new Promise((resolve) => server.close(resolve));
});
