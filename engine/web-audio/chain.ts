/**
 * The processing of a fader, or a flex processing: the blocks that are on, in series, in the order
 * of `_paramlist`. A block that is off costs nothing.
 *
 * When a block is switched, a new chain of all blocks that are on is made. Its dynamics go on from
 * those of the old chain. It runs muted until they have settled to the signal, and then replaces the
 * old chain by a cross-fade; so nothing clicks or becomes louder meanwhile.
 *
 * @module
 */
import type { Block, BlockKind, BlockValues } from "./blocks/block.ts";
import { compressor, limiter, LOOK_AHEAD } from "./blocks/compressor.ts";
import { delay } from "./blocks/delay.ts";
import { deesser } from "./blocks/deesser.ts";
import { expander, gate } from "./blocks/downward.ts";
import { equalizer, subsonic, variable } from "./blocks/filters.ts";
import { createPlace, type Part, type Place } from "./place.ts";
import { copy, createStereo, type Stereo } from "./signal.ts";

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

/** A chain of blocks that processes a signal, made by {@linkcode createChain}. */
export interface Chain {
  /**
   * Applies other values from a time on.
   *
   * @param order the available blocks, in order; the chain has those that are on in `params`
   */
  update(order: readonly string[], params: Params, when: number): void;
  /** Processes the block of the signal that begins at `frame` into another signal. */
  readonly fill: Place["fill"];
  /** The present gain reduction in dB of each dynamics block that is or was on; 0 if it is off. */
  reductions(): Readonly<Record<string, number>>;
}

interface Standing {
  /** The settings that cannot be changed without a new chain, as a text that can be compared. */
  readonly structure: string;
  /** The values with which it was made. */
  readonly params: Params;
  readonly blocks: ReadonlyMap<string, Block>;
}

const isOn = (params: Params) => (name: string) =>
  Object.hasOwn(KINDS, name) && params[name]?.on === true;

/** Makes the chain of the blocks that are on; `from` is the signal that it processes. */
export function createChain(
  sampleRate: number,
  from: Stereo,
  order: readonly string[],
  params: Params,
): Chain {
  let standing = build(order.filter(isOn(params)), params);
  const place = createPlace(sampleRate, partOf(standing));
  /** The chain that is heard before `standing` is, from the time `begins` on. */
  let heard = standing;
  let begins = -Infinity;
  /** The dynamics blocks that are or were on; the reduction of one that is off is 0. */
  const reducing = new Set<string>();

  /** Makes the blocks of a chain; its dynamics go on from those of the chain `before`. */
  function build(names: readonly string[], params: Params, before?: Standing): Standing {
    const made = names.map((name): [string, Block] => [
      name,
      KINDS[name]!.make(sampleRate, params[name]!, before?.blocks.get(name)?.held?.()),
    ]);
    return { structure: structureOf(names, params), params, blocks: new Map(made) };
  }

  function partOf({ blocks }: Standing): Part {
    if (blocks.size === 0) return { output: from };
    const inOrder = [...blocks.values()];
    const output = createStereo();
    return {
      output,
      run(frame) {
        copy(from, output);
        for (const block of inOrder) block.process(output, frame);
      },
    };
  }

  return {
    fill: place.fill,
    update(order, params, when) {
      const names = order.filter(isOn(params));
      if (when >= begins) heard = standing;
      if (structureOf(names, params) === standing.structure) {
        for (const [name, block] of standing.blocks) block.update(params[name]!, when);
      } else {
        standing = build(names, params, heard);
        begins = place.put(partOf(standing), when, settlingTime(names, params) * sampleRate);
      }
      if (heard === standing) return;
      // A new chain may settle for seconds, so changes are heard in the old one meanwhile.
      for (const [name, block] of heard.blocks) {
        const isSame = structureOf([name], params) === structureOf([name], heard.params);
        if (isSame) block.update(params[name]!, when);
      }
    },
    reductions() {
      for (const [name, { reduction }] of standing.blocks) {
        if (reduction !== undefined) reducing.add(name);
      }
      const found = [...reducing]
        .map((name) => [name, standing.blocks.get(name)?.reduction?.() ?? 0]);
      return Object.fromEntries(found);
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
 * The sum of one look-ahead and of the settling times of the blocks, in s: each block gets a
 * settled signal only after those before it.
 */
function settlingTime(names: readonly string[], params: Params): number {
  return names.reduce(
    (sum, name) => sum + (KINDS[name]!.settles?.(params[name]!) ?? 0),
    LOOK_AHEAD,
  );
}
