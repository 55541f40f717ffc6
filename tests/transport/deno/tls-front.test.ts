import { assert } from "@std/assert";
import { listenTls } from "../../../transport/deno/tls-front.ts";
import type { Service } from "../../../transport/arrival.ts";
import { machineTimer } from "../../../program/clock.ts";

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
