/** Streams of HTTP/2 with unread answers: over TLS one connection may have hundreds. */
import { type ClientHttp2Session, connect } from "node:http2";
import { assertEquals } from "@std/assert";
import { machineScheduler, machineTimer } from "../../../runtimes/clock.ts";
import { listen } from "../../../runtimes/deno/server.ts";
import { demoWith, realClock, serviceOf, testConsole } from "../../service.ts";

const PLACES = 4;
const pem = Deno.readTextFileSync(
  new URL("../../program/certificates/one.pem", import.meta.url),
);
const keyAt = pem.indexOf("-----BEGIN PRIVATE KEY");
const tls = { certificate: pem.slice(0, keyAt), key: pem.slice(keyAt) };

const file = {
  type: "text/javascript",
  version: "00ff",
  isImmutable: true,
  gzip: new Uint8Array(
    await new Response(
      new Blob([new Uint8Array(100_000)]).stream().pipeThrough(new CompressionStream("gzip")),
    ).arrayBuffer(),
  ),
  brotli: new Uint8Array(2000),
};

async function openConsole() {
  const limits = { connectionsPerAddress: PLACES, rest: { trustProxy: true, burst: 0 } };
  const console = await testConsole({ configuration: demoWith({ limits }) });
  const view = new Map([["/script", file]]);
  const world = { clock: realClock, timer: machineTimer, scheduler: machineScheduler(), view };
  const { service } = serviceOf(console, world);
  const onFault = (fault: unknown) => {
    throw fault;
  };
  const parts = { service, timer: machineTimer, onFault };
  const connection = { client: "192.0.2.9", asked() {}, opened() {}, heard() {} };
  const server = listen({ hostname: "127.0.0.1", port: 0 }, parts, {
    tls,
    connectionAt: () => connection,
  });
  const address = `https://127.0.0.1:${server.address.port}`;
  return {
    server,
    connect: (initialWindowSize: number) =>
      connect(address, { rejectUnauthorized: false, settings: { initialWindowSize } }),
  };
}

/** Sends a request in a stream; the status, and the bytes of the body once it has ended. */
function ask(session: ClientHttp2Session, path: string, from: string, encoding = "identity") {
  const headers = { ":path": path, "x-forwarded-for": from, "accept-encoding": encoding };
  const stream = session.request(headers);
  const status = new Promise<number>((resolve) => {
    stream.on("response", ({ ":status": status }) => resolve(Number(status)));
  });
  let bytes = 0;
  stream.on("data", (piece: Uint8Array) => bytes += piece.length);
  const body = new Promise<number>((resolve) => stream.on("end", () => resolve(bytes)));
  stream.end();
  return { status, body };
}

const answers: Readonly<Record<string, readonly [path: string, encoding: string]>> = {
  "a script of the page": ["/script", "br"],
  "an uncompressed script of the page": ["/script", "identity"],
};

for (const [what, [path, encoding]] of Object.entries(answers)) {
  Deno.test(`over HTTP/2 ${what} takes a place of its address until it is read`, async () => {
    const { server, connect } = await openConsole();
    const greedy = connect(0);
    const honest = connect(65_535);
    const statuses: number[] = [];
    for (let count = 0; count < PLACES + 2; count++) {
      statuses.push(await ask(greedy, path, "192.0.2.1", encoding).status);
    }
    const first = statuses[0]!;
    assertEquals(statuses, [first, first, first, first, 503, 503]);
    assertEquals(await ask(honest, path, "192.0.2.2", encoding).status, first);
    for (let count = 0; count < PLACES + 1; count++) {
      await ask(honest, path, "192.0.2.2", encoding).body;
    }
    assertEquals(await ask(honest, path, "192.0.2.1").body, 0, "no body for who has no place");
    greedy.destroy();
    while (await ask(honest, path, "192.0.2.1").status === 503);
    honest.destroy();
    await server.stop();
  });
}

Deno.test("over HTTP/2 /health is answered if its address has no place left, and takes none", async () => {
  const { server, connect } = await openConsole();
  const greedy = connect(0);
  for (let count = 0; count < 2 * PLACES; count++) {
    assertEquals(await ask(greedy, "/health", "192.0.2.1").status, 200);
  }
  for (let count = 0; count < PLACES; count++) {
    assertEquals(await ask(greedy, "/script", "192.0.2.1").status, 200);
  }
  assertEquals(await ask(greedy, "/script", "192.0.2.1").status, 503);
  assertEquals(await ask(greedy, "/health", "192.0.2.1").status, 200);
  greedy.destroy();
  await server.stop();
});
