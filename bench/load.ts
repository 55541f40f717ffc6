/**
 * A load that takes little CPU time of its own process, so that the server is the bottleneck: texts
 * of requests over plain TCP. The content of only the first answer of each connection is checked.
 *
 * @module
 */
import { concat } from "@std/bytes/concat";
import { CLOSE, createFrameReader, frame, handshake, TEXT } from "./frames.ts";
import type { ServerProcess } from "./process.ts";
import { type BenchOptions, type Figure, figureOf, quantile } from "./report.ts";

/** A connection on which the same requests are repeated. */
export interface Connection {
  /** Number of requests that one `ask` sends. */
  readonly atOnce: number;
  /** Sends the next requests and waits for their answers. */
  ask(): Promise<void>;
  close(): void;
}

/** The number of answered requests, and the time that they took. */
export interface Load {
  readonly requests: number;
  readonly seconds: number;
}

/** Asks on all connections at once for `seconds`, or until `atMost` requests are answered. */
export async function load(
  connections: readonly Connection[],
  seconds: number,
  atMost = Infinity,
): Promise<Load> {
  const start = performance.now();
  const end = start + seconds * 1000;
  let requests = 0;
  await Promise.all(connections.map(async (connection) => {
    while (performance.now() < end && requests < atMost) {
      await connection.ask();
      requests += connection.atOnce;
    }
  }));
  return { requests, seconds: (performance.now() - start) / 1000 };
}

/** Returns the text of a request of HTTP/1.1 with a body of JSON, or without one. */
export function requestText(method: string, path: string, body = ""): string {
  const ofBody = body === ""
    ? ""
    : `content-type: application/json\r\ncontent-length: ${bytesOf(body).length}\r\n`;
  return `${method} ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\n${ofBody}\r\n${body}`;
}

/**
 * Opens a keep-alive connection that sends the text that `next` gives. The length of an answer is
 * the length that it declares. Throws if an answer has another status than 200, or the first does
 * not contain `expected`.
 */
export async function openHttp(
  port: number,
  next: () => string,
  expected: string,
): Promise<Connection> {
  const socket = await connect(port);
  const buffer = new Uint8Array(64 * 1024);

  async function ask(): Promise<string> {
    await writeAll(socket, bytesOf(next()));
    let text = "";
    while (!isWhole(text)) {
      text += latin1.decode(buffer.subarray(0, await readSome(socket, buffer)));
    }
    if (!text.startsWith("HTTP/1.1 200")) throw new Error(`an unexpected answer: ${text}`);
    return text;
  }

  const first = await ask();
  if (!first.includes(expected) || first.includes('"Error"')) {
    throw new Error(`an unexpected answer: ${first}`);
  }
  return {
    atOnce: 1,
    async ask() {
      await ask();
    },
    close: () => socket.close(),
  };
}

const latin1 = new TextDecoder("latin1");

function isWhole(text: string): boolean {
  const end = text.indexOf("\r\n\r\n");
  if (end === -1) return false;
  const length = /content-length: (\d+)/i.exec(text)?.[1];
  if (length === undefined) throw new Error(`an answer without a length: ${text}`);
  return text.length >= end + 4 + Number(length);
}

/** A WebSocket that can also receive. */
export interface WebSocketConnection extends Connection {
  /** Text messages received so far, answers among them. */
  readonly received: number;
  /** Receives until `count` messages have arrived in total. */
  receive(count: number): Promise<void>;
}

/**
 * Opens a WebSocket at `/api/ws` that sends `messages` in rotation, `atOnce` of them together.
 * Throws if the first answer is not `expected`.
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

/** The figures of a server under a load, round by round. */
export interface Measured {
  /** Requests a second. */
  readonly perSecond: number[];
  /** CPU time of a request, in microseconds. */
  readonly microseconds: number[];
}

/** The end of a warm-up: by then V8 has optimized the functions that a request calls. */
const WARM_UP = { requests: 30_000, seconds: 10 };

/** Loads some servers in turns, and closes their connections. */
export async function measureLoads(
  loaded: readonly Loaded[],
  { rounds, seconds }: BenchOptions,
): Promise<Measured[]> {
  for (const { connections } of loaded) await load(connections, WARM_UP.seconds, WARM_UP.requests);
  const all = loaded.map((): Measured => ({ perSecond: [], microseconds: [] }));
  for (let round = 0; round < rounds; round++) {
    for (const [index, { server, connections }] of loaded.entries()) {
      const before = server.cpuSeconds();
      const done = await load(connections, seconds);
      const cpu = server.cpuSeconds() - before;
      all[index]!.perSecond.push(done.requests / done.seconds);
      all[index]!.microseconds.push(cpu / done.requests * 1e6);
    }
  }
  for (const { connections } of loaded) connections.forEach((connection) => connection.close());
  return all;
}

/** The targets: maximum CPU time, and minimum requests a second, as ratios to the peer. */
export interface LoadTargets {
  readonly cpu?: number;
  readonly requests?: number;
}

/** The CPU time of a request, and requests a second, which other work on the machine disturbs. */
export type LoadFigures = readonly [cpu: Figure, requests: Figure];

/** Makes the figures of a load. */
export function loadFigures(
  name: string,
  ours: Measured,
  peer: Measured,
  targets: LoadTargets,
): LoadFigures {
  const atMost = targets.cpu === undefined ? undefined : { atMost: targets.cpu };
  const atLeast = targets.requests === undefined ? undefined : { atLeast: targets.requests };
  const cpu = figureOf(name, "CPU us", ours.microseconds, peer.microseconds, "ratio", atMost);
  const sides = { ours: undisturbed(ours), peer: undisturbed(peer) };
  return [
    { ...cpu, ...sides, compared: sides.ours / sides.peer },
    figureOf("  wall clock", "requests/s", ours.perSecond, peer.perSecond, "ratio", atLeast),
  ];
}

/**
 * Returns the lower quartile, since other work on the machine only adds to the CPU time of a
 * request.
 */
function undisturbed({ microseconds }: Measured): number {
  return quantile(microseconds, 0.25);
}

/** Connects to a server of this machine. */
export async function connect(port: number): Promise<Deno.TcpConn> {
  const socket = await Deno.connect({ hostname: "127.0.0.1", port });
  socket.setNoDelay();
  return socket;
}

/** Writes all of the given bytes. */
export async function writeAll(socket: Deno.TcpConn, bytes: Uint8Array): Promise<void> {
  let written = await socket.write(bytes);
  while (written < bytes.length) written += await socket.write(bytes.subarray(written));
}

/** Reads into a buffer; resolves with the number of bytes. */
export async function readSome(socket: Deno.TcpConn, buffer: Uint8Array): Promise<number> {
  const count = await socket.read(buffer);
  if (count === null) throw new Error("the server closed the connection");
  return count;
}

const PATIENCE_MS = 5000;

/** Reads until the answer is whole; throws if it is not in time. */
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
