/**
 * JSON from outside is looked at before it is parsed: of a million characters it can make half a
 * million values, which takes a tenth of a second and a hundred times the memory.
 *
 * @module
 */
import { JSON_DEPTH, JSON_MEMBERS } from "./limits.ts";

const code = (character: string) => character.charCodeAt(0);
const [quote, backslash, comma] = [code('"'), code("\\"), code(",")];
const [openList, openObject] = [code("["), code("{")];
const [closeList, closeObject] = [code("]"), code("}")];

const decoder = new TextDecoder("utf-8", { fatal: true });

/**
 * Says what of a JSON text is over its limit; undefined where nothing is. It may have so many
 * `values`, objects and lists counted, and a list so many `items`. An object has at most
 * {@linkcode JSON_MEMBERS} members, and nothing nests over {@linkcode JSON_DEPTH} levels. Of a text
 * that is no JSON it may say anything.
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
  /** How many commas more each object and list may have that is open, and all together. */
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

/** Answers where the string ends that begins at `start`, or the end of the text. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    const character = text.charCodeAt(at);
    if (character === quote) return at;
    if (character === backslash) at++;
  }
  return text.length;
}

/** Answers the value of JSON; undefined when it is no UTF-8, no JSON, or over a limit. */
export function parseUtf8(bytes: Uint8Array, values: number): unknown {
  try {
    const text = decoder.decode(bytes);
    return jsonExcess(text, values) === undefined ? JSON.parse(text) : undefined;
  } catch {
    return undefined;
  }
}
