/**
 * SHA-256 (FIPS 180-4), synchronous for use within a command: WebCrypto is asynchronous.
 *
 * @module
 */

// deno-fmt-ignore
const ROUND_CONSTANTS = Int32Array.of(
  0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
  0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
  0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
  0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
  0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
  0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
  0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
  0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
);

// deno-fmt-ignore
const INITIAL_HASH = Int32Array.of(
  0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
);

const BLOCK_BYTES = 64;
/** After the message come one byte 0x80, zeros, and the length in 8 bytes. */
const LENGTH_BYTES = 8;

/** A SHA-256 of bytes that come in parts. */
export interface Sha256 {
  /** Adds the next bytes. */
  update(bytes: Uint8Array): void;
  /** Returns the 32 bytes of the SHA-256 of all that was added; called once, at the end. */
  digest(): Uint8Array<ArrayBuffer>;
}

/** Begins a SHA-256 of bytes that come in parts, for bytes that take too long for one step. */
export function createSha256(): Sha256 {
  const hash = INITIAL_HASH.slice();
  const schedule = new Int32Array(ROUND_CONSTANTS.length);
  const block = new Uint8Array(BLOCK_BYTES);
  let filled = 0;
  let length = 0;

  function take(message: DataView, at: number): void {
    fillSchedule(schedule, message, at);
    compress(hash, schedule);
  }

  function update(bytes: Uint8Array): void {
    length += bytes.length;
    let at = 0;
    if (filled > 0) {
      at = Math.min(BLOCK_BYTES - filled, bytes.length);
      block.set(bytes.subarray(0, at), filled);
      filled += at;
      if (filled < BLOCK_BYTES) return;
      take(new DataView(block.buffer), 0);
    }
    const message = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    for (; at + BLOCK_BYTES <= bytes.length; at += BLOCK_BYTES) take(message, at);
    block.set(bytes.subarray(at));
    filled = bytes.length - at;
  }

  return {
    update,
    digest() {
      const bits = 8n * BigInt(length);
      const used = filled + 1 + LENGTH_BYTES;
      const padding = new Uint8Array(Math.ceil(used / BLOCK_BYTES) * BLOCK_BYTES - filled);
      padding[0] = 0x80;
      new DataView(padding.buffer).setBigUint64(padding.length - LENGTH_BYTES, bits);
      update(padding);
      const result = new DataView(new ArrayBuffer(4 * hash.length));
      hash.forEach((word, index) => result.setInt32(4 * index, word));
      return new Uint8Array(result.buffer);
    },
  };
}

/** Returns the 32 bytes of the SHA-256 of bytes. */
export function sha256(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const hash = createSha256();
  hash.update(bytes);
  return hash.digest();
}

function fillSchedule(schedule: Int32Array, message: DataView, at: number): void {
  for (let t = 0; t < 16; t++) schedule[t] = message.getInt32(at + 4 * t);
  for (let t = 16; t < schedule.length; t++) {
    const w2 = schedule[t - 2]!;
    const w15 = schedule[t - 15]!;
    const s0 = rotated(w15, 7) ^ rotated(w15, 18) ^ w15 >>> 3;
    const s1 = rotated(w2, 17) ^ rotated(w2, 19) ^ w2 >>> 10;
    schedule[t] = s1 + schedule[t - 7]! + s0 + schedule[t - 16]!;
  }
}

function compress(hash: Int32Array, schedule: Int32Array): void {
  let [a, b, c, d, e, f, g, h] = [...hash] as Eight;
  for (let t = 0; t < schedule.length; t++) {
    const sum1 = rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25);
    const choice = e & f ^ ~e & g;
    const t1 = h + sum1 + choice + ROUND_CONSTANTS[t]! + schedule[t]! | 0;
    const sum0 = rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22);
    const majority = a & b ^ a & c ^ b & c;
    h = g;
    g = f;
    f = e;
    e = d + t1 | 0;
    d = c;
    c = b;
    b = a;
    a = t1 + sum0 + majority | 0;
  }
  [a, b, c, d, e, f, g, h].forEach((word, index) => hash[index] = hash[index]! + word);
}

type Eight = [number, number, number, number, number, number, number, number];

function rotated(word: number, by: number): number {
  return word >>> by | word << 32 - by;
}
