/**
 * The position of a value during a drag: the place to which a hand has brought it, also between its
 * steps.
 *
 * @module
 */
import type { NumberLeaf } from "../../../../core/tree/leaf.ts";
import { FINE } from "../../../parts/fader/steps.ts";
import type { Shown } from "../../../parts/fader/shown.ts";

/** A direction in which a handle moves a value. */
export interface Axis {
  readonly leaf: NumberLeaf;
  readonly shown: Shown;
  /** The place of a value, in parts of the plane. */
  placeOf(value: number): number;
  /** The value at a place; beyond its range the value at the nearer end. */
  valueAt(place: number): number;
}

/** The position of a value during a drag. */
export interface DragPosition {
  /** Moves the value by a part of the plane, or by a tenth of that. */
  go(axis: Axis, part: number, isFine: boolean): void;
}

/** Begins at the shown value, and goes on from the new value if another hand has changed it. */
export function createDragPosition(): DragPosition {
  let place = 0;
  let made: number | undefined;
  return {
    go({ leaf, shown, placeOf, valueAt }, part, isFine) {
      if (made !== shown.value) place = placeOf(shown.value);
      const ends = [placeOf(leaf.min ?? 0), placeOf(leaf.max ?? 1)];
      const next = place + part * (isFine ? FINE : 1);
      place = Math.min(Math.max(...ends), Math.max(Math.min(...ends), next));
      made = valueAt(place);
      if (made !== shown.value) shown.move(made);
    },
  };
}
