/** Incomplete messages and requests in Node's server. */
import { assertEquals } from "@std/assert";
import type { Service } from "../../../transport/arrival.ts";
import { createMemoryQuota } from "../../../transport/memory-quota.ts";
import { listen } from "../../../runtimes/node/server.ts";
import { machineTimer } from "../../../runtimes/clock.ts";
import { passingTime } from "../../timers.ts";
import { opcodes, openRaw, type RawSocket } from "../../transport/raw-socket.ts";

const KiB = 1024;
const PIECE = "x".repeat(16 * KiB);

/** A server of WebSockets that answer the length of a message, of at most `longest` bytes. */
async function lengths(longest: number, quota: number) {
  const service: Service = ({ upgrade }) =>
    upgrade((socket) => ({
      receive: (data) => socket.send(JSON.stringify(String(data).length)),
      closed() {},
    }), () => longest);
  const receiveBuffers = createMemoryQuota(() => quota);
  const parts = { service, timer: machineTimer, onFault() {}, receiveBuffers };
  const server = await listen({ hostname: "127.0.0.1", port: 0 }, parts);
  return { server, connect: () => openRaw(`http://127.0.0.1:${server.address.port}/`) };
}

/** Sends `count` pieces of an unfinished message, or fewer if the connection ends. */
async function sendPieces(socket: RawSocket, count: number): Promise<void> {
  try {
    await socket.send(opcodes.text, PIECE, false);
    for (let sent = 1; sent < count; sent++) await socket.send(opcodes.goesOn, PIECE, false);
  } catch {
    // The server has ended the connection.
  }
}

Deno.test("a message that grows past the maximum length ends its connection, and no other", async () => {
  const { server, connect } = await lengths(256 * KiB, Infinity);
  {
    using culprit = await connect();
    using innocent = await connect();
    using half = await connect();
    await half.send(opcodes.text, "ab", false);
    await sendPieces(culprit, 17);
    assertEquals(await culprit.closeCode(), 1009);
    await innocent.send(opcodes.text, "x".repeat(256 * KiB));
    assertEquals(await innocent.next(), 256 * KiB);
    await half.send(opcodes.goesOn, "cd");
    assertEquals(await half.next(), 4);
  }
  await server.stop();
});

Deno.test("when incomplete messages exceed the quota, the largest is evicted, and no other", async () => {
  const { server, connect } = await lengths(1024 * KiB, 400 * KiB);
  {
    using culprit = await connect();
    using innocent = await connect();
    using half = await connect();
    await half.send(opcodes.text, PIECE, false);
    await sendPieces(culprit, 30);
    assertEquals(await culprit.read(), undefined);
    await innocent.send(opcodes.text, "still here");
    assertEquals(await innocent.next(), 10);
    await half.send(opcodes.goesOn, PIECE);
    assertEquals(await half.next(), 2 * PIECE.length);
  }
  await server.stop();
});

Deno.test("a waiting client that has sent only complete messages takes nothing of the quota", async () => {
  const { server, connect } = await lengths(64 * KiB, 100 * KiB);
  const clients: RawSocket[] = [];
  for (let count = 0; count < 20; count++) clients.push(await connect());
  for (const message of ["x".repeat(8 * KiB), "still here"]) {
    for (const client of clients) {
      await client.send(opcodes.text, message);
      assertEquals(await client.next(), message.length);
    }
  }
  for (const client of clients) client[Symbol.dispose]();
  await server.stop();
});

for (const [what, sent] of [["nothing yet", ""], ["half a head", "GET / HTTP/1.1\r\nHost: x"]]) {
  Deno.test(`a server stops although a connection has sent ${what}`, async () => {
    const { timer, pass, pending } = passingTime();
    const service: Service = () => new Response("answer");
    const server = await listen({ hostname: "127.0.0.1", port: 0 }, {
      service,
      timer,
      onFault() {},
    });
    const { port } = server.address;
    using connection = await Deno.connect({ hostname: "127.0.0.1", port });
    if (sent !== "") await connection.write(new TextEncoder().encode(sent));
    // The server has accepted the connection before the one of this request.
    const answer = await fetch(`http://127.0.0.1:${port}/`, { headers: { connection: "close" } });
    assertEquals(await answer.text(), "answer");
    const stopped = server.stop();
    assertEquals(pending(), 1);
    pass(2000);
    await stopped;
    assertEquals(await connection.read(new Uint8Array(1)).catch(() => null), null);
    assertEquals(pending(), 0);
  });
}
