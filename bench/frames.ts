/**
 * WebSocket frames that are made and read by hand: for clients that take little CPU time, or that
 * send frames that no browser would.
 *
 * @module
 */
import { concat } from "@std/bytes/concat";

/** Opcodes of frames, and the bit that says that no other frame of the message follows. */
export const TEXT = 0x1, CLOSE = 0x8, PING = 0x9, PONG = 0xa, LAST = 0x80;

/** The request that opens a WebSocket. */
export function handshake(port: number, token?: string): string {
  const bearer = token === undefined ? "" : `authorization: Bearer ${token}\r\n`;
  return `GET /api/ws HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\n${bearer}connection: Upgrade\r\n` +
    "upgrade: websocket\r\nsec-websocket-version: 13\r\n" +
    "sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n";
}

/** Makes a whole frame, masked as a client's must be: with zeros, which change nothing. */
export function frame(opcode: number, content: Uint8Array | string): Uint8Array {
  const payload = typeof content === "string" ? new TextEncoder().encode(content) : content;
  const { length } = payload;
  const head = new Uint8Array(length < 126 ? 6 : length < 65_536 ? 8 : 14);
  const view = new DataView(head.buffer);
  head[0] = LAST | opcode;
  head[1] = 0x80 | (length < 126 ? length : length < 65_536 ? 126 : 127);
  if (head.length === 8) view.setUint16(2, length);
  else if (head.length === 14) view.setBigUint64(2, BigInt(length));
  return concat([head, payload]);
}

/** Receives each frame: its opcode, and its payload, which is valid until the function returns. */
export type FrameListener = (opcode: number, payload: Uint8Array) => void;

/** Makes a reader of the frames of a server; it gets the bytes as they arrive. */
export function createFrameReader(listener: FrameListener): (bytes: Uint8Array) => void {
  let chunks: Uint8Array[] = [];
  let held = 0;
  /** Number of bytes that have to arrive before more of the frame can be read. */
  let needed = 2;
  return (bytes) => {
    chunks.push(bytes);
    held += bytes.length;
    if (held < needed) return void (chunks[chunks.length - 1] = bytes.slice());
    let rest = chunks.length === 1 ? bytes : concat(chunks);
    for (;;) {
      const payload = payloadOf(rest);
      needed = payload === undefined ? rest.length + 1 : payload.to;
      if (payload === undefined || rest.length < payload.to) break;
      listener(rest[0]! & 0x0f, rest.subarray(payload.from, payload.to));
      rest = rest.subarray(payload.to);
    }
    chunks = rest.length === 0 ? [] : [rest.slice()];
    held = rest.length;
  };
}

/** The start and the end of the payload of a frame; undefined while its head is not whole. */
function payloadOf(bytes: Uint8Array): { readonly from: number; readonly to: number } | undefined {
  if (bytes.length < 2) return undefined;
  const short = bytes[1]! & 0x7f;
  const from = short < 126 ? 2 : short === 126 ? 4 : 10;
  if (bytes.length < from) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  if (short === 127) return { from, to: from + Number(view.getBigUint64(2)) };
  return { from, to: from + (short === 126 ? view.getUint16(2) : short) };
}
