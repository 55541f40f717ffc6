import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { listenTls } from "../../../transport/deno/tls-front.ts";
import type { Service } from "../../../transport/arrival.ts";
import { machineTimer } from "../../../program/clock.ts";
import { passingTime } from "../../timers.ts";

const read = (name: string) =>
  Deno.readTextFileSync(new URL(`../../program/certificates/${name}.pem`, import.meta.url));
const one = read("one");
const keyAt = one.indexOf("-----BEGIN PRIVATE KEY");
const tls = { certificate: one.slice(0, keyAt), key: one.slice(keyAt) };

const REQUEST = new TextEncoder().encode("GET / HTTP/1.1\r\nhost: one.test\r\n\r\n");

/** A front that cuts off after `unreadMs`, and a client that has asked it for something. */
async function asked(service: Service, unreadMs: number) {
  const parts = { service, timer: machineTimer, onFault: () => {} };
  const front = listenTls({ hostname: "127.0.0.1", port: 0 }, parts, unreadMs);
  front.setCertificate(tls);
  const { port } = front.address;
  const plain = await Deno.connect({ hostname: "127.0.0.1", port });
  const client = await Deno.startTls(plain, { hostname: "one.test", caCerts: [read("ca")] });
  await client.write(REQUEST);
  return { front, client };
}

/** Reads to the end; how many bytes came. */
async function readAll(client: Deno.TlsConn): Promise<number> {
  const buffer = new Uint8Array(64 * 1024);
  let bytes = 0;
  try {
    for (;;) {
      const count = await client.read(buffer);
      if (count === null) return bytes;
      bytes += count;
    }
  } catch {
    return bytes; // cut off in the middle of a record
  }
}

/** How a body may go on while its client does not read. */
const bodies = {
  "is still to come": () => {},
  "has failed": (body: ReadableStreamDefaultController) => body.error(new Error("given up")),
};

for (const [what, meanwhile] of Object.entries(bodies)) {
  Deno.test(`a client that does not read is cut off at both ends where the rest ${what}`, async () => {
    let made = 0;
    const service: Service = () => {
      const body = new ReadableStream({
        pull(controller) {
          made += 65_536;
          controller.enqueue(new Uint8Array(65_536));
          setTimeout(() => meanwhile(controller), 200);
        },
      });
      return new Response(body);
    };
    const { front, client } = await asked(service, 400);
    // Nothing more is taken, and has not been for longer than is waited for.
    for (let before = -1; before !== made;) {
      before = made;
      await new Promise((resolve) => setTimeout(resolve, 800));
    }
    const received = await readAll(client);
    assert(received < made, `${received} of ${made} bytes came`);
    client.close();
    // It waits for whoever is still connected.
    await front.stop();
  });
}

Deno.test("one who reads slowly is not cut off", async () => {
  const [bytes, between] = [16 * 1024 * 1024, 2 * 1024 * 1024];
  const service: Service = () => new Response(new Uint8Array(bytes));
  const { front, client } = await asked(service, 2000);
  const buffer = new Uint8Array(64 * 1024);
  let received = 0;
  for (let paused = 0; received < bytes;) {
    const count = await client.read(buffer);
    if (count === null) break;
    received += count;
    if (received - paused < between) continue;
    paused = received;
    await new Promise((resolve) => setTimeout(resolve, 300));
  }
  assert(received >= bytes, `${received} bytes came`);
  client.close();
  await front.stop();
});

/** A front whose time passes when the test says so, for two connections of an address. */
function idleFront() {
  const { timer, pass } = passingTime();
  const service: Service = () => new Response("here");
  const connectionsPerAddress = () => 2;
  const parts = { service, timer, onFault: () => {}, connectionsPerAddress };
  const front = listenTls({ hostname: "127.0.0.1", port: 0 }, parts);
  front.setCertificate(tls);
  const { port } = front.address;
  return { front, pass, connect: () => Deno.connect({ hostname: "127.0.0.1", port }) };
}

/** The next bytes as text; "" at the end of the connection. */
async function next(connection: Deno.Conn): Promise<string> {
  const buffer = new Uint8Array(4096);
  const count = await connection.read(buffer).catch(() => null);
  return new TextDecoder().decode(buffer.subarray(0, count ?? 0));
}

Deno.test("a connection that brings nothing for 10 s, or on which nothing passes for 60 s, is closed", async () => {
  const { front, pass, connect } = idleFront();
  using silent = await connect();
  using client = await Deno.startTls(await connect(), {
    hostname: "one.test",
    caCerts: [read("ca")],
  });
  await client.write(REQUEST);
  assertStringIncludes(await next(client), "200 OK");
  pass(10_000);
  assertEquals(await next(silent), "");
  pass(49_999);
  await client.write(REQUEST);
  assertStringIncludes(await next(client), "200 OK");
  pass(60_000);
  assertEquals(await next(client), "");
  await front.stop();
});

Deno.test("an address has at most limits.connectionsPerAddress connections over TLS", async () => {
  const { front, connect } = idleFront();
  const [one, two] = [await connect(), await connect()];
  using third = await connect();
  assertEquals(await next(third), "");
  one.close();
  using client = await untilServed(connect);
  await client.write(REQUEST);
  assertStringIncludes(await next(client), "200 OK");
  two.close();
  await front.stop();
});

/** Connects until there is a place again: that one is gone is seen a little later. */
async function untilServed(connect: () => Promise<Deno.TcpConn>): Promise<Deno.TlsConn> {
  for (;;) {
    const client = await Deno.startTls(await connect(), {
      hostname: "one.test",
      caCerts: [read("ca")],
    });
    const done = await client.handshake().then(() => true, () => false);
    if (done) return client;
    client.close();
  }
}
