/// <reference lib="dom" />
/**
 * A place in the graph where one part after the other stands: the source of a fader, its
 * processing, what is routed to an output. The next part fades in while the one before fades out,
 * so nothing clicks, and never do both together sound louder than one.
 *
 * @module
 */
import { createRamp, evenly, type Ramp } from "./ramp.ts";
import { type Stage, SWITCH_SECONDS } from "./stage.ts";

/** A part of the graph that may be taken away again. */
export interface Part {
  /** Its audible output. */
  readonly output: AudioNode;
  /** Takes its nodes out of the graph; `output` is disconnected already. */
  dispose?(): void;
}

/** A place has one part, or none. {@linkcode createPlace} makes one. */
export interface Place {
  /**
   * Has another part from a time on. One that was put before and is not heard yet never will be.
   *
   * @param next undefined leaves the place silent
   * @param settles how long, in s, the part runs unheard first
   */
  put(next: Part | undefined, when: number, settles?: number): void;
}

/** A part that is heard, or soon will be. */
interface Standing {
  readonly part: Part;
  readonly gain: GainNode;
  readonly ramp: Ramp;
}

/** A change from one part to another. */
interface Change {
  readonly to: Standing | undefined;
  /** When the cross-fade begins; nobody hears of it before. */
  readonly begins: number;
  isTakenBack: boolean;
}

/**
 * Makes a place whose part is selected by a key, as the source of a fader by its channel. The answer
 * selects another part from a time on; for the key that is selected already it does nothing.
 */
export function createSelection<Key>(
  stage: Stage,
  into: AudioNode,
  partOf: (key: Key) => Part | undefined,
  first: Key,
): (key: Key, when: number) => void {
  const place = createPlace(stage, into, partOf(first));
  let selected = first;
  return (key, when) => {
    if (key === selected) return;
    selected = key;
    place.put(partOf(key), when);
  };
}

/** Makes a place whose part is heard in `into`; the first part stands there from the beginning. */
export function createPlace(stage: Stage, into: AudioNode, first: Part | undefined): Place {
  let heard = first && stand(first, 1);
  let last: Change | undefined;
  /** When the cross-fade to what is heard is over. */
  let settled = 0;

  function stand(part: Part, position: number): Standing {
    const gain = stage.context.createGain();
    const ramp = createRamp(gain.gain, evenly, position);
    part.output.connect(gain).connect(into);
    return { part, gain, ramp };
  }

  function remove({ part, gain }: Standing): void {
    part.output.disconnect(gain);
    part.dispose?.();
  }

  /** Makes the last change part of the past, or, where nobody has heard of it, undone. */
  function end(change: Change, when: number): void {
    const { to, begins } = change;
    if (when >= begins) {
      heard = to;
      settled = begins + SWITCH_SECONDS;
      return;
    }
    change.isTakenBack = true;
    if (to !== undefined) remove(to);
    heard?.ramp.to(1, Math.max(when, settled), 0);
  }

  return {
    put(next, when, settles = 0) {
      if (last !== undefined) end(last, when);
      const leaving = heard;
      const to = next && stand(next, 0);
      // One cross-fade after the other: three parts at once would be louder than one.
      const begins = Math.max(when + settles, settled);
      const change = last = { to, begins, isTakenBack: false };
      to?.ramp.to(1, begins, SWITCH_SECONDS);
      if (leaving === undefined) return;
      leaving.ramp.to(0, begins, SWITCH_SECONDS);
      stage.later(begins + SWITCH_SECONDS, () => {
        if (!change.isTakenBack) remove(leaving);
      });
    },
  };
}
