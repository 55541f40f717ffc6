/**
 * A horizontal slider, moved by a pointer.
 *
 * @module
 */
import { useLayoutEffect, useRef } from "preact/hooks";
import type { Shown } from "./shown.ts";
import { FINE, isFine } from "./steps.ts";

/** An element that a pointer moves. */
export interface Dragged {
  readonly shown: Shown;
  /** The reason for which it cannot be moved now; undefined if it can. */
  readonly reason: string | undefined;
  /**
   * Sideways distance in pixels after which a pointer moves the slider: before that it may scroll.
   */
  readonly startPx: number;
  /** The place of a value, 0..1. */
  placeOf(value: number): number;
  /** The value at a place, 0..1. */
  valueAt(place: number, isFine: boolean): number;
  /** Whether it jumps to the touched place. */
  jumps?(): boolean;
}

/** A pointer that is down. */
interface Grip {
  readonly id: number;
  /** Its horizontal position in pixels of the page. */
  x: number;
  /** The place of the slider, 0..1, also between its steps, once the pointer moves it. */
  place?: number;
  /** The last value that the pointer has set. */
  made?: number;
}

/**
 * Returns the listeners of an element by which a pointer moves it: from where it stands, by the
 * distance that the pointer goes, and by a tenth of that with Shift or Ctrl.
 */
export function useDrag({ shown, reason, startPx, placeOf, valueAt, jumps }: Dragged) {
  const grip = useRef<Grip | undefined>(undefined);

  function letGo(): void {
    grip.current = undefined;
    shown.letGo();
  }

  function take(own: Grip): void {
    goOn(own);
    shown.hold();
  }

  /** Goes on from the shown value, which another hand may have changed. */
  function goOn(own: Grip): void {
    if (own.made === shown.value) return;
    own.made = shown.value;
    own.place = placeOf(shown.value);
  }

  function move(own: Grip, place: number, isFine: boolean): void {
    own.place = Math.min(1, Math.max(0, place));
    own.made = valueAt(own.place, isFine);
    if (own.made !== shown.value) shown.move(own.made);
  }

  // When the console goes away, or the page is locked, a held slider is released.
  useLayoutEffect(() => {
    if (reason === undefined) return;
    grip.current = undefined;
    shown.drop();
  }, [reason]);

  return {
    onPointerDown({ button, pointerId, clientX, currentTarget }: PointerEvent) {
      if (button !== 0 || reason !== undefined || grip.current !== undefined) return;
      const element = currentTarget as HTMLElement;
      element.setPointerCapture(pointerId);
      grip.current = { id: pointerId, x: clientX };
      if (startPx > 0) return;
      take(grip.current);
      const { left, width } = element.getBoundingClientRect();
      if (jumps?.()) move(grip.current, (clientX - left) / width, false);
    },
    onPointerMove(event: PointerEvent) {
      const own = grip.current;
      if (own?.id !== event.pointerId) return;
      let way = event.clientX - own.x;
      if (own.place === undefined) {
        if (Math.abs(way) < startPx) return;
        take(own);
        // A busy browser reports a whole movement at once.
        way -= Math.sign(way) * startPx;
      }
      // Each event is added to the movement so far, which stays as it is when Shift is pressed.
      const fine = isFine(event);
      const { clientWidth } = event.currentTarget as HTMLElement;
      goOn(own);
      move(own, own.place! + way / clientWidth * (fine ? FINE : 1), fine);
      own.x = event.clientX;
    },
    onLostPointerCapture({ pointerId }: PointerEvent) {
      if (grip.current?.id === pointerId) letGo();
    },
  };
}
