/**
 * JSON: the type of its values, limits for texts from outside, canonical texts, texts in pieces, and
 * lists that are split without being parsed. Nowhere else is JSON cut by position.
 *
 * @module
 */
import { JSON_DEPTH, JSON_MEMBERS } from "./limits.ts";
import type { Steps } from "./ports.ts";
import { isBranch } from "./tree/tree.ts";

/** A value of JSON. */
export type Json =
  | null
  | boolean
  | number
  | string
  | readonly Json[]
  | { readonly [member: string]: Json };

const code = (character: string) => character.charCodeAt(0);
const quote = code('"');
const backslash = code("\\");
const comma = code(",");
const openList = code("[");
const openObject = code("{");
const closeList = code("]");
const closeObject = code("}");

/** The bytes of white space, which may surround values. */
export const blank: ReadonlySet<number> = new Set([..." \t\n\r"].map(code));

const decoder = new TextDecoder();
const strictDecoder = new TextDecoder("utf-8", { fatal: true });

/**
 * Says which limit a JSON text exceeds, before it is parsed: a million characters can be half a
 * million values, which take a tenth of a second and a hundred times the memory. The limits are
 * `values` in all, including objects and lists, `items` in a list, {@linkcode JSON_MEMBERS} members
 * in an object and {@linkcode JSON_DEPTH} levels. Undefined if no limit is exceeded; for a text
 * that is not JSON the result is arbitrary.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 *
 * assertEquals(jsonExcess('[1, "a,b"]', 3), undefined);
 * assertEquals(jsonExcess("[1, 2, 3]", 3), "has more than 3 values");
 * ```
 */
export function jsonExcess(text: string, values: number, items = Infinity): string | undefined {
  /** The number of further commas that each open object and list may have. */
  const left: number[] = [];
  let level = -1;
  let leftInAll = values - 1;
  for (let at = 0; at < text.length; at++) {
    const character = text.charCodeAt(at);
    if (character === quote) {
      at = endOfString(text, at);
    } else if (character === comma) {
      if (--leftInAll < 0) return `has more than ${values} values`;
      if (level >= 0 && --left[level]! < 0) {
        const most = Math.min(items, JSON_MEMBERS);
        return `has more than ${most} members in an object or a list`;
      }
    } else if (character === openObject || character === openList) {
      if (--leftInAll < 0) return `has more than ${values} values`;
      if (++level === JSON_DEPTH) return `nests deeper than ${JSON_DEPTH} levels`;
      left[level] = (character === openObject ? JSON_MEMBERS : items) - 1;
    } else if (character === closeObject || character === closeList) {
      if (--level < -1) return undefined;
    }
  }
}

/** Returns the end of the string that begins at `start`, or the end of the text. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    const character = text.charCodeAt(at);
    if (character === quote) return at;
    if (character === backslash) at++;
  }
  return text.length;
}

/** The character that a decoder puts in the place of bytes that are not UTF-8. */
const REPLACEMENT = "\uFFFD";

/** Parses JSON in UTF-8 of at most `values` values; undefined for other bytes, and over a limit. */
export function parseUtf8(bytes: Uint8Array, values: number): unknown {
  try {
    // A strict decoder is six times as slow, and takes twice the memory of the text besides.
    const text = decoder.decode(bytes);
    if (text.includes(REPLACEMENT)) strictDecoder.decode(bytes);
    return jsonExcess(text, values) === undefined ? JSON.parse(text) : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Writes canonical JSON (RFC 8785): one text for one value, whatever the order of its members,
 * which are sorted by UTF-16 code units, without white space.
 */
export function canonicalJson(value: unknown): string {
  if (isInOrder(value)) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  const members = value as Readonly<Record<string, unknown>>;
  const texts = Object.keys(members).sort()
    .map((member) => `${JSON.stringify(member)}:${canonicalJson(members[member])}`);
  return `{${texts.join(",")}}`;
}

/**
 * Says whether members stand in canonical order already, so that the runtime's own JSON is
 * canonical. This check saves a third of the time for a mixer's snapshot, and leaves less garbage.
 */
function isInOrder(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return true;
  if (Array.isArray(value)) return value.every(isInOrder);
  let before = "";
  for (const member in value) {
    if (member < before) return false;
    const inner = (value as Readonly<Record<string, unknown>>)[member];
    if (typeof inner === "object" && !isInOrder(inner)) return false;
    before = member;
  }
  return true;
}

/** How JSON is written: the `text` of a whole value, and the order of an object's members. */
export interface JsonForm {
  text(value: unknown): string;
  members(object: object): string[];
}

const asItStands: JsonForm = { text: (value) => JSON.stringify(value), members: Object.keys };

/** Canonical JSON, for `jsonPieces` and `jsonSteps`. */
export const canonicalForm: JsonForm = {
  text: canonicalJson,
  members: (object) => Object.keys(object).sort(),
};

/** Number of values that are written in one piece. */
const VALUES_OF_PIECE = 200;

/** Number of characters that are written in one step, in a small part of a millisecond. */
const CHARACTERS_OF_STEP = 8 * 1024;

/** Says, in a few microseconds, whether a value is large enough to be written in pieces. */
export function isLarge(value: unknown): boolean {
  return valuesLeft(value, VALUES_OF_PIECE) < 0;
}

function valuesLeft(value: unknown, most: number): number {
  let left = most - 1;
  if (typeof value !== "object" || value === null) return left;
  if (Array.isArray(value)) {
    // `for in` would first make a text of every index.
    for (let at = 0; at < value.length && left >= 0; at++) left = valuesLeft(value[at], left);
    return left;
  }
  for (const member in value) {
    if (left < 0) break;
    left = valuesLeft((value as Record<string, unknown>)[member], left);
  }
  return left;
}

/** Writes the JSON of a value piece by piece. */
export function* jsonPieces(value: unknown, form: JsonForm = asItStands): Generator<string> {
  if (!isLarge(value)) return yield form.text(value);
  const isList = Array.isArray(value);
  const items = value as Readonly<Record<string, unknown>>;
  yield isList ? "[" : "{";
  let separator = "";
  for (const member of isList ? Object.keys(items) : form.members(items)) {
    if (items[member] === undefined) continue;
    yield isList ? separator : `${separator}${JSON.stringify(member)}:`;
    yield* jsonPieces(items[member], form);
    separator = ",";
  }
  yield isList ? "]" : "}";
}

/**
 * Writes the JSON of a value in steps: the text of the whole state of a big console takes longer
 * than a fade may wait.
 */
export function* jsonSteps(value: unknown, form: JsonForm = asItStands): Steps<string> {
  let text = "";
  // The pieces are joined in each step, because many small texts take several times the memory.
  let pieces: string[] = [];
  let length = 0;
  for (const piece of jsonPieces(value, form)) {
    pieces.push(piece);
    length += piece.length;
    if (length < CHARACTERS_OF_STEP) continue;
    text += pieces.join("");
    pieces = [];
    length = 0;
    yield;
  }
  return text + pieces.join("");
}

/**
 * Cuts a long JSON list into the bytes of its items, so that they can be parsed with pauses: the
 * snapshots of eight mixers take 25 ms in one go. The last item is undefined if the bytes are not a
 * list; items are not checked to be JSON.
 */
export function* listItems(bytes: Uint8Array): Generator<Uint8Array | undefined> {
  let from = 0;
  let to = bytes.length;
  while (from < to && blank.has(bytes[from]!)) from++;
  while (to > from && blank.has(bytes[to - 1]!)) to--;
  if (bytes[from] !== openList || to - from < 2 || bytes[to - 1] !== closeList) {
    yield undefined;
    return;
  }
  let start = from + 1;
  let depth = 0;
  let quoted = false;
  for (let at = from; at < to; at++) {
    const byte = bytes[at]!;
    if (quoted) {
      if (byte === backslash) at++;
      else if (byte === quote) quoted = false;
    } else if (byte === quote) quoted = true;
    else if (byte === openList || byte === openObject) depth++;
    else if (byte === closeList || byte === closeObject) {
      if (--depth > 0 || at === to - 1) continue;
      yield undefined;
      return;
    } else if (byte === comma && depth === 1) {
      yield bytes.subarray(start, at);
      start = at + 1;
    }
  }
  const last = bytes.subarray(start, to - 1);
  if (start > from + 1 || !last.every((byte) => blank.has(byte))) yield last;
}

/** Parses a text without a limit of values; undefined if it is not a JSON object. */
export function objectIn(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isBranch(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
