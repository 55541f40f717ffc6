/**
 * Blocks of ECP: 16 bytes each, without a checksum, without anything between them. The first byte
 * is the length of the data (0 to 8), the second 0, then come four bytes that name the command, the
 * data, and zeros.
 *
 * @module
 */

/** The size of a block in bytes. */
export const BLOCK_BYTES = 16;

/** Maximum size in bytes of the data of a block. */
const DATA_BYTES = 8;

/** Offset of the data of a block in bytes. */
const DATA_AT = 6;

/** A block. */
export interface Block {
  /** The number of the command: `0x110e0000` is that of logics. */
  readonly command: number;
  /** Its length says which variant of the command it is. */
  readonly data: Uint8Array;
}

/** Reads a block; undefined for bytes that are not a block. Bytes behind the data are ignored. */
export function readBlock(bytes: Uint8Array): Block | undefined {
  const length = bytes[0]!;
  if (bytes.length !== BLOCK_BYTES || length > DATA_BYTES || bytes[1] !== 0) return undefined;
  const command = wordAt(bytes, 2) * 0x10000 + wordAt(bytes, 4);
  return { command, data: bytes.slice(DATA_AT, DATA_AT + length) };
}

/** Writes blocks one after the other. */
export function writeBlocks(blocks: readonly Block[]): Uint8Array {
  const bytes = new Uint8Array(blocks.length * BLOCK_BYTES);
  for (const [index, { command, data }] of blocks.entries()) {
    const at = index * BLOCK_BYTES;
    bytes.set([data.length, 0, ...wordBytes(command >>> 16), ...wordBytes(command)], at);
    bytes.set(data, at + DATA_AT);
  }
  return bytes;
}

/** Reads a whole number from 0 to 65535, the higher byte first. */
export function wordAt(bytes: Uint8Array, at = 0): number {
  return bytes[at]! * 0x100 + bytes[at + 1]!;
}

/** Writes the lower 16 bits of a whole number, the higher byte first. */
export function wordBytes(word: number): readonly [number, number] {
  return [word >> 8 & 0xff, word & 0xff];
}

/** Reads the bytes of a client, in pieces of any length. */
export interface BlockReader {
  read(bytes: Uint8Array): void;
  /** Number of bytes that are held of an incomplete block. */
  readonly held: number;
}

/**
 * Makes a reader; `received` is called with each block, and with undefined for 16 bytes that are
 * not a block.
 */
export function createBlockReader(received: (block: Block | undefined) => void): BlockReader {
  const part = new Uint8Array(BLOCK_BYTES);
  let held = 0;
  return {
    read(bytes) {
      for (let at = 0; at < bytes.length;) {
        const piece = bytes.subarray(at, at + BLOCK_BYTES - held);
        part.set(piece, held);
        held += piece.length;
        at += piece.length;
        if (held < BLOCK_BYTES) return;
        held = 0;
        received(readBlock(part));
      }
    },
    get held() {
      return held;
    },
  };
}
