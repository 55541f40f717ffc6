/**
 * A place that has one part after another: the source of a fader, its processing, the signal that
 * is routed to an output. The next part fades in while the previous one fades out, so nothing
 * clicks, and both together never sound louder than one.
 *
 * @module
 */
import { createRamp, evenly, type Ramp, SWITCH_SECONDS } from "./ramp.ts";
import { copy, type Signal, silence } from "./signal.ts";

/** A part that a place may have. */
export interface Part {
  /** The signal of the part. */
  readonly output: Signal;
  /** Renders the block that begins at `frame` into its output; absent if something else does so. */
  run?(frame: number): void;
}

/** A place has one part, or none. {@linkcode createPlace} makes one. */
export interface Place {
  /**
   * Changes to another part at a time. A part that was put before and is not heard yet is dropped.
   *
   * @param next the other part; undefined for silence
   * @param settles the duration, in samples, for which the part first runs unheard
   * @returns the time from which the part is heard
   */
  put(next: Part | undefined, when: number, settles?: number): number;
  /**
   * Runs the parts for the block that begins at `frame`, and adds the audible signal to another.
   */
  add(frame: number, into: Signal): void;
  /** Does the same, but replaces the other signal. */
  fill(frame: number, into: Signal): void;
}

/** A part that is heard, or soon will be, or just was. */
interface Standing {
  readonly part: Part;
  readonly ramp: Ramp;
  /** The time from which it is no longer heard. */
  leaves: number;
}

/** A change from one part to another. */
interface Change {
  readonly from: Standing | undefined;
  readonly to: Standing | undefined;
  /** The time at which the cross-fade begins; nothing of the change is heard before. */
  readonly begins: number;
}

/**
 * Makes a place whose part is selected by a key, such as the source of a fader by its channel.
 * `select` changes to another part at a time; for the key that is selected already it does nothing.
 */
export function createSelection<Key>(
  sampleRate: number,
  partOf: (key: Key) => Part | undefined,
  first: Key,
): Pick<Place, "add" | "fill"> & { select(key: Key, when: number): void } {
  const place = createPlace(sampleRate, partOf(first));
  let selected = first;
  return {
    add: place.add,
    fill: place.fill,
    select(key, when) {
      if (key === selected) return;
      selected = key;
      place.put(partOf(key), when);
    },
  };
}

/** Makes a place, which has the first part from the beginning. */
export function createPlace(sampleRate: number, first: Part | undefined): Place {
  const switching = SWITCH_SECONDS * sampleRate;
  let standing: Standing[] = [];
  let heard = first && stand(first, 1);
  let last: Change | undefined;
  /** The time at which the cross-fade to `heard` is over. */
  let settled = 0;

  function stand(part: Part, position: number): Standing {
    const one = { part, ramp: createRamp(evenly, position), leaves: Infinity };
    standing.push(one);
    return one;
  }

  /** Completes the last change, or undoes it if nothing of it was heard yet. */
  function end({ from, to, begins }: Change, when: number): void {
    if (when >= begins) {
      heard = to;
      settled = begins + switching;
      return;
    }
    standing = standing.filter((one) => one !== to);
    if (from === undefined) return;
    from.leaves = Infinity;
    from.ramp.to(1, Math.max(when, settled), 0);
  }

  function add(frame: number, into: Signal): void {
    let hasLeft = false;
    for (const { part, ramp, leaves } of standing) {
      if (leaves <= frame) {
        hasLeft = true;
        continue;
      }
      part.run?.(frame);
      ramp.add(frame, part.output, into);
    }
    if (hasLeft) standing = standing.filter(({ leaves }) => leaves > frame);
  }

  return {
    put(next, when, settles = 0) {
      if (last !== undefined) end(last, when);
      const from = heard;
      const to = next && stand(next, 0);
      // One cross-fade after the other: three parts at once would be louder than one.
      const begins = Math.max(when + settles, settled);
      last = { from, to, begins };
      to?.ramp.to(1, begins, switching);
      if (from !== undefined) {
        from.ramp.to(0, begins, switching);
        from.leaves = begins + switching;
      }
      return begins;
    },
    add,
    fill(frame, into) {
      const [only] = standing;
      if (standing.length === 1 && only!.ramp.steady(frame) === 1) {
        only!.part.run?.(frame);
        copy(only!.part.output, into);
        return;
      }
      silence(into);
      add(frame, into);
    },
  };
}
