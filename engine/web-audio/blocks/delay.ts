/// <reference lib="dom" />
/**
 * The block `delay`. Another delay is another block, to which is faded: a delay that glides would
 * change the pitch meanwhile.
 *
 * @module
 */
import type { BlockKind, BlockValues } from "./block.ts";

const secondsOf = ({ delay }: BlockValues) => (delay as number) / 1000;

/** `delay`: the signal comes later by as much as it says. */
export const delay: BlockKind = {
  fixed: ({ delay }) => [delay!],
  make({ context }, values) {
    // A node has at least the room of one sample.
    const node = context.createDelay(secondsOf(values) + 1 / context.sampleRate);
    node.delayTime.value = secondsOf(values);
    return { input: node, output: node, update() {} };
  },
  // So it is faded to once the signal has come through.
  settles: secondsOf,
};
