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

/** The factor of each unit that may stand behind a number, by the unit of the leaf. */
const FACTORS: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  Hz: { "": 1, hz: 1, k: 1000, khz: 1000 },
  dB: { "": 1, db: 1 },
  ms: { "": 1, ms: 1, s: 1000 },
  none: { "": 1, ":1": 1 },
};

/**
 * Reads a value of a leaf, in its unit or a multiple of it, with a comma, a point or a `k` as the
 * decimal sign. Out of range it is the nearest bound, as in the service. Undefined for a text that
 * is not a number, or has another unit.
 */
export function typedValue(text: string, leaf: NumberLeaf): TypedValue | undefined {
  const plain = text.toLowerCase().replaceAll(/\s/g, "").replace(/^[−–]/, "-")
    .replace(/^([+-]?\d+)k(\d+)/, "$1.$2k");
  const [, number, unit] = /^([+-]?[\d.,]*)(.*)$/.exec(plain)!;
  const factor = FACTORS[leaf.unit ?? "none"]?.[unit!];
  const typed = typedNumber(number!) * (factor ?? NaN);
  if (Number.isNaN(typed)) return undefined;
  const { min = -Infinity, max = Infinity } = leaf;
  return { value: inSteps(bounded(leaf, typed), leaf), isBounded: typed < min || typed > max };
}
