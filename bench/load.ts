/**
 * A load that costs its own process little, so that the server is what limits it: requests made
 * beforehand, over plain TCP; of the answers only the length is looked at, once the first of each
 * connection has been read.
 *
 * @module
 */
import { concat } from "@std/bytes/concat";

/** A connection on which the same is asked again and again. */
export interface Connection {
  /** Requests that one `ask` sends. */
  readonly atOnce: number;
  /** Sends the next requests and waits for their answers. */
  ask(): Promise<void>;
  close(): void;
}

/** How much was answered in how long. */
export interface Load {
  readonly requests: number;
  readonly seconds: number;
}

/** Asks on all connections at once for `seconds`. */
export async function load(connections: readonly Connection[], seconds: number): Promise<Load> {
  const start = performance.now();
  const end = start + seconds * 1000;
  let requests = 0;
  await Promise.all(connections.map(async (connection) => {
    while (performance.now() < end) {
      await connection.ask();
      requests += connection.atOnce;
    }
  }));
  return { requests, seconds: (performance.now() - start) / 1000 };
}

/**
 * A keep-alive connection that POSTs `body` to `/api/rest`. Throws where the first answer is not
 * `expected`, or a later one not as long.
 */
export async function openHttp(port: number, body: string, expected: string): Promise<Connection> {
  const socket = await connect(port);
  const request = bytesOf(
    `POST /api/rest HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\ncontent-type: application/json\r\n` +
      `content-length: ${bytesOf(body).length}\r\n\r\n${body}`,
  );
  const buffer = new Uint8Array(64 * 1024);

  await writeAll(socket, request);
  const first = await readUntil(socket, (text) => text.endsWith(expected));
  const length = bytesOf(first).length;
  return {
    atOnce: 1,
    async ask() {
      await writeAll(socket, request);
      let received = 0;
      while (received < length) received += await readSome(socket, buffer);
      if (received > length) throw new Error(`expected ${length} bytes, got ${received}`);
    },
    close: () => socket.close(),
  };
}

/** A WebSocket that can also be listened to. */
export interface WebSocketConnection extends Connection {
  /** Text messages received so far, answers among them. */
  readonly received: number;
  /** Receives until `count` messages have come in all. */
  receive(count: number): Promise<void>;
}

const HANDSHAKE = "connection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\n" +
  "sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n";

/**
 * A WebSocket at `/api/ws` that sends `messages` in turns, `atOnce` of them together. Throws where
 * the first answer is not `expected`.
 */
export async function openWebSocket(
  port: number,
  messages: readonly string[],
  atOnce: number,
  expected: string,
): Promise<WebSocketConnection> {
  const socket = await connect(port);
  await writeAll(
    socket,
    bytesOf(`GET /api/ws HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\n${HANDSHAKE}\r\n`),
  );
  await readUntil(socket, (text) => text.endsWith("\r\n\r\n"));

  const frames = messages.map(textFrame);
  const batches = frames.map((_, first) =>
    concat(Array.from({ length: atOnce }, (_, at) => frames[(first + at) % frames.length]!))
  );
  const buffer = new Uint8Array(256 * 1024);
  let held = 0;
  let received = 0;
  let sent = 0;

  /** Counts whole frames at the start of the buffer, and drops them. */
  function countFrames(): void {
    let at = 0;
    while (held - at >= 2) {
      const short = buffer[at + 1]! & 0x7f;
      if (short === 127) throw new Error("a message is longer than this client takes");
      if (short === 126 && held - at < 4) break;
      const whole = short < 126 ? 2 + short : 4 + (buffer[at + 2]! << 8) + buffer[at + 3]!;
      if (held - at < whole) break;
      const opcode = buffer[at]! & 0x0f;
      if (opcode === 8) throw new Error("the server closed the WebSocket");
      if (opcode === 1) received++;
      at += whole;
    }
    buffer.copyWithin(0, at, held);
    held -= at;
  }

  async function receive(count: number): Promise<void> {
    while (received < count) {
      held += await readSome(socket, buffer.subarray(held));
      countFrames();
    }
  }

  const connection: WebSocketConnection = {
    get received() {
      return received;
    },
    receive,
    atOnce,
    async ask() {
      await writeAll(socket, batches[sent % batches.length]!);
      sent += atOnce;
      await receive(received + atOnce);
    },
    close: () => socket.close(),
  };
  await writeAll(socket, frames[sent++ % frames.length]!);
  await readUntil(socket, (text) => text.endsWith(expected));
  received++;
  return connection;
}

async function connect(port: number): Promise<Deno.TcpConn> {
  const socket = await Deno.connect({ hostname: "127.0.0.1", port });
  socket.setNoDelay();
  return socket;
}

async function writeAll(socket: Deno.TcpConn, bytes: Uint8Array): Promise<void> {
  let written = await socket.write(bytes);
  while (written < bytes.length) written += await socket.write(bytes.subarray(written));
}

async function readSome(socket: Deno.TcpConn, buffer: Uint8Array): Promise<number> {
  const count = await socket.read(buffer);
  if (count === null) throw new Error("the server closed the connection");
  return count;
}

const PATIENCE_MS = 5000;

/** What comes, until it is whole. */
async function readUntil(
  socket: Deno.TcpConn,
  isWhole: (text: string) => boolean,
): Promise<string> {
  const buffer = new Uint8Array(64 * 1024);
  let text = "";
  const impatience = setTimeout(() => socket.close(), PATIENCE_MS);
  try {
    while (!isWhole(text)) {
      text += new TextDecoder().decode(buffer.subarray(0, await readSome(socket, buffer)));
    }
  } catch {
    throw new Error(`an unexpected answer: ${text}`);
  } finally {
    clearTimeout(impatience);
  }
  return text;
}

/** A text frame, masked (with zeros) as a client's must be. */
function textFrame(text: string): Uint8Array {
  const payload = bytesOf(text);
  const length = payload.length < 126
    ? [0x80 | payload.length]
    : [0x80 | 126, payload.length >> 8, payload.length & 0xff];
  return Uint8Array.from([0x81, ...length, 0, 0, 0, 0, ...payload]);
}

function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}
