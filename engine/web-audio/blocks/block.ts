/// <reference lib="dom" />
/**
 * The types of the blocks of the processing of a channel, as a chain uses them.
 *
 * @module
 */
import { createRamp, evenly, type Ramp } from "../ramp.ts";
import { FADER_SECONDS, type Stage } from "../stage.ts";

/** The values of a block in `params/…` of the control tree, which checks their types and ranges. */
export interface BlockValues {
  readonly [member: string]: number | boolean;
}

/** A block: some nodes between an input and an output. */
export interface Block {
  readonly input: AudioNode;
  readonly output: AudioNode;
  /** Changes to other values without a click, from a time on. */
  update(values: BlockValues, when: number): void;
  /** Returns the present gain reduction in dB, 0 or more; only for dynamics. */
  reduction?(): number;
  /** Stops the sources of the block; its nodes have to be disconnected before. */
  dispose?(): void;
}

/** A kind of block. */
export interface BlockKind {
  make(stage: Stage, values: BlockValues): Block;
  /**
   * Returns the values that a running block cannot change; when one of them changes, a new block
   * replaces it.
   */
  fixed?(values: BlockValues): readonly (number | boolean)[];
  /** Returns the settling time of a new block in s. */
  settles?(values: BlockValues): number;
}

/** An audio parameter, and the function that computes its value from the values of a block. */
export type ParamOf = readonly [AudioParam, (values: BlockValues) => number];

/**
 * Makes parameters follow the values of a block: the first values are set at once, each change
 * takes one tick.
 */
export function follow(values: BlockValues, params: readonly ParamOf[]): Block["update"] {
  const ramps = params.map(([param, valueOf]): [Ramp, typeof valueOf] => [
    createRamp(param, evenly, valueOf(values)),
    valueOf,
  ]);
  return (next, when) => {
    for (const [ramp, valueOf] of ramps) ramp.to(valueOf(next), when, FADER_SECONDS);
  };
}
