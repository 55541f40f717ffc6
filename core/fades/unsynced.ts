/**
 * A fader is unsynced while its level in force is not the one that a restart would find: it moves,
 * or the level at which it came to rest is not on the medium yet. The fade driver knows which
 * faders move, and how far each one is.
 *
 * @module
 */
import { FADER_DB } from "../limits.ts";
import type { FaderAddress } from "../tree/resources.ts";
import { type Branch, combine, type Patch } from "../tree/tree.ts";

/** A fader with a level for it, in dB. */
export interface FaderLevel extends FaderAddress {
  readonly dB: number;
}

/** The unsynced faders, each by its `faderKey` with whether it moves. */
export type Unsynced = ReadonlyMap<number, boolean>;

/** Every fader's number in its mixer is below this. */
const FADERS_OF_MIXER = 65_536;

/** Makes of the address of a fader one number, for maps to know it by. */
export function faderKey({ mixer, fader }: FaderAddress): number {
  return mixer * FADERS_OF_MIXER + fader;
}

/** Answers the fader that has a key. */
export function faderOf(key: number): FaderAddress {
  return { mixer: Math.floor(key / FADERS_OF_MIXER), fader: key % FADERS_OF_MIXER };
}

/** Counts the faders that move. */
export function movingCount(unsynced: Unsynced): number {
  return [...unsynced.values()].filter((moves) => moves).length;
}

/** Makes the patch that puts each fader at its level. */
export function levelsPatch(levels: readonly FaderLevel[]): Patch {
  return fadersPatch(levels, ({ dB }) => ({ fader: dB }));
}

function fadersPatch<Fader extends FaderAddress>(
  all: readonly Fader[],
  patchOf: (fader: Fader) => Patch,
): Patch {
  const mixers: Record<string, { faders: Record<string, Patch> }> = {};
  for (const one of all) (mixers[one.mixer] ??= { faders: {} }).faders[one.fader] = patchOf(one);
  return { audio: { mixers } };
}

/**
 * Makes the patch that says of faders how they fade, by members of `fade`; undefined where a tree
 * has none of them.
 */
export function fadePatch(
  tree: Branch,
  faders: readonly FaderAddress[],
  fade: Patch,
): Patch | undefined {
  const known = faders.filter((address) => levelIn(tree, address) !== undefined);
  return known.length === 0 ? undefined : fadersPatch(known, () => ({ fade }));
}

/** Describes `audio`, in the tree or in a patch, as far as it leads to the levels of faders. */
interface Levels {
  readonly mixers?: Readonly<Record<number, { readonly faders?: MixerLevels }>>;
}

type MixerLevels = Readonly<Record<number, { readonly fader?: number }>>;

/** Answers the level of a fader in a tree or a patch; undefined where there is none. */
export function levelIn(tree: Branch | Patch, { mixer, fader }: FaderAddress): number | undefined {
  const { audio } = tree as { readonly audio?: Levels };
  return audio?.mixers?.[mixer]?.faders?.[fader]?.fader;
}

/**
 * Answers the unsynced faders after a durable change: a fader that it sets no longer moves, and is
 * synced with it.
 */
export function unsyncedAfterChange(unsynced: Unsynced, patch: Patch): Unsynced {
  return unsyncedExcept(unsynced, (address) => levelIn(patch, address) !== undefined);
}

/**
 * Answers the unsynced faders once levels are on the medium: a fader that rests at its level is
 * synced.
 */
export function unsyncedAfterKept(unsynced: Unsynced, tree: Branch, kept: Patch): Unsynced {
  return unsyncedExcept(unsynced, (address, moves) => {
    const level = levelIn(kept, address);
    return !moves && level !== undefined && level === levelIn(tree, address);
  });
}

/** Answers the unsynced faders that a tree has. */
export function unsyncedIn(unsynced: Unsynced, tree: Branch): Unsynced {
  return unsyncedExcept(unsynced, (address) => levelIn(tree, address) === undefined);
}

function unsyncedExcept(
  unsynced: Unsynced,
  goes: (address: FaderAddress, moves: boolean) => boolean,
): Unsynced {
  const left = [...unsynced].filter(([key, moves]) => !goes(faderOf(key), moves));
  return left.length === unsynced.size ? unsynced : new Map(left);
}

/**
 * Adds to the patch of a write the levels of the unsynced faders that it names. A fader that moves
 * does not rest at the level that it happens to pass, so to write that very level is a change all
 * the same. `written` is what is written, nested from the root.
 */
export function withUnsyncedFaders(
  unsynced: Unsynced,
  written: Patch,
  patch: Patch | undefined,
): Patch | undefined {
  const named = [...unsynced.keys()].map(faderOf).flatMap((address): FaderLevel[] => {
    const level = levelIn(written, address);
    if (level === undefined) return [];
    return [{ ...address, dB: Math.min(FADER_DB.max, Math.max(FADER_DB.min, level)) }];
  });
  return named.length === 0 ? patch : combine(patch ?? {}, levelsPatch(named));
}

/**
 * Answers the part of a step of fades that still holds. A later set of one of its faders has the
 * last word, also while it is still on its way to the medium.
 */
export function onlyUnsynced(unsynced: Unsynced, patch: Patch): Patch {
  const { mixers = {} } = patch.audio as unknown as Levels;
  const levels: FaderLevel[] = [];
  let left = 0;
  for (const mixer in mixers) {
    const { faders = {} } = mixers[mixer]!;
    for (const fader in faders) {
      const address = { mixer: Number(mixer), fader: Number(fader) };
      if (unsynced.has(faderKey(address))) levels.push({ ...address, dB: faders[fader]!.fader! });
      else left++;
    }
  }
  return left === 0 ? patch : levelsPatch(levels);
}
