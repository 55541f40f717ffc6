/**
 * Clients of `hostile.ts` made by hand on TCP, from any address of this machine: they send what no
 * browser would, and read only what they want to.
 *
 * @module
 */
import { concat } from "@std/bytes/concat";
import { Buffer } from "node:buffer";
import { connect, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";

/** Where attackers are; the honest client is elsewhere. */
export const ATTACKER = "127.0.0.66";
/** Where the honest client is. */
export const HONEST = "127.0.0.2";

/** The `number`-th of so many attackers that each have an address of their own. */
export function attackerAt(number: number): string {
  return `127.0.1.${1 + number % 250}`;
}

/** First bytes of frames, and what is added where no other frame of the message follows. */
export const CONTINUATION = 0x0, TEXT = 0x1, CLOSE = 0x8, PING = 0x9, PONG = 0xa, LAST = 0x80;

/** A TCP connection to the service, from an address of this machine; over TLS where it is asked for. */
export function dial(port: number, from = ATTACKER, isTls = false): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const tcp = connect({ port, host: "127.0.0.1", localAddress: from });
    const socket = isTls ? connectTls({ socket: tcp, rejectUnauthorized: false }) : tcp;
    tcp.once("error", reject);
    socket.once("error", reject);
    socket.once(isTls ? "secureConnect" : "connect", () => {
      socket.off("error", reject);
      // Whatever becomes of it is seen at its end.
      socket.on("error", () => {});
      socket.setNoDelay();
      // Each write that is under way listens for its end.
      socket.setMaxListeners(0);
      resolve(socket);
    });
  });
}

/** Resolves once the system has taken the bytes, or the connection is gone. */
export function write(socket: Socket, bytes: Uint8Array | string): Promise<void> {
  return new Promise((resolve) => {
    if (socket.destroyed) return resolve();
    socket.once("close", resolve);
    socket.write(bytes, () => {
      socket.off("close", resolve);
      resolve();
    });
  });
}

/** Resolves at the end of a connection. */
export function gone(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    if (socket.destroyed) resolve();
    else socket.once("close", () => resolve());
  });
}

/** Hears the frames of a WebSocket but for pings: what a frame is, and what is in it. */
export type Hear = (opcode: number, payload: Uint8Array) => void;

/** A WebSocket, or what became of the wish for one. */
export interface Wire {
  readonly socket: Socket;
  /** 101 where it is a WebSocket. */
  readonly status: number;
  /** Sends a frame; by default a whole message of text. */
  send(payload: Uint8Array | string, first?: number): Promise<void>;
}

const HANDSHAKE = "connection: Upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\n" +
  "sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n";

/**
 * Opens a WebSocket. With `hear` its frames are read and told, and pings answered; without it
 * nothing is read after the handshake.
 */
export async function openWire(
  port: number,
  { from, hear, token, isTls }: { from?: string; hear?: Hear; token?: string; isTls?: boolean } =
    {},
): Promise<Wire> {
  const socket = await dial(port, from, isTls);
  const bearer = token === undefined ? "" : `authorization: Bearer ${token}\r\n`;
  await write(
    socket,
    `GET /api/ws HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\n${bearer}${HANDSHAKE}\r\n`,
  );
  const head = await headOf(socket);
  if (hear === undefined) socket.pause();
  else listen(socket, hear);
  return {
    socket,
    status: statusOf(head),
    send: (payload, first = LAST | TEXT) => write(socket, frame(payload, first)),
  };
}

/** The status in the head of an answer; 0 where there is none. */
export function statusOf(head: string): number {
  return Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1] ?? 0);
}

/** Reads the head of an answer; what follows it is read by who reads on. Empty at the end. */
export function headOf(socket: Socket): Promise<string> {
  return new Promise((resolve) => {
    let come = new Uint8Array();
    const end = (head: string) => {
      socket.off("data", take);
      socket.off("close", close);
      resolve(head);
    };
    const close = () => end("");
    const take = (chunk: Uint8Array) => {
      come = concat([come, chunk]);
      const text = new TextDecoder("latin1").decode(come);
      const at = text.indexOf("\r\n\r\n");
      if (at < 0) return;
      socket.pause();
      const rest = come.subarray(at + 4);
      if (rest.length > 0) socket.unshift(Buffer.from(rest));
      end(text.slice(0, at));
    };
    if (socket.destroyed) return resolve("");
    socket.on("close", close);
    socket.on("data", take);
    socket.resume();
  });
}

function listen(socket: Socket, hear: Hear): void {
  const chunks: Uint8Array[] = [];
  let held = 0;

  /** The first `count` bytes in one piece. */
  function front(count: number): Uint8Array {
    if (chunks[0]!.length < count) chunks.splice(0, chunks.length, concat(chunks));
    return chunks[0]!.subarray(0, count);
  }

  function drop(count: number): void {
    held -= count;
    const rest = chunks[0]!.subarray(count);
    if (rest.length > 0) chunks[0] = rest;
    else chunks.shift();
  }

  socket.on("data", (chunk: Uint8Array) => {
    chunks.push(chunk);
    held += chunk.length;
    while (held >= 2) {
      const short = front(2)[1]! & 0x7f;
      const head = short < 126 ? 2 : short === 126 ? 4 : 10;
      if (held < head) return;
      const bytes = front(head);
      const view = new DataView(bytes.buffer, bytes.byteOffset, head);
      const length = short < 126
        ? short
        : short === 126
        ? view.getUint16(2)
        : Number(view.getBigUint64(2));
      if (held < head + length) return;
      const whole = front(head + length);
      const opcode = whole[0]! & 0x0f;
      if (opcode === PING) write(socket, frame(whole.subarray(head), LAST | PONG));
      else hear(opcode, whole.subarray(head));
      // As the protocol has it: who is told goodbye says it, too, and goes.
      if (opcode === CLOSE) socket.end(frame(whole.subarray(head), LAST | CLOSE));
      drop(head + length);
    }
  });
  socket.resume();
}

/** A frame, masked with zeros as a client's must be. */
function frame(content: Uint8Array | string, first: number): Uint8Array {
  const payload = typeof content === "string" ? new TextEncoder().encode(content) : content;
  const { length } = payload;
  const head = new Uint8Array(length < 126 ? 6 : length < 65_536 ? 8 : 14);
  const view = new DataView(head.buffer);
  head[0] = first;
  head[1] = 0x80 | (length < 126 ? length : length < 65_536 ? 126 : 127);
  if (head.length === 8) view.setUint16(2, length);
  else if (head.length === 14) view.setBigUint64(2, BigInt(length));
  return concat([head, payload]);
}
