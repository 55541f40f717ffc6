/// <reference lib="dom" />
/**
 * The processing of a fader, or a flex processing: the blocks that are on, in series, in the order
 * of `_paramlist`. A block that is off has no nodes, so it costs nothing.
 *
 * When a block is switched, a new chain of all blocks that are on is made. It runs muted until its
 * dynamics have settled to the signal, and then replaces the old chain by a cross-fade; so nothing
 * clicks or becomes louder meanwhile.
 *
 * @module
 */
import type { Block, BlockKind, BlockValues } from "./blocks/block.ts";
import { compressor, limiter, LOOK_AHEAD } from "./blocks/compressor.ts";
import { delay } from "./blocks/delay.ts";
import { deesser } from "./blocks/deesser.ts";
import { expander, gate } from "./blocks/downward.ts";
import { equalizer, subsonic, variable } from "./blocks/filters.ts";
import { createPlace } from "./place.ts";
import type { Stage } from "./stage.ts";

/** The blocks that this engine has; docs/web-audio.md lists the others. */
const KINDS: Readonly<Record<string, BlockKind>> = {
  subsonic,
  expander,
  gate,
  eq: equalizer,
  eq1: equalizer,
  eq2: equalizer,
  eq3: equalizer,
  eq4: equalizer,
  varfilter: variable,
  varfilter1: variable,
  varfilter2: variable,
  deesser2: deesser,
  compressor,
  limiter,
  delay,
};

/** The values of all blocks: `params` of the control tree. */
export interface Params {
  readonly [block: string]: BlockValues;
}

/** A chain of blocks between two nodes, made by {@linkcode createChain}. */
export interface Chain {
  /**
   * Changes to other values from a time on.
   *
   * @param order the available blocks, in order; the chain has those that are on in `params`
   */
  update(order: readonly string[], params: Params, when: number): void;
  /** The present gain reduction in dB of each block that is or was on. */
  reductions(): Readonly<Record<string, number>>;
  /** Whether any block is on. */
  readonly active: boolean;
}

interface Standing {
  /** A text of the settings that cannot be changed without a new chain. */
  readonly structure: string;
  readonly blocks: ReadonlyMap<string, Block>;
}

const isOn = (params: Params) => (name: string) =>
  Object.hasOwn(KINDS, name) && params[name]?.on === true;

/** Connects two nodes by the blocks that are on. */
export function createChain(
  stage: Stage,
  from: AudioNode,
  into: AudioNode,
  order: readonly string[],
  params: Params,
): Chain {
  let standing = build(order.filter(isOn(params)), params);
  const place = createPlace(stage, into, partOf(standing));
  /** The blocks that have reduced the gain; once they are off, their reduction is 0. */
  const reducing = new Set<string>();

  function build(names: readonly string[], params: Params): Standing {
    const made = names.map((name): [string, Block] => [
      name,
      KINDS[name]!.make(stage, params[name]!),
    ]);
    return { structure: structureOf(names, params), blocks: new Map(made) };
  }

  function partOf({ blocks }: Standing) {
    const inOrder = [...blocks.values()];
    const [first] = inOrder;
    if (first === undefined) return { output: from };
    from.connect(first.input);
    inOrder.reduce((before, block) => {
      before.output.connect(block.input);
      return block;
    });
    return {
      output: inOrder.at(-1)!.output,
      dispose() {
        from.disconnect(first.input);
        for (const block of inOrder) block.dispose?.();
      },
    };
  }

  return {
    update(order, params, when) {
      const names = order.filter(isOn(params));
      if (structureOf(names, params) === standing.structure) {
        for (const [name, block] of standing.blocks) block.update(params[name]!, when);
        return;
      }
      standing = build(names, params);
      place.put(partOf(standing), when, settlingTime(names, params));
    },
    reductions() {
      for (const [name, { reduction }] of standing.blocks) {
        if (reduction !== undefined) reducing.add(name);
      }
      const found = [...reducing]
        .map((name) => [name, standing.blocks.get(name)?.reduction?.() ?? 0]);
      return Object.fromEntries(found);
    },
    get active() {
      return standing.blocks.size > 0;
    },
  };
}

function structureOf(names: readonly string[], params: Params): string {
  return names.map((name) => {
    const fixed = KINDS[name]!.fixed?.(params[name]!) ?? [];
    return [name, ...fixed].join(":");
  }).join();
}

/**
 * The sum of the settling times of the blocks: each block gets a settled signal only after those
 * before it.
 */
function settlingTime(names: readonly string[], params: Params): number {
  return names.reduce(
    (sum, name) => sum + (KINDS[name]!.settles?.(params[name]!) ?? 0),
    LOOK_AHEAD,
  );
}
