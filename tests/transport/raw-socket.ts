/**
 * A WebSocket client on plain TCP: it can send frames that no browser sends, and reads only when
 * the test says so.
 *
 * @module
 */
import { concat } from "@std/bytes/concat";

/** The kinds of frames, in the first byte. */
export const opcodes = {
  goesOn: 0x0,
  text: 0x1,
  binary: 0x2,
  close: 0x8,
  ping: 0x9,
  pong: 0xa,
} as const;

/** A frame from the server. */
export interface Frame {
  readonly opcode: number;
  readonly payload: Uint8Array;
}

/** A connection after the answer to its upgrade request. */
export interface RawSocket extends Disposable {
  /** The status of the answer: 101 if it is a WebSocket now. */
  readonly status: number;
  readonly head: string;
  /** Sends a frame; if it is not the last of its message, the message stays unfinished. */
  send(opcode: number, payload: Uint8Array | string, isLast?: boolean): Promise<void>;
  /** The next frame; undefined at the end of the connection. */
  read(): Promise<Frame | undefined>;
  /** The next text frame, parsed. */
  next(): Promise<ReturnType<typeof JSON.parse>>;
  /** Reads to the end; the code of the close frame, undefined if there was none. */
  closeCode(): Promise<number | undefined>;
}

/** The upgrade request for a WebSocket; an undefined header is left out. */
export function handshake(
  host: string,
  target: string,
  headers: Readonly<Record<string, string | undefined>> = {},
): string {
  const lines = Object.entries({
    host,
    connection: "Upgrade",
    upgrade: "websocket",
    "sec-websocket-version": "13",
    "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==",
    ...headers,
  });
  const given = lines.filter(([, value]) => value !== undefined);
  const head = given.map(([name, value]) => `${name}: ${value}\r\n`).join("");
  return `GET ${target} HTTP/1.1\r\n${head}\r\n`;
}

/** Requests an upgrade at `url` (`http:…` or `https:…`), with further headers. */
export async function openRaw(
  url: string,
  headers: Readonly<Record<string, string>> = {},
  caCerts: string[] = [],
): Promise<RawSocket> {
  const { hostname, port, pathname, search, host, protocol } = new URL(url);
  const address = { hostname, port: Number(port) };
  const connection = protocol === "https:"
    ? await Deno.connectTls({ ...address, caCerts })
    : await Deno.connect(address);
  let buffer = new Uint8Array();
  const chunk = new Uint8Array(256 * 1024);

  async function more(): Promise<boolean> {
    const count = await connection.read(chunk).catch(() => null);
    if (count === null) return false;
    buffer = concat([buffer, chunk.subarray(0, count)]);
    return true;
  }

  async function take(count: number): Promise<Uint8Array | undefined> {
    while (buffer.length < count) if (!await more()) return undefined;
    const taken = buffer.slice(0, count);
    buffer = buffer.subarray(count);
    return taken;
  }

  async function write(bytes: Uint8Array): Promise<void> {
    for (let at = 0; at < bytes.length;) at += await connection.write(bytes.subarray(at));
  }

  await write(new TextEncoder().encode(handshake(host, `${pathname}${search}`, headers)));
  let end = -1;
  while ((end = text(buffer).indexOf("\r\n\r\n")) < 0) {
    if (!await more()) throw new Error("the connection ended before the answer");
  }
  const answer = text((await take(end + 4))!);

  async function read(): Promise<Frame | undefined> {
    const start = await take(2);
    if (start === undefined) return undefined;
    let length = start[1]! & 0x7f;
    if (length >= 126) {
      const bytes = await take(length === 126 ? 2 : 8);
      if (bytes === undefined) return undefined;
      length = bytes.reduce((before, byte) => before * 256 + byte, 0);
    }
    const payload = await take(length);
    return payload && { opcode: start[0]! & 0x0f, payload };
  }

  return {
    status: Number(answer.split(" ")[1]),
    head: answer,
    send(opcode, payload, isLast = true) {
      const bytes = typeof payload === "string" ? new TextEncoder().encode(payload) : payload;
      return write(frame(opcode, bytes, isLast));
    },
    read,
    async next() {
      for (let one = await read(); one !== undefined; one = await read()) {
        if (one.opcode === opcodes.text) return JSON.parse(text(one.payload));
      }
      throw new Error("the connection ended");
    },
    async closeCode() {
      for (let one = await read(); one !== undefined; one = await read()) {
        if (one.opcode === opcodes.close) {
          return one.payload.length < 2 ? undefined : one.payload[0]! << 8 | one.payload[1]!;
        }
      }
    },
    [Symbol.dispose]() {
      connection.close();
    },
  };
}

function text(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}

/** A whole frame, masked with zeros, as short as its length allows. */
function frame(opcode: number, payload: Uint8Array, isLast: boolean): Uint8Array {
  const head = [(isLast ? 0x80 : 0) | opcode];
  if (payload.length < 126) head.push(0x80 | payload.length);
  else if (payload.length < 65_536) head.push(0x80 | 126, payload.length >> 8, payload.length);
  else {
    const length = BigInt(payload.length);
    head.push(
      0x80 | 127,
      ...Array.from({ length: 8 }, (_, at) => Number(length >> BigInt(56 - 8 * at) & 0xffn)),
    );
  }
  const bytes = new Uint8Array(head.length + 4 + payload.length);
  bytes.set(head);
  bytes.set(payload, head.length + 4);
  return bytes;
}
