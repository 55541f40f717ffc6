/**
 * Faders adrift: those whose level in force is not the one that a restart would find, because they
 * move, or because the level at which they came to rest is not on the medium yet. Who moves them, and how
 * far they are, the mover knows.
 *
 * @module
 */
import { FADER_DB } from "../limits.ts";
import type { FaderAddress } from "../tree/resources.ts";
import { type Branch, combine, nest, type Patch } from "../tree/tree.ts";

/** One fader and a level for it. */
export interface FaderLevel extends FaderAddress {
  readonly dB: number;
}

/** The faders adrift, by `faderKey`, each with whether it moves. */
export type Adrift = ReadonlyMap<number, boolean>;

/** More than the number of any fader. */
const FADERS_OF_MIXER = 65_536;

/** What a fader is known by. */
export function faderKey({ mixer, fader }: FaderAddress): number {
  return mixer * FADERS_OF_MIXER + fader;
}

/** The fader that is known so. */
export function faderOf(key: number): FaderAddress {
  return { mixer: Math.floor(key / FADERS_OF_MIXER), fader: key % FADERS_OF_MIXER };
}

/** How many faders move. */
export function movingCount(adrift: Adrift): number {
  return [...adrift.values()].filter((moves) => moves).length;
}

/** The patch that puts each fader at its level. */
export function levelsPatch(levels: readonly FaderLevel[]): Patch {
  const mixers: Record<string, { faders: Record<string, Patch> }> = {};
  for (const { mixer, fader, dB } of levels) {
    const { faders } = mixers[mixer] ??= { faders: {} };
    faders[fader] = { fader: dB };
  }
  return nest(["audio"], { mixers }) as Patch;
}

/** The part of the tree, or of a patch, in which the levels are. */
interface Levels {
  readonly mixers?: Readonly<Record<number, { readonly faders?: MixerLevels }>>;
}

type MixerLevels = Readonly<Record<number, { readonly fader?: number }>>;

/** The level of a fader in a tree or a patch; undefined where there is none. */
export function levelIn(tree: Branch | Patch, { mixer, fader }: FaderAddress): number | undefined {
  const { audio } = tree as { readonly audio?: Levels };
  return audio?.mixers?.[mixer]?.faders?.[fader]?.fader;
}

/** The faders adrift after a durable change: what it sets is no longer adrift, and moves no more. */
export function settledBy(adrift: Adrift, patch: Patch): Adrift {
  return without(adrift, (address) => levelIn(patch, address) !== undefined);
}

/** The faders adrift once levels are on the medium: one that rests at its own is so no longer. */
export function restedAt(adrift: Adrift, tree: Branch, kept: Patch): Adrift {
  return without(adrift, (address, moves) => {
    const level = levelIn(kept, address);
    return !moves && level !== undefined && level === levelIn(tree, address);
  });
}

/** The faders adrift that a tree has. */
export function adriftIn(adrift: Adrift, tree: Branch): Adrift {
  return without(adrift, (address) => levelIn(tree, address) === undefined);
}

function without(adrift: Adrift, goes: (address: FaderAddress, moves: boolean) => boolean): Adrift {
  const left = [...adrift].filter(([key, moves]) => !goes(faderOf(key), moves));
  return left.length === adrift.size ? adrift : new Map(left);
}

/**
 * The patch of a write with the levels of the faders adrift that it names: the very level that a
 * fader happens to pass is not where it rests, so writing it is a change all the same. `written` is
 * what is written, nested from the root.
 */
export function withFadersAdrift(
  adrift: Adrift,
  written: Patch,
  patch: Patch | undefined,
): Patch | undefined {
  const named = [...adrift.keys()].map(faderOf).flatMap((address): FaderLevel[] => {
    const level = levelIn(written, address);
    if (level === undefined) return [];
    return [{ ...address, dB: Math.min(FADER_DB.max, Math.max(FADER_DB.min, level)) }];
  });
  return named.length === 0 ? patch : combine(patch ?? {}, levelsPatch(named));
}

/**
 * The part of a step of fades that moves faders adrift: whoever set one since has the last word, also
 * while that is still on its way to the medium.
 */
export function adriftPart(adrift: Adrift, patch: Patch): Patch {
  const { mixers = {} } = patch.audio as unknown as Levels;
  const levels: FaderLevel[] = [];
  let left = 0;
  for (const mixer in mixers) {
    const { faders = {} } = mixers[mixer]!;
    for (const fader in faders) {
      const address = { mixer: Number(mixer), fader: Number(fader) };
      if (adrift.has(faderKey(address))) levels.push({ ...address, dB: faders[fader]!.fader! });
      else left++;
    }
  }
  return left === 0 ? patch : levelsPatch(levels);
}
