/**
 * Shows that another client moves the value that the user moves.
 *
 * @module
 */
import type { Signal } from "@preact/signals";

/** Time in ms for which another hand is shown after its last move. */
const SHOWN_MS = 2000;

/** The other hand on a value. */
export interface AnotherHand {
  /** Called at each of its moves: shows it for 2 s. */
  moved(): void;
  /** Shows it no longer. */
  end(): void;
}

/** Makes the other hand of a value; sets `isShared` to true while it is shown. */
export function createAnotherHand(isShared: Signal<boolean>): AnotherHand {
  let timer: number | undefined;
  const end = () => {
    clearTimeout(timer);
    isShared.value = false;
  };
  return {
    moved() {
      clearTimeout(timer);
      isShared.value = true;
      timer = setTimeout(end, SHOWN_MS);
    },
    end,
  };
}
