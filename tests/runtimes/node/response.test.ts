import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { assertEquals } from "@std/assert";
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
