import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { listenTls } from "../../../runtimes/deno/tls-front.ts";
import { UNREAD_MS } from "../../../core/limits.ts";
import type { Service } from "../../../transport/arrival.ts";
import { CONNECTION_BYTES } from "../../../runtimes/deno/front-connection.ts";
import type { ServerParts } from "../../../transport/server.ts";
import { listen } from "../../../runtimes/deno/server.ts";
import { machineTimer } from "../../../runtimes/clock.ts";
import { until } from "../../service.ts";
import { passingTime } from "../../timers.ts";
import { opcodes, openRaw, type RawSocket } from "../../transport/raw-socket.ts";
import { createMemoryQuota } from "../../../transport/memory-quota.ts";

const read = (name: string) =>
  Deno.readTextFileSync(new URL(`../../program/certificates/${name}.pem`, import.meta.url));
const one = read("one");
const keyAt = one.indexOf("-----BEGIN PRIVATE KEY");
const tls = { certificate: one.slice(0, keyAt), key: one.slice(keyAt) };

const REQUEST = new TextEncoder().encode("GET / HTTP/1.1\r\nhost: one.test\r\n\r\n");

/** A front whose time passes when the test says so. */
function frontOf(service: Service, limits: Partial<ServerParts> = {}) {
  const { timer, pass } = passingTime();
  const parts = { service, timer, onFault: () => {}, ...limits };
  const front = listenTls({ hostname: "127.0.0.1", port: 0 }, parts);
  front.setCertificate(tls);
  const { port } = front.address;
  return { front, pass, connect: () => Deno.connect({ hostname: "127.0.0.1", port }) };
}

/** A service with endless answers: `made` counts their bytes, and `fail` ends the last of them. */
function endless() {
  const answer = { made: 0, fail() {} };
  const service: Service = () => {
    const body = new ReadableStream({
      start(controller) {
        answer.fail = () => controller.error(new Error("given up"));
      },
      pull(controller) {
        answer.made += 65_536;
        controller.enqueue(new Uint8Array(65_536));
      },
    });
    return new Response(body);
  };
  return { answer, service };
}

/**
 * Waits until no more bytes of the answer are made, because none are taken: nothing but time tells
 * that the buffers of all sockets on the way are full.
 */
async function untilStalled(answer: { readonly made: number }): Promise<void> {
  for (let before = -1; before !== answer.made;) {
    before = answer.made;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

for (const what of ["is still to come", "has failed"]) {
  Deno.test(`a client that reads nothing for 60 s is cut off at both ends, if the rest of the body ${what}`, async () => {
    const { answer, service } = endless();
    const { front, pass, connect } = frontOf(service);
    using client = await greeted(connect);
    await client.write(REQUEST);
    await until(() => answer.made > 0);
    await untilStalled(answer);
    if (what === "has failed") answer.fail();
    pass(UNREAD_MS / 2);
    // A further request, so that the connection is not idle.
    await client.write(REQUEST);
    await untilStalled(answer);
    pass(UNREAD_MS / 2);
    // It is cut off in the middle of a TLS record.
    const received = await new Response(client.readable).bytes().then(() => true, () => false);
    assert(!received, "the answer never ends");
    // It waits for connections that are still open.
    await front.stop();
  });
}

Deno.test("a client that reads slowly is not cut off", async () => {
  const { answer, service } = endless();
  const { front, pass, connect } = frontOf(service);
  const client = await greeted(connect);
  await client.write(REQUEST);
  const buffer = new Uint8Array(64 * 1024);
  let received = 0;
  for (let pause = 0; pause < 3; pause++) {
    // Only a byte that is made after a pause shows that the front writes again: others may come
    // from the buffers of the sockets.
    const enough = answer.made + 1024 * 1024;
    while (received < enough) {
      const count = await client.read(buffer);
      assert(count !== null, "the answer never ends");
      received += count;
    }
    pass(UNREAD_MS - 1000);
  }
  client.close();
  await front.stop();
});

const idle: Service = () => new Response("here");

/** The next bytes as text; "" at the end of the connection. */
async function next(connection: Deno.Conn): Promise<string> {
  const buffer = new Uint8Array(4096);
  const count = await connection.read(buffer).catch(() => null);
  return new TextDecoder().decode(buffer.subarray(0, count ?? 0));
}

/** A client after its handshake. */
async function greeted(connect: () => Promise<Deno.TcpConn>): Promise<Deno.TlsConn> {
  const options = { hostname: "one.test", caCerts: [read("ca")] };
  const client = await Deno.startTls(await connect(), options);
  try {
    await client.handshake();
    return client;
  } catch (fault) {
    client.close();
    throw fault;
  }
}

Deno.test("a connection without a complete head after 10 s, or without traffic for 60 s, is closed", async () => {
  const { front, pass, connect } = frontOf(idle);
  using silent = await connect();
  using half = await greeted(connect);
  using client = await greeted(connect);
  await half.write(REQUEST.subarray(0, 10));
  await client.write(REQUEST);
  assertStringIncludes(await next(client), "200 OK");
  pass(9000);
  await half.write(REQUEST.subarray(10, 20));
  await client.write(REQUEST);
  assertStringIncludes(await next(client), "200 OK");
  pass(1000);
  assertEquals(await next(silent), "");
  assertEquals(await next(half), "");
  pass(58_999);
  await client.write(REQUEST);
  assertStringIncludes(await next(client), "200 OK");
  pass(60_000);
  assertEquals(await next(client), "");
  await front.stop();
});

Deno.test("an address has at most limits.connectionsPerAddress connections over TLS", async () => {
  const { front, connect } = frontOf(idle, { connectionsPerAddress: () => 2 });
  const one = await connect();
  const two = await connect();
  using third = await connect();
  assertEquals(await next(third), "");
  one.close();
  using client = await untilServed(connect);
  await client.write(REQUEST);
  assertStringIncludes(await next(client), "200 OK");
  two.close();
  await front.stop();
});

Deno.test("over TLS, too, an evicted connection makes place for one more of its address", async () => {
  const asked: string[] = [];
  const giveWay = (address: string) => asked.push(address) === 1;
  const { front, connect } = frontOf(idle, { connectionsPerAddress: () => 1, giveWay });
  using one = await greeted(connect);
  using two = await greeted(connect);
  await two.write(REQUEST);
  assertStringIncludes(await next(two), "200 OK");
  using third = await connect();
  assertEquals(await next(third), "");
  assertEquals(asked, ["127.0.0.1", "127.0.0.1"]);
  one.close();
  two.close();
  await front.stop();
});

/** Connects until there is a place again: the server notices the end of a connection late. */
async function untilServed(connect: () => Promise<Deno.TcpConn>): Promise<Deno.TlsConn> {
  for (;;) {
    const client = await greeted(connect).catch(() => undefined);
    if (client !== undefined) return client;
  }
}

Deno.test("when incomplete heads exceed the quota, the oldest is evicted, and no other", async () => {
  const { front, connect } = frontOf(idle, {
    receiveBuffers: createMemoryQuota(() => 3.5 * CONNECTION_BYTES),
  });
  const halves = [await greeted(connect), await greeted(connect), await greeted(connect)];
  for (const half of halves) await half.write(REQUEST.subarray(0, 10));
  using client = await greeted(connect);
  await client.write(REQUEST);
  assertStringIncludes(await next(client), "200 OK");
  assertEquals(await next(halves[0]!), "");
  for (const half of halves.slice(1)) {
    await half.write(REQUEST.subarray(10));
    assertStringIncludes(await next(half), "200 OK");
  }
  for (const half of halves) half.close();
  await front.stop();
});

Deno.test("a request whose client address the front does not know is refused", async () => {
  const called: string[] = [];
  const service: Service = ({ client }) => {
    called.push(client);
    return new Response("here");
  };
  const parts = { service, timer: machineTimer, onFault: () => {} };
  const behind = { tls, connectionAt: () => undefined };
  const server = listen({ hostname: "127.0.0.1", port: 0 }, parts, behind);
  using client = await greeted(() => Deno.connect({ ...server.address }));
  await client.write(REQUEST);
  assertStringIncludes(await next(client), "403 Forbidden");
  assertEquals(called, []);
  client.close();
  await server.stop();
});

/** A front for WebSockets whose messages have at most `longest` bytes. */
function echoing(longest: number, limits: Partial<ServerParts> = {}) {
  const service: Service = ({ upgrade }) =>
    upgrade((socket) => ({
      receive: (data) => socket.send(JSON.stringify(String(data).length)),
      closed() {},
    }), () => longest);
  const { front, pass } = frontOf(service, limits);
  const url = `https://127.0.0.1:${front.address.port}/`;

  /** Lets time pass until `work` is settled. */
  async function passing<Result>(work: Promise<Result>, ms = 1): Promise<Result> {
    let done = false;
    work.finally(() => done = true).catch(() => {});
    while (!done) {
      await new Promise((resolve) => setTimeout(resolve));
      pass(ms);
    }
    return await work;
  }

  const connect = () => passing(openRaw(url, {}, [read("ca")]));
  return { front, connect, passing };
}

/** The length of a message, as the service answers it. */
async function lengthOf(socket: RawSocket, message: string): Promise<number> {
  await socket.send(opcodes.text, message);
  return await socket.next();
}

const KiB = 1024;
const PIECE = "x".repeat(16 * 1024);

/** Sends further pieces of a message until the connection ends. */
async function sendOn(socket: RawSocket): Promise<void> {
  try {
    for (;;) await socket.send(opcodes.goesOn, PIECE, false);
  } catch {
    // The connection has ended.
  }
}

Deno.test("a message over TLS that grows past the maximum length ends its connection, and no other", async () => {
  const { front, connect, passing } = echoing(256 * KiB);
  using culprit = await connect();
  using innocent = await connect();
  using half = await connect();
  assertEquals(await lengthOf(culprit, "before"), 6);
  await half.send(opcodes.text, "ab", false);
  await culprit.send(opcodes.text, PIECE, false);
  await passing(sendOn(culprit), 100);
  assertEquals(await lengthOf(innocent, "x".repeat(256 * KiB)), 256 * KiB);
  await half.send(opcodes.goesOn, "cd");
  assertEquals(await half.next(), 4);
  await front.stop();
});

Deno.test("many complete messages at once over TLS close no connection", async () => {
  const { front, connect } = echoing(64 * KiB);
  using client = await connect();
  const message = "x".repeat(60 * KiB);
  const sent = (async () => {
    for (let at = 0; at < 60; at++) await client.send(opcodes.text, message);
  })();
  for (let at = 0; at < 60; at++) assertEquals(await client.next(), message.length);
  await sent;
  await front.stop();
});

Deno.test("when incomplete messages exceed the quota, the largest is evicted, and no other", async () => {
  const { front, connect } = echoing(1024 * KiB, {
    receiveBuffers: createMemoryQuota(() => 400 * KiB),
  });
  using culprit = await connect();
  using innocent = await connect();
  using half = await connect();
  await half.send(opcodes.text, PIECE, false);
  await culprit.send(opcodes.text, PIECE, false);
  await sendOn(culprit);
  assertEquals(await lengthOf(innocent, "still here"), 10);
  await half.send(opcodes.goesOn, PIECE);
  assertEquals(await half.next(), 2 * PIECE.length);
  await front.stop();
});
