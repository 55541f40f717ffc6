/**
 * What a fader does to its signal before and after its processing.
 *
 * @module
 */
import { FADER_DB } from "../core/limits.ts";
import { fromDecibels } from "../meters/decibels.ts";
import type { FaderPart, MixerPart } from "./parts.ts";

/** Answers the gain of an input, analogue and digital, as a factor of amplitude. */
export function inputGain({ params: { gain } }: FaderPart): number {
  return fromDecibels(gain.again.value + gain.dgain);
}

/**
 * The first fader of each VCA group of a mixer leads the others: they are as much lower as it is
 * below 0 dB, or higher, and off while it is.
 */
export function vcaLeaders({ faders }: MixerPart): ReadonlyMap<number, FaderPart> {
  const leaders = new Map<number, FaderPart>();
  for (const fader of Object.values(faders)) {
    const { vcagroup } = fader;
    if (vcagroup !== 0 && !leaders.has(vcagroup)) leaders.set(vcagroup, fader);
  }
  return leaders;
}

/** Answers the mute groups of a mixer that are on. */
export function mutingGroups({ mutegroups }: MixerPart): readonly string[] {
  return Object.keys(mutegroups).filter((id) => mutegroups[id]);
}

/**
 * Answers what a fader lets pass, as a factor of amplitude: 0 where it is off, closed, or in a
 * group that mutes.
 */
export function faderGain(
  fader: FaderPart,
  muting: readonly string[],
  leaders: ReadonlyMap<number, FaderPart>,
): number {
  if (muting.some((id) => fader.mutegroups[id])) return 0;
  const leader = leaders.get(fader.vcagroup);
  const own = ownGain(fader);
  return leader === undefined || leader === fader ? own : own * ownGain(leader);
}

function ownGain({ fader, on }: FaderPart): number {
  return on && fader > FADER_DB.min ? fromDecibels(fader) : 0;
}

/** Answers what the panorama leaves of both sides, as factors: of the nearer side all. */
export function balance({ params: { panbal: { panbal } } }: FaderPart): readonly [number, number] {
  return [Math.min(1, 1 - panbal), Math.min(1, 1 + panbal)];
}
