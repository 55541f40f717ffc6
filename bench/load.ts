/**
 * A load that costs its own process little, so that the server is what limits it: requests made
 * beforehand, over plain TCP; of the answers only the length is looked at, once the first of each
 * connection has been read.
 *
 * @module
 */
import { concat } from "@std/bytes/concat";
import { CLOSE, createFrameReader, frame, handshake, TEXT } from "./frames.ts";
import type { ServerProcess } from "./process.ts";
import { type BenchOptions, type Figure, figureOf } from "./report.ts";

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
  await writeAll(socket, bytesOf(handshake(port)));
  await readUntil(socket, (text) => text.endsWith("\r\n\r\n"));

  const frames = messages.map((message) => frame(TEXT, message));
  const batches = frames.map((_, first) =>
    concat(Array.from({ length: atOnce }, (_, at) => frames[(first + at) % frames.length]!))
  );
  const buffer = new Uint8Array(256 * 1024);
  let received = 0;
  let sent = 0;
  const read = createFrameReader((opcode) => {
    if (opcode === CLOSE) throw new Error("the server closed the WebSocket");
    if (opcode === TEXT) received++;
  });

  async function receive(count: number): Promise<void> {
    while (received < count) read(buffer.subarray(0, await readSome(socket, buffer)));
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

/** A server, and the connections on which it is loaded. */
export interface Loaded {
  readonly server: ServerProcess;
  readonly connections: readonly Connection[];
}

/** What a server did under a load, round by round. */
export interface Measured {
  /** Requests a second. */
  readonly perSecond: number[];
  /** CPU time of a request, in microseconds. */
  readonly microseconds: number[];
  /** Cores in use. */
  readonly busy: number[];
}

/** Loads some servers in turns, and closes their connections. */
export async function measureLoads(
  loaded: readonly Loaded[],
  warmUpSeconds: number,
  { rounds, seconds }: BenchOptions,
): Promise<Measured[]> {
  for (const { connections } of loaded) await load(connections, warmUpSeconds);
  const all = loaded.map((): Measured => ({ perSecond: [], microseconds: [], busy: [] }));
  for (let round = 0; round < rounds; round++) {
    for (const [index, { server, connections }] of loaded.entries()) {
      const before = server.cpuSeconds();
      const done = await load(connections, seconds);
      const cpu = server.cpuSeconds() - before;
      all[index]!.perSecond.push(done.requests / done.seconds);
      all[index]!.microseconds.push(cpu / done.requests * 1e6);
      all[index]!.busy.push(cpu / done.seconds);
    }
  }
  for (const { connections } of loaded) connections.forEach((connection) => connection.close());
  return all;
}

/**
 * The figures of a load. The CPU explains the first: a server that is not busy was not what limited
 * its requests, and then they understate it.
 */
export function loadFigures(
  name: string,
  ours: Measured,
  peer: Measured,
  target?: Figure["target"],
): Figure[] {
  return [
    figureOf(name, "requests/s", ours.perSecond, peer.perSecond, "ratio", target),
    figureOf("  server CPU", "us/request", ours.microseconds, peer.microseconds, "ratio"),
    figureOf("  server busy", "cores", ours.busy, peer.busy, "ratio"),
  ];
}

/** Connects to a server of this machine. */
export async function connect(port: number): Promise<Deno.TcpConn> {
  const socket = await Deno.connect({ hostname: "127.0.0.1", port });
  socket.setNoDelay();
  return socket;
}

/** Writes all of some bytes. */
export async function writeAll(socket: Deno.TcpConn, bytes: Uint8Array): Promise<void> {
  let written = await socket.write(bytes);
  while (written < bytes.length) written += await socket.write(bytes.subarray(written));
}

/** Reads into a buffer; resolves with how many bytes. */
export async function readSome(socket: Deno.TcpConn, buffer: Uint8Array): Promise<number> {
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

function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}
