/**
 * The rules of a mixer: how faders, mute groups, VCA groups and balance affect a level. Every
 * engine follows them, whether simulated or real.
 *
 * @module
 */
import type { Patch } from "../../core/tree/tree.ts";
import { fromDecibels } from "../meters/decibels.ts";

/** The members of a fader that these rules use. */
export interface FaderRules {
  readonly fader: number;
  readonly on: boolean;
  readonly vcagroup: number;
  readonly mutegroups: Readonly<Record<string, boolean>>;
}

/** The members of a mixer that these rules use. */
export interface MixerRules {
  readonly faders: Readonly<Record<string, FaderRules>>;
  readonly mutegroups: Readonly<Record<string, boolean>>;
}

/** The leaders of a mixer's VCA groups, by the numbers of the groups. */
export type Leaders = ReadonlyMap<number, FaderRules>;

/**
 * The first fader of each VCA group of a mixer leads the others: its level in dB is added to
 * theirs, and they are off while it is off.
 */
export function vcaLeaders({ faders }: MixerRules): Leaders {
  const leaders = new Map<number, FaderRules>();
  for (const fader of Object.values(faders)) {
    const { vcagroup } = fader;
    if (vcagroup !== 0 && !leaders.has(vcagroup)) leaders.set(vcagroup, fader);
  }
  return leaders;
}

/** Returns the gain that a fader gets from the leader of its VCA group, as an amplitude factor. */
export function leaderGain(fader: FaderRules, leaders: Leaders): number {
  const leader = leaders.get(fader.vcagroup);
  if (leader === undefined || leader === fader) return 1;
  return leader.on ? fromDecibels(leader.fader) : 0;
}

/** Says whether a fader is on, and in no mute group that is on. */
export function isOpen(fader: FaderRules, { mutegroups }: MixerRules): boolean {
  return fader.on && !Object.keys(mutegroups).some((id) => mutegroups[id] && fader.mutegroups[id]);
}

/**
 * Returns the gains of the left and the right side for a position of `panbal`, as factors: the side
 * that it is turned away from becomes quieter, and neither side louder.
 */
export function balanceAt(position: number): readonly [number, number] {
  return [Math.min(1, 1 - position), Math.min(1, 1 + position)];
}

/** Returns the report that every fader of some mixers is ready. */
export function allReady(mixers: Readonly<Record<string, Pick<MixerRules, "faders">>>): Patch {
  const ofMixers = Object.entries(mixers).map(([id, { faders }]): [string, Patch] => {
    const ready = Object.keys(faders).map((fader) => [fader, { _readystate: true }]);
    return [id, { faders: Object.fromEntries(ready) }];
  });
  return { audio: { mixers: Object.fromEntries(ofMixers) } };
}
