/** Hundreds of clients that disconnect before the end of their handshake. */
import { assert, assertEquals } from "@std/assert";
import { connect } from "node:net";
import { demoWith, openSocket } from "../service.ts";
import { openRaw } from "../transport/raw-socket.ts";
import { type Running, startFaderd, temporaryFolder } from "./faderd.ts";

const CONNECTIONS = 20;
const ABORTED = 400;
/**
 * Maximum number of descriptors that stay open: Deno 2.9 never closes the descriptor of a
 * connection that is reset during the answer.
 */
const KEPT = ABORTED / 10;

/** A service with a small limit of connections. */
async function start(folder: string): Promise<Running> {
  const config = `${folder}/faderd.json`;
  const limits = { connections: CONNECTIONS };
  await Deno.writeTextFile(config, JSON.stringify(demoWith({ limits })));
  return await startFaderd("--config", config, "--data", `${folder}/data`);
}

/** The number of descriptors of a process; 0 if the machine does not show it. */
async function descriptors({ pid }: Running): Promise<number> {
  const { stdout } = await new Deno.Command("ls", { args: [`/proc/${pid}/fd`] }).output();
  return new TextDecoder().decode(stdout).split("\n").length - 1;
}

async function active({ url }: Running): Promise<number> {
  return await (await fetch(`${url}/api/rest/general/_activewebsockets`)).json();
}

/** Requests a WebSocket, and ends the connection before the answer. */
function abort(url: URL, how: "reset" | "close"): Promise<void> {
  const request = "GET /api/ws HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: Upgrade\r\n" +
    "upgrade: websocket\r\nsec-websocket-version: 13\r\n" +
    "sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n";
  return new Promise((resolve, reject) => {
    const socket = connect(Number(url.port), url.hostname);
    socket.on("connect", () => {
      socket.write(request, () => how === "reset" ? socket.resetAndDestroy() : socket.destroy());
    });
    socket.on("close", () => resolve());
    socket.on("error", reject);
  });
}

for (const how of ["reset", "close"] as const) {
  Deno.test(`${ABORTED} clients that ${how} before their handshake ends take no place, and at most ${KEPT} descriptors`, async () => {
    await using folder = await temporaryFolder();
    await using service = await start(folder.path);
    const url = new URL(service.url);
    const before = await descriptors(service);
    for (let wave = 0; wave < ABORTED / 20; wave++) {
      await Promise.all(Array.from({ length: 20 }, () => abort(url, how)));
    }
    const end = performance.now() + 60_000;
    const held = async () => [await active(service), await descriptors(service) - before] as const;
    for (let [clients, more] = await held(); clients > 0 || more > KEPT;) {
      assert(performance.now() < end, `${clients} clients and ${more} descriptors are still held`);
      [clients, more] = await held();
    }
    const address = `${service.url.replace("http", "ws")}/api/ws`;
    const opening = Array.from({ length: CONNECTIONS }, () => openSocket(address));
    const sockets = await Promise.all(opening);
    assertEquals(await active(service), CONNECTIONS);
    {
      using one = await openRaw(`${service.url}/api/ws`);
      assertEquals(one.status, 503, "the limit of connections is reached");
    }
    for (const socket of sockets) await socket.close();
  });
}
