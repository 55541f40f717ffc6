/**
 * The types of the blocks of the processing of a channel, as a chain uses them.
 *
 * @module
 */
import { createRamp, evenly, FADER_SECONDS, type Ramp } from "../ramp.ts";
import type { Stereo } from "../signal.ts";

/** The values of a block in `params/…` of the control tree, which checks their types and ranges. */
export interface BlockValues {
  readonly [member: string]: number | boolean;
}

/** A block of the processing. */
export interface Block {
  /** Processes a block of samples in place; `frame` is the time of the first. */
  process(signal: Stereo, frame: number): void;
  /** Changes to other values without a click, from a time in samples on. */
  update(values: BlockValues, when: number): void;
  /** Returns the present gain reduction in dB, 0 or more; only for dynamics. */
  reduction?(): number;
  /** Returns the state of the detector, from which another block may go on; only for dynamics. */
  held?(): readonly number[];
}

/** A kind of block. */
export interface BlockKind {
  /** Makes a block; one of dynamics goes on from the state `held` of the block that it replaces. */
  make(sampleRate: number, values: BlockValues, held?: readonly number[]): Block;
  /**
   * Returns the values that a running block cannot change; when one of them changes, a new block
   * replaces it.
   */
  fixed?(values: BlockValues): readonly (number | boolean)[];
  /** Returns the settling time of a new block in s. */
  settles?(values: BlockValues): number;
}

/** Values of a block that move from one to the next within one tick. */
export interface Following<Name extends string> {
  readonly ramps: Readonly<Record<Name, Ramp>>;
  update: Block["update"];
}

/** Makes ramps that follow the values of a block; each follows a function of these values. */
export function follow<Name extends string>(
  sampleRate: number,
  values: BlockValues,
  functions: Readonly<Record<Name, (values: BlockValues) => number>>,
): Following<Name> {
  const followed = Object.entries<(values: BlockValues) => number>(functions)
    .map(([name, valueOf]) => ({ name, valueOf, ramp: createRamp(evenly, valueOf(values)) }));
  return {
    ramps: Object.fromEntries(followed.map(({ name, ramp }) => [name, ramp])) as Record<Name, Ramp>,
    update(next, when) {
      for (const { ramp, valueOf } of followed) {
        ramp.to(valueOf(next), when, FADER_SECONDS * sampleRate);
      }
    },
  };
}
