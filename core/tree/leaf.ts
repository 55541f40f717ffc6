/**
 * What a leaf of the control tree may hold. A definition is also what a client reads under `range`
 * (control-tree.md), so it is plain JSON.
 *
 * @module
 */
import type { Tree } from "./patch.ts";

/** A number with what applies of its range; `unit` is dB, Hz, ms or none. */
export interface NumberLeaf {
  readonly type: "number";
  readonly default: number;
  readonly min?: number;
  readonly max?: number;
  /** 1 without a unit marks a whole number: what is written is rounded to one. */
  readonly step?: number;
  readonly unit?: string;
  /** Written, it adds to this member beside it; read, it is 0 (`again/inc`). */
  readonly adds?: string;
}

/** True or false. */
export interface BooleanLeaf {
  readonly type: "boolean";
  readonly default: boolean;
}

/** Text of at most `max` characters, without control characters, in Unicode NFC. */
export interface TextLeaf {
  readonly type: "string";
  readonly default: string;
  readonly max: number;
  /** Writing this text puts the default back: labels. */
  readonly reset?: string;
  /** The only texts it takes: routes. */
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

/** Tells a writable leaf from a branch: a branch may have a member named `type`, never a text. */
export function isLeafDefinition(node: object): node is LeafDefinition {
  return "type" in node && typeof node.type === "string";
}

/** Tells a read-only leaf from a branch. */
export function isReadOnlyLeaf(node: object): node is ReadOnlyLeaf {
  return "readOnly" in node && node.readOnly === true;
}

/** A read-only member with its first value. */
export function readOnly(value: ReadOnlyLeaf["value"]): ReadOnlyLeaf {
  return { readOnly: true, value };
}

/** A number: `number(0, { min: -20, max: 20, step: 0.1, unit: "dB" })`. */
export function number(initial: number, range: Omit<NumberLeaf, "type" | "default">): NumberLeaf {
  return { type: "number", ...range, default: initial };
}

/** A whole number that stands for a choice. */
export function choice(initial: number, min: number, max: number): NumberLeaf {
  return { type: "number", min, max, step: 1, default: initial };
}

/** A boolean. */
export function boolean(initial = false): BooleanLeaf {
  return { type: "boolean", default: initial };
}
