/**
 * The range of the plots, which the user chooses for this device.
 *
 * @module
 */
import { signal } from "@preact/signals";
import { keep, kept } from "../../state/kept.ts";
import { SLOTS } from "./trace.ts";

/** The possible ranges, in minutes. */
export const RANGES = ["1", "10", "60"] as const;

/** A range in minutes. */
export type Range = typeof RANGES[number];

/** The name under which the device keeps it. */
const NAME = "plots";

const known = kept("localStorage", NAME);

/** The chosen range. */
export const range = signal<Range>(RANGES.find((one) => one === known) ?? "1");

/** Chooses a range, and keeps it on this device. */
export function chooseRange(chosen: Range): void {
  range.value = chosen;
  keep("localStorage", NAME, chosen);
}

/** The length of a range in ms. */
export function lengthOf(range: Range): number {
  return Number(range) * 60_000;
}

/** The length of a time slot of a range in ms: each range has the same number of slots. */
export function slotMs(range: Range): number {
  return lengthOf(range) / SLOTS;
}
