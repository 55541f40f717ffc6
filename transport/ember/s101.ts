/**
 * S101, the framing of Ember+ on TCP: packets between FE and FF with escaped bytes and a checksum,
 * and messages of one or more packets. The second framing, without escapes (F8), is skipped: a
 * consumer that probes it and gets no answer uses the first one.
 *
 * @module
 */
import { EMBER_MESSAGE_BYTES, EMBER_PACKET_BYTES } from "../../core/limits.ts";

const BEGIN = 0xfe;
const END = 0xff;
const ESCAPE = 0xfd;
const ESCAPED = 0x20;
const UNESCAPED_FRAME = 0xf8;

/** Bytes from here on are escaped. */
const FIRST_ESCAPED = 0xf8;

/** Maximum number of length bytes of the framing without escapes. */
const LENGTH_BYTES = 7;

const SLOT = 0x00;
const EMBER = 0x0e;
const VERSION = 0x01;

/** The kinds of packets. */
const commands = { message: 0x00, askAlive: 0x01, alive: 0x02 } as const;

/** Flags for the place of a packet in its message. */
const FIRST = 0x80;
const LAST = 0x40;
const EMPTY = 0x20;

const GLOW = 0x01;
/** The version of Glow, 2.31, as other providers send it: the minor number, then the major one. */
const GLOW_VERSION = [0x1f, 0x02];

/** Number of bytes of a packet before its part of the message. */
const HEADER_BYTES = 9;

/** Minimum size of a packet in bytes: the checksum and a header. */
const LEAST_BYTES = 6;

/** The remainder of the CRC of a packet with a correct checksum. */
const RESIDUE = 0xf0b8;

const POLYNOMIAL = 0x8408;
const crcTable = Uint16Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? crc >> 1 ^ POLYNOMIAL : crc >> 1;
  return crc;
});

/** Returns the CRC-16 of bytes, not inverted yet. */
function crcOf(bytes: Uint8Array): number {
  let crc = 0xffff;
  for (const byte of bytes) crc = crc >> 8 ^ crcTable[(crc ^ byte) & 0xff]!;
  return crc;
}

/** Says whether a byte can be the first of a frame, in either framing. */
export function beginsFrame(byte: number | undefined): boolean {
  return byte === BEGIN || byte === UNESCAPED_FRAME;
}

/** Receives the messages of a consumer. */
export interface Received {
  /** A whole message: the bytes of its BER. */
  message(ber: Uint8Array): void;
  /** The consumer asks whether the provider is alive. */
  asksAlive(): void;
  /** A frame or message is longer than `EMBER_MESSAGE_BYTES`; nothing of it was kept. */
  tooLong(): void;
}

/** Reads the bytes of a consumer, in pieces of any length. */
export interface S101Reader {
  read(bytes: Uint8Array): void;
  /** Number of bytes that are held of incomplete frames and messages. */
  readonly held: number;
}

/** Makes a reader. Packets with a wrong checksum, and bytes between packets, are dropped. */
export function createS101Reader(received: Received): S101Reader {
  const frame = createBytes();
  const message = createBytes();
  let state: "between" | "inFrame" | "escaped" | "lengthOfLength" | "length" | "skipped" =
    "between";
  /** Of a frame without escapes: the length bytes to come, and the bytes to skip. */
  let lengthBytes = 0;
  let toSkip = 0;

  function tooLong(): void {
    frame.clear();
    message.clear();
    state = "between";
    received.tooLong();
  }

  function add(byte: number): void {
    if (!frame.add(byte)) tooLong();
  }

  function readByte(byte: number): void {
    if (state === "skipped") {
      if (--toSkip === 0) state = "between";
    } else if (state === "lengthOfLength") {
      lengthBytes = byte;
      toSkip = 0;
      state = byte >= 1 && byte <= LENGTH_BYTES ? "length" : "between";
    } else if (state === "length") {
      toSkip = toSkip * 256 + byte;
      if (--lengthBytes > 0) return;
      if (toSkip > EMBER_MESSAGE_BYTES) return tooLong();
      state = toSkip === 0 ? "between" : "skipped";
    } else if (byte === BEGIN) {
      frame.clear();
      state = "inFrame";
    } else if (state === "between") {
      if (byte === UNESCAPED_FRAME) state = "lengthOfLength";
    } else if (byte === END) {
      state = "between";
      readPacket(frame.bytes());
      frame.clear();
    } else if (state === "escaped") {
      state = "inFrame";
      add(byte ^ ESCAPED);
    } else if (byte === ESCAPE) state = "escaped";
    else add(byte);
  }

  function readPacket(packet: Uint8Array): void {
    if (packet.length < LEAST_BYTES || crcOf(packet) !== RESIDUE) return;
    const content = packet.subarray(0, -2);
    if (content[1] !== EMBER) return;
    if (content[2] === commands.askAlive) received.asksAlive();
    else if (content[2] === commands.message) readPart(content);
  }

  function readPart(content: Uint8Array): void {
    const flags = content[4];
    if (flags === undefined) return;
    if ((flags & FIRST) !== 0) message.clear();
    // Some consumers end a message of a multiple of 1,024 bytes with an empty packet.
    const isEmpty = (flags & EMPTY) !== 0;
    const start = isEmpty ? content.length : 7 + (content[6] ?? 0);
    if (!isEmpty && content[5] !== GLOW || start > content.length) return;
    for (let at = start; at < content.length; at++) {
      if (!message.add(content[at]!)) return tooLong();
    }
    if ((flags & LAST) === 0) return;
    const whole = message.bytes().slice();
    message.clear();
    if (whole.length > 0) received.message(whole);
  }

  return {
    read(bytes) {
      for (const byte of bytes) readByte(byte);
    },
    get held() {
      return frame.length + message.length;
    },
  };
}

interface Bytes {
  /** Adds a byte; returns false if there are too many. */
  add(byte: number): boolean;
  bytes(): Uint8Array;
  clear(): void;
  readonly length: number;
}

/** Bytes that are collected, at most `EMBER_MESSAGE_BYTES`. An empty one takes no memory. */
function createBytes(): Bytes {
  const none = new Uint8Array();
  let bytes = none;
  let length = 0;
  return {
    add(byte) {
      if (length === EMBER_MESSAGE_BYTES) return false;
      if (length === bytes.length) {
        const longer = new Uint8Array(Math.max(64, length * 2));
        longer.set(bytes);
        bytes = longer;
      }
      bytes[length++] = byte;
      return true;
    },
    bytes: () => bytes.subarray(0, length),
    clear() {
      bytes = none;
      length = 0;
    },
    get length() {
      return length;
    },
  };
}

/** Returns the packets of a message, as they are sent. */
export function messagePackets(ber: Uint8Array): Uint8Array {
  const parts: Uint8Array[] = [];
  for (let at = 0; at < ber.length; at += EMBER_PACKET_BYTES) {
    const end = at + EMBER_PACKET_BYTES;
    const flags = (at === 0 ? FIRST : 0) | (end >= ber.length ? LAST : 0);
    const part = ber.subarray(at, end);
    const content = new Uint8Array(HEADER_BYTES + part.length);
    content.set([SLOT, EMBER, commands.message, VERSION, flags, GLOW, 2, ...GLOW_VERSION]);
    content.set(part, HEADER_BYTES);
    parts.push(framed(content));
  }
  return joined(parts);
}

/** The packet that asks a consumer whether it is alive. */
export const ASK_ALIVE: Uint8Array = framed(
  Uint8Array.of(SLOT, EMBER, commands.askAlive, VERSION),
);

/** The packet that answers a consumer which asks. */
export const ALIVE: Uint8Array = framed(Uint8Array.of(SLOT, EMBER, commands.alive, VERSION));

function framed(content: Uint8Array): Uint8Array {
  const crc = ~crcOf(content) & 0xffff;
  // Each byte may be escaped.
  const frame = new Uint8Array(2 * content.length + 6);
  let length = 0;
  const put = (byte: number) => {
    if (byte < FIRST_ESCAPED) frame[length++] = byte;
    else {
      frame[length++] = ESCAPE;
      frame[length++] = byte ^ ESCAPED;
    }
  };
  frame[length++] = BEGIN;
  for (const byte of content) put(byte);
  put(crc & 0xff);
  put(crc >> 8);
  frame[length++] = END;
  return frame.subarray(0, length);
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  if (parts.length === 1) return parts[0]!;
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}
