/// <reference lib="dom" />
/**
 * The audio graph of a console, made from its control tree: its mixers, its flex processings, its
 * routing, and the outputs to the sound device.
 *
 * @module
 */
import type { Branch } from "../../core/tree/tree.ts";
import { createChain } from "./chain.ts";
import type { Sources } from "./fader.ts";
import { createMeters, type Meters } from "./meters.ts";
import { createMixer } from "./mixer.ts";
import { createSelection, type Part } from "./place.ts";
import { createSource } from "./sources.ts";
import type { Stage } from "./stage.ts";
import type { AudioValues } from "./tree.ts";
import type { Wiring } from "./wiring.ts";

/** The audio graph of a console, made by {@linkcode createGraph}. */
export interface Graph {
  /** The output to the sound device, with all its channels. */
  readonly output: AudioNode;
  /**
   * Changes to the values of another control tree with the same resources, from a time of the
   * context on. Branches that it shares with the previous tree are skipped.
   */
  update(tree: Branch, when: number): void;
  readonly meters: Meters;
  /** Stops the sources of the graph; `output` has to be disconnected before. */
  dispose(): void;
}

const FIRST_CHANNELS = [0, 1] as const;

/**
 * Makes the graph of a console, which plays at once.
 *
 * @param tree all of the control tree, or its `audio`
 * @throws {RangeError} if the wiring names a signal that does not exist, or a channel that the
 * context lacks
 */
export function createGraph(stage: Stage, wiring: Wiring, tree: Branch): Graph {
  const { context } = stage;
  const first = audioOf(tree);
  let before = first;
  const parts = new Set<Part>();
  const sources: Sources = (channel) => {
    const source = wiring.sources?.[channel];
    if (source === undefined) return undefined;
    const { output, dispose } = createSource(stage, source);
    const part = {
      output,
      dispose() {
        dispose?.();
        parts.delete(part);
      },
    };
    parts.add(part);
    return part;
  };
  const signals = new Map<string, AudioNode>();

  const mixers = Object.entries(first.mixers).map(([id, values]) => {
    const mixer = createMixer(stage, sources, values);
    signals.set(`mixer/${id}`, mixer.sum);
    signals.set(`pfl1/${id}`, mixer.pfl1);
    signals.set(`pfl2/${id}`, mixer.pfl2);
    for (const [feed, node] of mixer.cleanfeeds) signals.set(`cleanfeed/${id}/${feed}`, node);
    return { id, mixer };
  });
  const sums = mixers.map(({ id }) => `mixer/${id}`);

  function signal(name: string): AudioNode {
    const node = signals.get(name);
    if (node === undefined) {
      const known = [...signals.keys()].join(", ");
      throw new RangeError(`the wiring names ${name}, expected one of ${known}`);
    }
    return node;
  }

  /** Returns the signal that the wiring assigns to an item, or else the next signal in turn. */
  function wired(
    named: Readonly<Record<string, string>> | undefined,
    id: string,
    place: number,
    inTurn: readonly string[],
  ): AudioNode {
    const name = named?.[id] ?? inTurn[place % inTurn.length];
    return name === undefined ? stage.gain(0) : signal(name);
  }

  const processings = Object.entries(first.flexprocessings).map(([id, { params }], place) => {
    const from = wired(wiring.processings, id, place, sums);
    const output = stage.gain(1);
    const chain = createChain(stage, from, output, Object.keys(params), params);
    signals.set(`processing/${id}`, output);
    return { id, chain };
  });

  const inTurn = processings.length > 0 ? processings.map(({ id }) => `processing/${id}`) : sums;
  const inputs = new Map(
    Object.keys(first.routing.inputs).map((id, place) => [
      id,
      wired(wiring.inputs, id, place, inTurn),
    ]),
  );
  const routes = Object.keys(first.routing.outputs).map((id) => {
    const output = stage.gain(1);
    signals.set(`output/${id}`, output);
    const partOf = (input: string) => {
      const node = inputs.get(input);
      return node && { output: node };
    };
    return createSelection(stage, output, partOf, first.routing.routes[id]!);
  });

  const output = context.createChannelMerger(context.destination.channelCount);
  for (const [name, sides] of heard()) {
    const stereo = stage.gain(1);
    stereo.channelCount = 2;
    stereo.channelCountMode = "explicit";
    const splitter = context.createChannelSplitter(2);
    signal(name).connect(stereo).connect(splitter);
    for (const [side, channel] of sides.entries()) {
      if (channel >= output.numberOfInputs) {
        throw new RangeError(
          `the wiring has channel ${channel}, expected 0..${output.numberOfInputs - 1}`,
        );
      }
      splitter.connect(output, side, channel);
    }
  }

  function heard(): (readonly [string, readonly number[]])[] {
    if (wiring.outputs !== undefined) return Object.entries(wiring.outputs);
    const outputs = Object.keys(first.routing.outputs);
    if (outputs.length === 0) return sums.slice(0, 1).map((sum) => [sum, FIRST_CHANNELS]);
    const pairs = Math.floor(context.destination.channelCount / 2);
    return outputs.slice(0, pairs).map((id, pair) => [`output/${id}`, [2 * pair, 2 * pair + 1]]);
  }

  const meters = createMeters(context, {
    mixers,
    processings,
    levels: Object.entries(first.levels).map(([id, { _mode: mode }], place) => {
      return { id, mode, node: wired(wiring.levels, id, place, sums) };
    }),
    loudness: Object.keys(first.loudness).map((id, place) => {
      return { id, node: wired(wiring.loudness, id, place, sums) };
    }),
  });

  return {
    output,
    meters,
    dispose() {
      for (const part of parts) part.dispose?.();
    },
    update(tree, when) {
      const now = audioOf(tree);
      for (const { id, mixer } of mixers) {
        if (now.mixers[id] !== before.mixers[id]) mixer.update(now.mixers[id]!, when);
      }
      for (const { id, chain } of processings) {
        const { params } = now.flexprocessings[id]!;
        if (params !== before.flexprocessings[id]!.params) {
          chain.update(Object.keys(params), params, when);
        }
      }
      for (const [index, id] of Object.keys(first.routing.outputs).entries()) {
        routes[index]!(now.routing.routes[id]!, when);
      }
      before = now;
    },
  };
}

function audioOf(tree: Branch): AudioValues {
  return tree.audio as unknown as AudioValues;
}
