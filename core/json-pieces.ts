/**
 * The JSON of something large in pieces, and in steps: the text of the whole state of a big console
 * takes longer than a fade may wait.
 *
 * @module
 */
import type { Steps } from "./ports.ts";

/** How many values are written at a time. */
const VALUES_OF_PIECE = 200;

/** Characters of a step: a small part of a millisecond's work. */
const CHARACTERS_OF_STEP = 8 * 1024;

/** How JSON is written: `text` of a whole value, and the order of an object's members. */
export interface JsonForm {
  text(value: unknown): string;
  members(object: object): string[];
}

const asItStands: JsonForm = { text: (value) => JSON.stringify(value), members: Object.keys };

/**
 * Whether a JSON value is so large that it is better written in pieces; costs a few microseconds.
 */
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

/** The text of a JSON value, piece by piece. */
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

/** The text of a JSON value, made in steps. */
export function* jsonSteps(value: unknown, form: JsonForm = asItStands): Steps<string> {
  let text = "";
  // Joined in each step: as many small texts take several times the memory.
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
