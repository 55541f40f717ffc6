/**
 * Faders adrift: those whose level in force is not the one that a restart would find, because they
 * move, or because the level at which they came to rest is not on the medium yet.
 *
 * @module
 */
import type { State } from "../state.ts";
import { type Branch, combine, type Patch } from "../tree/patch.ts";
import { find, nest } from "../tree/path.ts";
import { FADER_DB } from "../limits.ts";
import { type FaderAddress, faderKey, type FadersRested, levelPath } from "./fade.ts";

/** A fader adrift, and the level that a restart would find. */
export interface AdriftFader extends FaderAddress {
  readonly rest: number;
}

/** The faders adrift, by `faderKey`. */
export type Adrift = ReadonlyMap<string, AdriftFader>;

/** The fader begins to drift, unless it does already. */
export function castOff(adrift: Adrift, tree: Branch, address: FaderAddress): Adrift {
  const key = faderKey(address);
  if (adrift.has(key)) return adrift;
  const { mixer, fader } = address;
  return new Map(adrift).set(key, { mixer, fader, rest: levelIn(tree, address)! });
}

/** The faders adrift after a durable change: what it sets drifts no longer. */
export function settledBy(adrift: Adrift, patch: Patch): Adrift {
  const set = [...adrift].filter(([, address]) => levelIn(patch, address) !== undefined);
  if (set.length === 0) return adrift;
  const next = new Map(adrift);
  for (const [key] of set) next.delete(key);
  return next;
}

/** The faders adrift once levels are on the medium: one that is still there drifts no longer. */
export function keepRest(state: State, { levels }: FadersRested): Adrift {
  const next = new Map(state.adrift);
  for (const { dB, ...address } of levels) {
    const key = faderKey(address);
    const { mixer, fader } = address;
    if (!next.has(key)) continue;
    const rests = levelIn(state.tree, address) === dB && !state.moving.has(key);
    if (rests) next.delete(key);
    else next.set(key, { mixer, fader, rest: dB });
  }
  return next;
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
  let whole = patch;
  for (const address of adrift.values()) {
    const level = levelIn(written, address);
    if (level === undefined) continue;
    const bounded = Math.min(FADER_DB.max, Math.max(FADER_DB.min, level));
    const named = nest(levelPath(address), bounded) as Patch;
    whole = whole === undefined ? named : combine(whole, named);
  }
  return whole;
}

/** The level of a fader in a tree or a patch; undefined where there is none. */
export function levelIn(tree: Branch | Patch, address: FaderAddress): number | undefined {
  const level = find(tree as Branch, levelPath(address));
  return typeof level === "number" ? level : undefined;
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
      .filter(([fader]) => adrift.has(faderKey({ mixer: Number(mixer), fader: Number(fader) })));
    return [mixer, { faders: Object.fromEntries(drifting) }] as const;
  });
  return { audio: { mixers: Object.fromEntries(parts) } };
}

/** Mostly all are: then nothing is to be left out. */
function allAdrift(adrift: Adrift, mixers: Patch): boolean {
  for (const mixer of Object.keys(mixers)) {
    for (const fader of Object.keys((mixers[mixer] as Patch).faders as Patch)) {
      if (!adrift.has(`${mixer}/${fader}`)) return false;
    }
  }
  return true;
}
