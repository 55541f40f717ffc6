/**
 * Leaves of the control tree: the range of each, and how a written value is bounded, rounded,
 * normalised or refused. Clients read the definition of a leaf under `range` (control-tree.md), so
 * it is plain JSON.
 *
 * @module
 */
import { shown } from "../shown.ts";
import type { Branch, Tree } from "./tree.ts";

/** A number, with those parts of a range that apply; `unit` is dB, Hz, ms or none. */
export interface NumberLeaf {
  readonly type: "number";
  readonly default: number;
  readonly min?: number;
  readonly max?: number;
  /** A step of 1 without a unit marks a whole number, to which a written value is rounded. */
  readonly step?: number;
  readonly unit?: string;
  /**
   * The name of the sibling member to which a value written to this leaf is added; the leaf itself
   * always has the value 0 (`again/inc`).
   */
  readonly adds?: string;
  /**
   * The name of the sibling member that is an alias of this leaf: both always have the same value.
   */
  readonly same?: string;
}

/** A boolean is true or false. */
export interface BooleanLeaf {
  readonly type: "boolean";
  readonly default: boolean;
}

/**
 * A text has at most `max` characters, none of them a control character, and is kept in Unicode
 * NFC.
 */
export interface TextLeaf {
  readonly type: "string";
  readonly default: string;
  readonly max: number;
  /** Writing this text restores the default, as with labels. */
  readonly reset?: string;
  /** The only texts that the leaf accepts, as for routes. */
  readonly values?: readonly string[];
}

/** A leaf that clients may write. */
export type LeafDefinition = NumberLeaf | BooleanLeaf | TextLeaf;

/** A leaf that clients may only read, with its first value. */
export interface ReadOnlyLeaf {
  readonly readOnly: true;
  readonly value: Tree;
}

/** A part of the control tree before it is built: branches, leaves and read-only leaves. */
export interface Definition {
  readonly [member: string]: LeafDefinition | ReadOnlyLeaf | Definition;
}

/** The writable leaves of the tree, each with its range, in the shape of the tree. */
export interface Ranges {
  readonly [member: string]: LeafDefinition | Ranges;
}

/**
 * Tells a writable leaf from a branch: a branch may have a member named `type`, but never with a
 * text as its value.
 */
export function isLeafDefinition(node: object): node is LeafDefinition {
  return "type" in node && typeof node.type === "string";
}

/**
 * Tells a branch that older firmware knew as a leaf: the only member that clients may write is its
 * `value` (decisions.md, "Control tree").
 */
export function isFormerLeaf(node: LeafDefinition | Ranges | undefined): node is Ranges {
  if (node === undefined || isLeafDefinition(node) || !Object.hasOwn(node, "value")) return false;
  return Object.keys(node).length === 1 && isLeafDefinition(node.value!);
}

/** Says whether a leaf has no value of its own, but adds a written value to its neighbour. */
export function isIncrement(leaf: LeafDefinition): leaf is NumberLeaf & { readonly adds: string } {
  return leaf.type === "number" && leaf.adds !== undefined;
}

/** Tells a read-only leaf from a branch. */
export function isReadOnlyLeaf(node: object): node is ReadOnlyLeaf {
  return "readOnly" in node && node.readOnly === true;
}

/** Describes a read-only member by its first value. */
export function readOnly(value: ReadOnlyLeaf["value"]): ReadOnlyLeaf {
  return { readOnly: true, value };
}

/** Describes read-only members by their first values. */
export function readOnlyMembers(values: Branch): Definition {
  const members = Object.entries(values).map(([member, value]) => [member, readOnly(value)]);
  return Object.fromEntries(members);
}

/** Describes a number: `number(0, { min: -20, max: 20, step: 0.1, unit: "dB" })`. */
export function number(initial: number, range: Omit<NumberLeaf, "type" | "default">): NumberLeaf {
  return { type: "number", ...range, default: initial };
}

/** Describes a whole number that stands for a choice. */
export function choice(initial: number, min: number, max: number): NumberLeaf {
  return { type: "number", min, max, step: 1, default: initial };
}

/** Describes a boolean. */
export function boolean(initial = false): BooleanLeaf {
  return { type: "boolean", default: initial };
}

/** Describes booleans that are false at first. */
export function switches(...members: readonly string[]): Definition {
  return Object.fromEntries(members.map((member) => [member, boolean()]));
}

/**
 * Returns the value that a leaf takes when a client writes `value` to it; undefined if it does not
 * take it, for the reason that {@linkcode valueFault} gives. Numbers out of range go to the nearest
 * bound, and a leaf of text takes a number as its JSON text (decisions.md, "Control tree").
 */
export function takenValue(
  leaf: LeafDefinition,
  value: unknown,
): number | boolean | string | undefined {
  switch (leaf.type) {
    case "number":
      return typeof value === "number" && !Number.isNaN(value) ? bounded(leaf, value) : undefined;
    case "boolean":
      return typeof value === "boolean" ? value : undefined;
    case "string":
      return typeof value === "string" || isJsonNumber(value)
        ? takenText(leaf, String(value))
        : undefined;
  }
}

/** Tells a number whose JSON text a leaf of text takes. */
function isJsonNumber(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value);
}

/** Returns the nearest number that a leaf may hold. */
export function bounded(leaf: NumberLeaf, value: number): number {
  const { min = -Number.MAX_VALUE, max = Number.MAX_VALUE } = leaf;
  const whole = leaf.step === 1 && leaf.unit === undefined ? Math.round(value) : value;
  return Math.min(max, Math.max(min, whole));
}

/** An invisible text: white space, and characters without width. */
const INVISIBLE = /^[\s\p{Default_Ignorable_Code_Point}]*$/u;

/**
 * Returns a text as it is kept: in Unicode NFC, and empty if it is invisible. Undefined for a text
 * that the leaf does not take: one that is too long, has control characters, has a lone surrogate,
 * which storage would not preserve, or is not among its `values`.
 */
function takenText({ max, values, reset, default: initial }: TextLeaf, value: string) {
  if (textFault(value, max) !== undefined) return undefined;
  const text = value.normalize("NFC");
  if (values !== undefined) return values.includes(text) ? text : undefined;
  const shown = INVISIBLE.test(text) ? "" : text;
  return shown === reset ? initial : shown;
}

/** The names of the types of leaves in a refusal. */
const EXPECTED = { number: "a number", boolean: "true or false", string: "a string" } as const;

/** Maximum number of permitted texts that a refusal names. */
const NAMED_VALUES = 100;

/** Says why a leaf does not take a value. */
export function valueFault(leaf: LeafDefinition, value: unknown): string {
  const text = isJsonNumber(value) ? String(value) : value;
  if (leaf.type !== "string" || typeof text !== "string") {
    return `expected ${EXPECTED[leaf.type]}, got ${shown(value)}`;
  }
  const { max, values = [] } = leaf;
  const expected = values.slice(0, NAMED_VALUES)
    .map((allowed) => JSON.stringify(allowed)).join(", ");
  const more = values.length > NAMED_VALUES ? ", …" : "";
  return textFault(text, max) ?? `expected one of ${expected}${more}, got ${shown(value)}`;
}

/** Maximum number of UTF-16 units of which Unicode NFC makes one character. */
const UNITS_OF_CHARACTER = 8;

/**
 * Says why a text cannot be a label or a name of at most `max` characters; undefined when it can.
 */
export function textFault(value: string, max: number): string | undefined {
  if (value.length > max * UNITS_OF_CHARACTER) {
    return `expected at most ${max} characters, got ${shown(value)}`;
  }
  if (!value.isWellFormed()) return `expected text, got half a surrogate pair in ${shown(value)}`;
  // Bidirectional controls make a text look like another one, and reverse text beside it.
  if (/[\p{Cc}\p{Bidi_Control}]/u.test(value)) {
    return `expected text without control characters, got ${shown(value)}`;
  }
  const characters = [...value.normalize("NFC")].length;
  return characters > max ? `expected at most ${max} characters, got ${characters}` : undefined;
}
