/**
 * A fader is unsynced while a restart would find another level than the one in force: its fade is
 * running, or the level at which the fade ended is not on the medium yet. The fade driver knows the
 * running fades.
 *
 * @module
 */
import { FADER_DB } from "../limits.ts";
import type { FaderAddress } from "../tree/resources.ts";
import { type Branch, combine, type Patch } from "../tree/tree.ts";

/** A fader and a level in dB. */
export interface FaderLevel extends FaderAddress {
  readonly dB: number;
}

/** The unsynced faders: for the `faderKey` of each, whether its fade is running. */
export type Unsynced = ReadonlyMap<number, boolean>;

/** Upper bound of the number of a fader in its mixer, exclusive. */
const FADERS_OF_MIXER = 65_536;

/** Makes one number from the address of a fader, for use as a key of maps. */
export function faderKey({ mixer, fader }: FaderAddress): number {
  return mixer * FADERS_OF_MIXER + fader;
}

/** Returns the fader of a key. */
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

/** Makes the patch that sets members of `fade` of some faders. */
export function fadePatch(faders: readonly FaderAddress[], fade: Patch): Patch {
  return fadersPatch(faders, () => ({ fade }));
}

/** The part of the tree, or of a patch, that contains the levels of faders. */
interface Levels {
  readonly mixers?: Readonly<Record<number, { readonly faders?: MixerLevels }>>;
}

type MixerLevels = Readonly<Record<number, { readonly fader?: number }>>;

/** Returns the level of a fader in a tree or a patch; undefined if there is none. */
export function levelIn(tree: Branch | Patch, { mixer, fader }: FaderAddress): number | undefined {
  const { audio } = tree as { readonly audio?: Levels };
  return audio?.mixers?.[mixer]?.faders?.[fader]?.fader;
}

/**
 * Returns the unsynced faders after a durable change: a fader that it sets is synced, and its fade
 * has ended.
 */
export function unsyncedAfterChange(unsynced: Unsynced, patch: Patch): Unsynced {
  return unsyncedExcept(unsynced, (address) => levelIn(patch, address) !== undefined);
}

/**
 * Returns the unsynced faders after levels were stored: a fader that rests at its stored level is
 * synced.
 */
export function unsyncedAfterKept(unsynced: Unsynced, tree: Branch, kept: Patch): Unsynced {
  return unsyncedExcept(unsynced, (address, moves) => {
    const level = levelIn(kept, address);
    return !moves && level !== undefined && level === levelIn(tree, address);
  });
}

/** Returns those unsynced faders that exist in a tree. */
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
 * Adds the levels of the unsynced faders that a write names to its patch. Writing the momentary
 * level of a moving fader is a change, too, because it ends the fade. `written` is the content of
 * the write, nested from the root. It may be that of a forged snapshot, so a level that is not a
 * number is skipped, as at rest.
 */
export function withUnsyncedFaders(
  unsynced: Unsynced,
  written: Patch,
  patch: Patch | undefined,
): Patch | undefined {
  const named = [...unsynced.keys()].map(faderOf).flatMap((address): FaderLevel[] => {
    const level = levelIn(written, address);
    if (typeof level !== "number") return [];
    return [{ ...address, dB: Math.min(FADER_DB.max, Math.max(FADER_DB.min, level)) }];
  });
  return named.length === 0 ? patch : combine(patch ?? {}, levelsPatch(named));
}

/**
 * Returns the part of a step of fades that is still valid. A later set of one of its faders takes
 * precedence, even while that set is still being stored.
 */
export function onlyUnsynced(unsynced: Unsynced, patch: Patch): Patch {
  const { mixers = {} } = patch.audio as unknown as Levels;
  const isUnsynced = (mixer: string, fader: string) =>
    unsynced.has(faderKey({ mixer: Number(mixer), fader: Number(fader) }));
  let areAll = true;
  for (const mixer in mixers) {
    for (const fader in mixers[mixer]!.faders) areAll &&= isUnsynced(mixer, fader);
  }
  if (areAll) return patch;
  const valid = Object.entries(mixers).map(([mixer, { faders = {} }]) => {
    const left = Object.entries(faders).filter(([fader]) => isUnsynced(mixer, fader));
    return [mixer, { faders: Object.fromEntries(left) }];
  });
  return { audio: { mixers: Object.fromEntries(valid) } };
}
