/** The client in Node. */
import { assertEquals } from "@std/assert";
import { connect } from "../../../runtimes/node/connect.ts";
import { startConsole } from "../../../runtimes/node/node.ts";

const GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

/** Less than the 30 s for which `ws` waits by itself, and more than any machine needs. */
const PATIENCE_MS = 20_000;

/** Accepts a WebSocket, and sends nothing more. */
async function openFrozen(connection: Deno.Conn): Promise<void> {
  const buffer = new Uint8Array(4096);
  const count = await connection.read(buffer);
  const head = new TextDecoder().decode(buffer.subarray(0, count!));
  const [, key] = /sec-websocket-key: *(\S+)/i.exec(head)!;
  const hash = await crypto.subtle.digest("SHA-1", new TextEncoder().encode(`${key}${GUID}`));
  const accept = new Uint8Array(hash).toBase64();
  const lines = ["HTTP/1.1 101 x", "connection: Upgrade", "upgrade: websocket"];
  const answer = `${lines.join("\r\n")}\r\nsec-websocket-accept: ${accept}\r\n\r\n`;
  await connection.write(new TextEncoder().encode(answer));
}

Deno.test("a client that is closed ends its connection to a console that is frozen", async () => {
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const desk = connect(`ws://127.0.0.1:${listener.addr.port}/api/ws`);
  using connection = await listener.accept();
  await openFrozen(connection);
  await desk.ready();
  await desk.close();
  const limit = setTimeout(() => connection.close(), PATIENCE_MS);
  for (;;) {
    const count = await connection.read(new Uint8Array(64));
    if (count === null) break;
  }
  clearTimeout(limit);
  assertEquals(desk.state, "closed");
});

Deno.test("a console holds none of its clients that has been closed", async () => {
  await using desk = await startConsole();
  const client = desk.connect();
  await client.ready();
  await client.close();
  let closes = 0;
  Object.assign(client, { close: () => Promise.resolve(closes++) });
  await desk.stop();
  assertEquals(closes, 0);
});
