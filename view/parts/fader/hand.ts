/**
 * The hand on a fader: the effect of fingers, or of a mouse, on its level. This module does not
 * know the page; `fader.tsx` passes it the pointers.
 *
 * @module
 */
import { levelAt, travelAt } from "./scale.ts";
import { FINE } from "./steps.ts";

/** A pointer at a fader. */
export interface Touch {
  /** The id of the pointer. */
  readonly id: number;
  /** Its position in pixels from the top of the travel. */
  readonly y: number;
  /** The time of the event in ms, by a monotonic clock. */
  readonly time: number;
  /** Whether a key asks for fine movement. */
  readonly isFine: boolean;
}

/** The parts of a fader that its hand needs. */
export interface HandPorts {
  /** The level that is shown, in dB. */
  level(): number;
  /** The length of the travel in pixels. */
  height(): number;
  /** Whether the fader jumps to the touched place. */
  jumps(): boolean;
  /** Called when the hand takes hold of the fader; it holds the fader until `letGo`. */
  hold(): void;
  /** Moves the fader to a level, in dB. */
  move(dB: number): void;
  letGo(): void;
}

/** The hand on one fader. */
export interface Hand {
  readonly isHolding: boolean;
  press(touch: Touch): void;
  drag(touch: Touch): void;
  lift(touch: Touch): void;
  /** Lets go of the fader, even if fingers still hold it. */
  cancel(): void;
}

/** Movement of a finger in pixels that is ignored, because fingers tremble. */
const TREMBLE_PX = 4;

/** Maximum time between the two taps of a double tap, in ms. */
const DOUBLE_MS = 350;

/** Maximum distance of a double tap from the mark of 0 dB, in pixels. */
const NEAR_PX = 28;

/**
 * Makes the hand of one fader. The first finger moves it from where it stands, by the distance that
 * the finger moves; a second finger on the fader makes the movement fine, as a key does: a tenth.
 * Two taps near the mark of 0 dB set it there.
 */
export function createHand(ports: HandPorts): Hand {
  const fingers = new Set<number>();
  let first: number | undefined;
  let lastY = 0;
  let travel = 0;
  /** The last level that this hand has set, in dB. */
  let made = 0;
  let hasMoved = false;
  let lastTap = -Infinity;

  function moveTo(next: number): void {
    travel = Math.min(1, Math.max(0, next));
    made = levelAt(travel);
    if (made !== ports.level()) ports.move(made);
  }

  /** Goes on from the shown level, which another hand may have set. */
  function goOn(): void {
    if (ports.level() === made) return;
    made = ports.level();
    travel = travelAt(made);
  }

  function letGo(): void {
    first = undefined;
    ports.letGo();
  }

  function tapped({ y, time }: Touch): void {
    const isNear = Math.abs(y - (1 - travelAt(0)) * ports.height()) <= NEAR_PX;
    if (isNear && time - lastTap <= DOUBLE_MS) ports.move(0);
    lastTap = isNear ? time : -Infinity;
  }

  return {
    get isHolding() {
      return first !== undefined;
    },
    press({ id, y }) {
      fingers.add(id);
      if (first !== undefined) return;
      first = id;
      lastY = y;
      made = ports.level();
      travel = travelAt(made);
      hasMoved = false;
      ports.hold();
      if (ports.jumps()) moveTo(1 - y / ports.height());
    },
    drag({ id, y, isFine }) {
      if (id !== first) return;
      if (!hasMoved && Math.abs(y - lastY) < TREMBLE_PX) return;
      const way = hasMoved ? (lastY - y) / ports.height() : 0;
      hasMoved = true;
      lastY = y;
      goOn();
      moveTo(travel + way * (isFine || fingers.size > 1 ? FINE : 1));
    },
    lift(touch) {
      fingers.delete(touch.id);
      if (touch.id !== first) return;
      if (!hasMoved) tapped(touch);
      letGo();
    },
    cancel() {
      fingers.clear();
      if (first !== undefined) letGo();
    },
  };
}
