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
  /** What is heard of it. */
  readonly output: AudioNode;
  /** Takes its nodes out of the graph; `output` is disconnected already. */
  dispose?(): void;
}

/** A place has one part, or none. {@linkcode createPlace} makes one. */
export interface Place {
  /**
   * Has another part from a time on.
   *
   * @param next undefined leaves the place silent
   * @param settles how long, in s, the part runs unheard first
   */
  put(next: Part | undefined, when: number, settles?: number): void;
}

/** Makes a place whose part is heard in `into`; the first part stands there from the beginning. */
export function createPlace(stage: Stage, into: AudioNode, first: Part | undefined): Place {
  let standing = first && stand(first, 1);
  let settled = 0;

  function stand(part: Part, position: number): { part: Part; gain: GainNode; ramp: Ramp } {
    const gain = stage.context.createGain();
    const ramp = createRamp(gain.gain, evenly, position);
    part.output.connect(gain).connect(into);
    return { part, gain, ramp };
  }

  return {
    put(next, when, settles = 0) {
      // One change after the other: three parts at once would be louder than one.
      const change = Math.max(when + settles, settled);
      settled = change + SWITCH_SECONDS;
      const leaving = standing;
      standing = next && stand(next, 0);
      standing?.ramp.to(1, change, SWITCH_SECONDS);
      if (leaving === undefined) return;
      leaving.ramp.to(0, change, SWITCH_SECONDS);
      stage.later(settled, () => {
        leaving.part.output.disconnect(leaving.gain);
        leaving.gain.disconnect();
        leaving.part.dispose?.();
      });
    },
  };
}
