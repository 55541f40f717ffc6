/**
 * Typed values of the processing: `300 Hz`, `1k5`, `-3 dB`, `0,7`, `2:1`.
 *
 * @module
 */
import { bounded, type NumberLeaf } from "../../../../core/tree/leaf.ts";
import { typedNumber } from "../../../texts/decimal.ts";
import { inSteps } from "./slider-scale.ts";

/** A typed value. */
export interface TypedValue {
  readonly value: number;
  /** Whether it is the bound that is nearest to the typed value. */
  readonly isBounded: boolean;
}

/**
 * Reads a value of a leaf, in its unit or a multiple of it, with a comma, a point or a `k` as the
 * decimal sign. Out of range it is the nearest bound, as in the service. Undefined for a text that
 * is not a number, or has another unit.
 */
export function typedValue(text: string, leaf: NumberLeaf): TypedValue | undefined {
  const typed = typedNumber(text.replace(/(\d)\s*k\s*(\d+)/i, "$1.$2k"), leaf.unit);
  if (Number.isNaN(typed)) return undefined;
  const { min = -Infinity, max = Infinity } = leaf;
  return { value: inSteps(bounded(leaf, typed), leaf), isBounded: typed < min || typed > max };
}
