/**
 * What a written value becomes at one leaf: bounded, rounded, normalised - or why it is refused.
 *
 * @module
 */
import { type Refusal, refuse } from "../errors.ts";
import { shown } from "../shown.ts";
import type { LeafDefinition, NumberLeaf, TextLeaf } from "./leaf.ts";

/**
 * The value that a leaf takes when a client writes `value` to it. Numbers out of range go to the
 * nearest bound (decisions.md, "Control tree"); a wrong type is refused with code 3, by the path that
 * `path` makes: of a write of thousands of values none may need it.
 */
export function acceptValue(
  leaf: LeafDefinition,
  value: unknown,
  path: () => string,
): number | boolean | string | Refusal {
  switch (leaf.type) {
    case "number":
      return typeof value === "number" && !Number.isNaN(value)
        ? bounded(leaf, value)
        : wrongType(path, value, "a number");
    case "boolean":
      return typeof value === "boolean" ? value : wrongType(path, value, "true or false");
    case "string":
      return typeof value === "string"
        ? acceptText(leaf, value, path)
        : wrongType(path, value, "a string");
  }
}

/** The nearest number that a leaf may hold. */
export function bounded(leaf: NumberLeaf, value: number): number {
  const { min = -Number.MAX_VALUE, max = Number.MAX_VALUE } = leaf;
  const whole = leaf.step === 1 && leaf.unit === undefined ? Math.round(value) : value;
  return Math.min(max, Math.max(min, whole));
}

/**
 * Text as it is kept: in Unicode NFC. Refused: over the leaf's length, control characters, half a
 * surrogate pair (it could not be stored and come back the same).
 */
function acceptText(leaf: TextLeaf, value: string, path: () => string): string | Refusal {
  const refused = textFault(value, leaf.max);
  if (refused !== undefined) return refuse("invalidParameter", `${path()}: ${refused}`);
  const text = value.normalize("NFC");
  if (leaf.values !== undefined && !leaf.values.includes(text)) {
    const expected = leaf.values.map((allowed) => JSON.stringify(allowed)).join(", ");
    return refuse(
      "invalidParameter",
      `${path()}: expected one of ${expected}, got ${shown(value)}`,
    );
  }
  return text === leaf.reset ? leaf.default : text;
}

/** Why a text cannot be a label or a name of at most `max` characters; undefined when it can. */
export function textFault(value: string, max: number): string | undefined {
  if (!value.isWellFormed()) return `expected text, got half a surrogate pair in ${shown(value)}`;
  if (/\p{Cc}/u.test(value)) {
    return `expected text without control characters, got ${shown(value)}`;
  }
  const length = [...value.normalize("NFC")].length;
  return length > max ? `expected at most ${max} characters, got ${length}` : undefined;
}

function wrongType(path: () => string, value: unknown, expected: string): Refusal {
  return refuse("invalidParameter", `${path()}: expected ${expected}, got ${shown(value)}`);
}
