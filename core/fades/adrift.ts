/**
 * Faders adrift: those whose level in force is not the one that a restart would find, because they
 * move, or because the level at which they came to rest is not on the medium yet.
 *
 * @module
 */
import type { State } from "../state.ts";
import { type Branch, combine, type Patch } from "../tree/patch.ts";
import { FADER_DB } from "../limits.ts";
import { type FaderLevel, type FadersRested, levelsPatch, moves } from "./fade.ts";
import {
  changedItems,
  type FaderAddress,
  type FaderMap,
  itemOf,
  itemsOf,
  withItem,
} from "./fader-map.ts";

/** The faders adrift. */
export type Adrift = FaderMap<FaderAddress>;

/** The fader begins to drift, unless it does already. */
export function castOff(adrift: Adrift, { mixer, fader }: FaderAddress): Adrift {
  const address = { mixer, fader };
  return itemOf(adrift, address) === undefined ? withItem(adrift, address) : adrift;
}

/** The faders adrift after a durable change: what it sets drifts no longer. */
export function settledBy(adrift: Adrift, patch: Patch): Adrift {
  const set = [...itemsOf(adrift)].filter((address) => levelIn(patch, address) !== undefined);
  return changedItems(adrift, set, () => undefined);
}

/** The faders adrift once levels are on the medium: one that is still there drifts no longer. */
export function keepRest({ adrift, moving, tree }: State, { levels }: FadersRested): Adrift {
  return changedItems(
    adrift,
    levels,
    (address, { dB }) =>
      levelIn(tree, address) === dB && !moves(moving, address) ? undefined : address,
  );
}

/**
 * The patch of a write with the levels of the faders adrift that it names: the very level that a
 * fader happens to pass is not where it rests, so writing it is a change all the same. `written` is
 * what is written, nested from the root.
 */
export function withFadersAdrift(
  { adrift }: State,
  written: Patch,
  patch: Patch | undefined,
): Patch | undefined {
  const named: FaderLevel[] = [];
  for (const address of itemsOf(adrift)) {
    const level = levelIn(written, address);
    if (level === undefined) continue;
    const { mixer, fader } = address;
    named.push({ mixer, fader, dB: Math.min(FADER_DB.max, Math.max(FADER_DB.min, level)) });
  }
  if (named.length === 0) return patch;
  return patch === undefined ? levelsPatch(named) : combine(patch, levelsPatch(named));
}

/** The level of a fader in a tree or a patch; undefined where there is none. */
export function levelIn(
  tree: Branch | Patch,
  { mixer, fader }: FaderAddress,
): number | undefined {
  const { audio } = tree as { readonly audio?: Levels };
  return audio?.mixers?.[mixer]?.faders?.[fader]?.fader;
}

/** The part of the tree, or of a patch, in which the levels are. */
interface Levels {
  readonly mixers?: Readonly<Record<number, MixerLevels>>;
}

interface MixerLevels {
  readonly faders?: Readonly<Record<number, { readonly fader?: number }>>;
}

/**
 * The part of a step of fades that moves faders adrift: whoever set one since has the last word, also
 * while that is still on its way to the medium.
 */
export function adriftPart(adrift: Adrift, patch: Patch): Patch {
  const mixers = (patch.audio as Patch).mixers as Patch;
  if (allAdrift(adrift, mixers)) return patch;
  const parts = Object.entries(mixers).map(([mixer, part]) => {
    const drifting = Object.entries((part as Patch).faders as Patch)
      .filter(([fader]) => itemOf(adrift, addressOf(mixer, fader)) !== undefined);
    return [mixer, { faders: Object.fromEntries(drifting) }] as const;
  });
  return { audio: { mixers: Object.fromEntries(parts) } };
}

/** Mostly all are: then nothing is to be left out. */
function allAdrift(adrift: Adrift, mixers: Patch): boolean {
  for (const mixer of Object.keys(mixers)) {
    for (const fader of Object.keys((mixers[mixer] as Patch).faders as Patch)) {
      if (itemOf(adrift, addressOf(mixer, fader)) === undefined) return false;
    }
  }
  return true;
}

function addressOf(mixer: string, fader: string): FaderAddress {
  return { mixer: Number(mixer), fader: Number(fader) };
}
