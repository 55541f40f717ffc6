/**
 * BER as Ember+ uses it: tags of one byte, containers of definite and of indefinite length,
 * integers of up to 64 bits, and a REAL encoding of its own (`real.ts`).
 *
 * @module
 */
import { EMBER_DEPTH } from "../../core/limits.ts";
import { realBytes, realOf } from "./real.ts";

/** The universal types that Ember+ uses. */
export const types = {
  boolean: 0x01,
  integer: 0x02,
  octets: 0x04,
  none: 0x05,
  real: 0x09,
  text: 0x0c,
  path: 0x0d,
  sequence: 0x30,
  set: 0x31,
} as const;

const CONSTRUCTED = 0x20;
const INDEFINITE = 0x80;

/** The tag of field `number` of a container. */
export function field(number: number): number {
  return 0xa0 + number;
}

/** The tag of a type that Glow defines. */
export function application(number: number): number {
  return 0x60 + number;
}

/** A value as a parameter holds it; null is no value. */
export type BerValue = number | boolean | string | Uint8Array | null;

/** An element that was read. */
export interface BerElement {
  readonly tag: number;
  /** The content of a primitive; empty for a container. */
  readonly content: Uint8Array;
  /** The elements in a container; empty for a primitive. */
  readonly inside: readonly BerElement[];
}

const NOTHING = new Uint8Array();

/** An element, and the offset behind it. */
interface Placed {
  readonly element: BerElement;
  readonly end: number;
}

/**
 * Reads bytes that hold exactly one element; undefined for bytes that are not BER, for tags of more
 * than one byte, and for more than `EMBER_DEPTH` containers in each other.
 */
export function readBer(bytes: Uint8Array): BerElement | undefined {
  const read = readElement(bytes, 0, bytes.length, EMBER_DEPTH);
  return read?.end === bytes.length ? read.element : undefined;
}

function readElement(
  bytes: Uint8Array,
  start: number,
  end: number,
  depth: number,
): Placed | undefined {
  if (depth === 0 || start + 2 > end) return undefined;
  const tag = bytes[start]!;
  if ((tag & 0x1f) === 0x1f) return undefined;
  const isContainer = (tag & CONSTRUCTED) !== 0;
  if (bytes[start + 1] === INDEFINITE) {
    return isContainer ? readUntilEnd(bytes, tag, start + 2, end, depth) : undefined;
  }
  const length = readLength(bytes, start + 1, end);
  if (length === undefined) return undefined;
  const { from, to } = length;
  if (!isContainer) {
    return { element: { tag, content: bytes.subarray(from, to), inside: [] }, end: to };
  }
  const inside: BerElement[] = [];
  for (let at = from; at < to;) {
    const read = readElement(bytes, at, to, depth - 1);
    if (read === undefined) return undefined;
    inside.push(read.element);
    at = read.end;
  }
  return { element: { tag, content: NOTHING, inside }, end: to };
}

/** Reads the elements of a container of indefinite length, up to its two zeros. */
function readUntilEnd(
  bytes: Uint8Array,
  tag: number,
  start: number,
  end: number,
  depth: number,
): Placed | undefined {
  const inside: BerElement[] = [];
  for (let at = start; at + 2 <= end;) {
    if (bytes[at] === 0 && bytes[at + 1] === 0) {
      return { element: { tag, content: NOTHING, inside }, end: at + 2 };
    }
    const read = readElement(bytes, at, end, depth - 1);
    if (read === undefined) return undefined;
    inside.push(read.element);
    at = read.end;
  }
}

/** Maximum number of bytes of a length: 4 bytes suffice for any message. */
const LENGTH_BYTES = 4;

function readLength(
  bytes: Uint8Array,
  start: number,
  end: number,
): { readonly from: number; readonly to: number } | undefined {
  const first = bytes[start]!;
  let from = start + 1;
  let length = first;
  if (first > INDEFINITE) {
    const count = first - INDEFINITE;
    if (count > LENGTH_BYTES || from + count > end) return undefined;
    length = 0;
    for (const byte of bytes.subarray(from, from + count)) length = length * 256 + byte;
    from += count;
  }
  return from + length > end ? undefined : { from, to: from + length };
}

/** Returns the only element in a field of a container. */
export function fieldOf(element: BerElement, number: number): BerElement | undefined {
  const found = element.inside.find(({ tag }) => tag === field(number));
  return found?.inside.length === 1 ? found.inside[0] : undefined;
}

/**
 * Returns an integer; undefined if the element is not an integer, or is beyond the safe integers.
 */
export function integerOf(element: BerElement | undefined): number | undefined {
  if (element?.tag !== types.integer) return undefined;
  const { content } = element;
  if (content.length === 0 || content.length > 8) return undefined;
  let value = BigInt.asIntN(8, BigInt(content[0]!));
  for (const byte of content.subarray(1)) value = value << 8n | BigInt(byte);
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : undefined;
}

/** Returns a path of numbers; undefined if the element is not a path. */
export function pathOf(element: BerElement | undefined): readonly number[] | undefined {
  if (element?.tag !== types.path) return undefined;
  const path: number[] = [];
  let number = 0;
  let isWhole = true;
  for (const byte of element.content) {
    number = number * 128 + (byte & 0x7f);
    if (number > 0xffff_ffff) return undefined;
    isWhole = (byte & 0x80) === 0;
    if (!isWhole) continue;
    path.push(number);
    number = 0;
  }
  return isWhole ? path : undefined;
}

/**
 * Returns a value of a parameter; undefined for a type that no parameter has, and for an invalid
 * value.
 */
export function valueOf(element: BerElement | undefined): BerValue | undefined {
  if (element === undefined) return undefined;
  const { tag, content } = element;
  switch (tag) {
    case types.boolean:
      return content.length === 1 ? content[0] !== 0 : undefined;
    case types.integer:
      return integerOf(element);
    case types.real:
      return realOf(content);
    case types.text:
      return new TextDecoder().decode(content);
    case types.octets:
      return content;
    case types.none:
      return null;
  }
}

/** Writes BER, the containers with definite lengths. */
export interface BerWriter {
  /** Writes a container with the elements that `inside` writes. */
  container(tag: number, inside: () => void): void;
  boolean(value: boolean): void;
  /** Writes a safe integer. */
  integer(value: number): void;
  real(value: number): void;
  text(value: string): void;
  octets(value: Uint8Array): void;
  /** Writes the absence of a value. */
  none(): void;
  path(numbers: readonly number[]): void;
  /** Writes elements that another writer has made. */
  raw(bytes: Uint8Array): void;
  /** Number of bytes so far. */
  readonly length: number;
  /** Returns all bytes so far. */
  bytes(): Uint8Array;
}

/** Makes a writer. */
export function createBerWriter(): BerWriter {
  let buffer = new Uint8Array(256);
  let length = 0;
  const encoder = new TextEncoder();

  function reserve(count: number): void {
    if (length + count <= buffer.length) return;
    const longer = new Uint8Array(Math.max(buffer.length * 2, length + count));
    longer.set(buffer.subarray(0, length));
    buffer = longer;
  }

  function primitive(tag: number, content: ArrayLike<number>): void {
    const start = begin(tag);
    raw(content);
    end(start);
  }

  function raw(bytes: ArrayLike<number>): void {
    reserve(bytes.length);
    buffer.set(bytes, length);
    length += bytes.length;
  }

  /** Writes a tag, with one byte for a length; returns where the content begins. */
  function begin(tag: number): number {
    reserve(2);
    buffer[length++] = tag;
    return ++length;
  }

  /**
   * Sets the length of the content that begins at `start`, which moves if the length takes more
   * bytes.
   */
  function end(start: number): void {
    const count = length - start;
    if (count < 0x80) {
      buffer[start - 1] = count;
      return;
    }
    const bytes = count < 0x100 ? 1 : count < 0x1_0000 ? 2 : 3;
    reserve(bytes);
    buffer.copyWithin(start + bytes, start, length);
    buffer[start - 1] = 0x80 | bytes;
    for (let at = 0; at < bytes; at++) buffer[start + at] = count >> 8 * (bytes - 1 - at) & 0xff;
    length += bytes;
  }

  return {
    container(tag, inside) {
      const start = begin(tag);
      inside();
      end(start);
    },
    boolean: (value) => primitive(types.boolean, [value ? 0xff : 0]),
    integer(value) {
      const isShort = value >= -0x80 && value < 0x80;
      primitive(types.integer, isShort ? [value & 0xff] : integerBytes(value));
    },
    real: (value) => primitive(types.real, realBytes(value)),
    text(value) {
      const start = begin(types.text);
      // A UTF-16 code unit takes at most 3 bytes in UTF-8.
      reserve(3 * value.length);
      length += encoder.encodeInto(value, buffer.subarray(length)).written;
      end(start);
    },
    octets: (value) => primitive(types.octets, value),
    none: () => primitive(types.none, []),
    path(numbers) {
      const start = begin(types.path);
      reserve(5 * numbers.length);
      for (const number of numbers) {
        if (number < 0x80) buffer[length++] = number;
        else for (const group of groupsOf(number)) buffer[length++] = group;
      }
      end(start);
    },
    raw,
    get length() {
      return length;
    },
    bytes: () => buffer.slice(0, length),
  };
}

/** The shortest form of an integer in bytes, in two's complement. */
function integerBytes(value: number): number[] {
  const bytes = [value & 0xff];
  let rest = Math.floor(value / 256);
  const sign = value < 0 ? -1 : 0;
  while (rest !== sign || (bytes[0]! & 0x80) !== (sign & 0x80)) {
    bytes.unshift(((rest % 256) + 256) % 256);
    rest = Math.floor(rest / 256);
  }
  return bytes;
}

function groupsOf(number: number): number[] {
  const groups = [number % 128];
  for (let rest = Math.floor(number / 128); rest > 0; rest = Math.floor(rest / 128)) {
    groups.unshift(rest % 128 | 0x80);
  }
  return groups;
}
