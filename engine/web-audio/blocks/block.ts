/// <reference lib="dom" />
/**
 * What every block of the processing of a channel is to the chain that it stands in.
 *
 * @module
 */
import { createRamp, evenly, type Ramp } from "../ramp.ts";
import { FADER_SECONDS, type Stage } from "../stage.ts";

/**
 * The values of a block, as `params/…` of the control tree has them. The tree holds each to its
 * type and range.
 */
export interface BlockValues {
  readonly [member: string]: number | boolean;
}

/** A block is a few nodes between an input and an output. */
export interface Block {
  readonly input: AudioNode;
  readonly output: AudioNode;
  /** Goes to other values, without a click, from a time on. */
  update(values: BlockValues, when: number): void;
  /** How many dB it takes away right now, 0 or more; only dynamics have it. */
  reduction?(): number;
  /** Stops what would go on by itself; its nodes are out of the graph already. */
  dispose?(): void;
}

/** A kind of block. */
export interface BlockKind {
  make(stage: Stage, values: BlockValues): Block;
  /** Values that a block cannot change on its way; another takes its place when one does. */
  fixed?(values: BlockValues): readonly (number | boolean)[];
  /** How long a new block takes, in s, until it does to a signal what it should. */
  settles?(values: BlockValues): number;
}

/** Says which value of an audio parameter stands for the values of a block. */
export type ParamOf = readonly [AudioParam, (values: BlockValues) => number];

/**
 * Has parameters follow the values of a block: set at once at first, then each change in one tick.
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
