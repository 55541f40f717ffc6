/**
 * JSON that is put together, and taken apart, as it is written. Nowhere else is JSON cut by
 * position.
 *
 * @module
 */
const code = (character: string) => character.charCodeAt(0);
const [comma, quote, backslash] = [code(","), code('"'), code("\\")];
const opening: ReadonlySet<number> = new Set([code("["), code("{")]);
const closing: ReadonlySet<number> = new Set([code("]"), code("}")]);
/** The bytes that may stand around values. */
export const blank: ReadonlySet<number> = new Set([..." \t\n\r"].map(code));

/**
 * The JSON of an object with one member more, which stands last and whose value is JSON already.
 */
export function jsonWith(object: object, member: string, json: string): string {
  const text = JSON.stringify(object);
  const comma = text === "{}" ? "" : ",";
  return `${text.slice(0, -1)}${comma}${JSON.stringify(member)}:${json}}`;
}

/**
 * The bytes of each item of a long JSON list, so that whoever parses them can pause: the snapshots
 * of eight mixers take 25 ms in one go. It gives undefined, at last, for what is no list; whether
 * an item is JSON is for its parser to say.
 */
export function* listItems(bytes: Uint8Array): Generator<Uint8Array | undefined> {
  let [from, to] = [0, bytes.length];
  while (from < to && blank.has(bytes[from]!)) from++;
  while (to > from && blank.has(bytes[to - 1]!)) to--;
  if (bytes[from] !== code("[") || to - from < 2 || bytes[to - 1] !== code("]")) {
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
    else if (opening.has(byte)) depth++;
    else if (closing.has(byte) && --depth === 0 && at < to - 1) {
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
