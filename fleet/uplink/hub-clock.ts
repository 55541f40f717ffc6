/**
 * The clock of the hub, as a console knows it on one connection. A frame of the hub has its time,
 * and the console knows how long the frame can have been on its way, and so how old that time may
 * be.
 *
 * @module
 */
import type { Timer } from "../../core/ports.ts";

/** The clock of a hub. */
export interface HubClock {
  /** The console has sent a beat with its time `t`. */
  beaten(t: number): void;
  /** The hub has welcomed the console at its time `t`. */
  welcomed(t: number): void;
  /**
   * A beat of the hub, sent at its time `t`, `ms` after it heard the beat `heard` of the console.
   */
  heard(t: number, heard?: { readonly t: number; readonly ms: number }): void;
  /** Returns the most likely time of the hub, in ms since 1970; undefined before a welcome. */
  now(): number | undefined;
  /** Returns the latest time that it can be at the hub. */
  latest(): number | undefined;
}

/** A time of the hub that arrived at a monotonic time, after at most `most` ms on its way. */
interface Sample {
  readonly t: number;
  readonly at: number;
  readonly most: number;
}

/** Number of samples that are kept: the sample with the shortest delay counts. */
const SAMPLES = 16;

/** Number of beats of the console whose times are kept until the hub has heard them. */
const BEATS = 8;

/** Time in ms by which two samples may disagree before the clock of the hub counts as set. */
const AGREED_MS = 100;

/** Makes the clock of a hub that is dialled at this moment. */
export function createHubClock({ monotonic }: Pick<Timer, "monotonic">): HubClock {
  const dialledAt = monotonic();
  let beats: { readonly t: number; readonly at: number }[] = [];
  let samples: Sample[] = [];

  function best(): Sample | undefined {
    return samples.reduce<Sample | undefined>(
      (best, one) => best === undefined || one.most < best.most ? one : best,
      undefined,
    );
  }

  function note(sample: Sample): void {
    const known = best();
    if (known !== undefined && !agree(known, sample)) samples = [];
    samples = [...samples, sample].slice(-SAMPLES);
  }

  function timeWith(share: number): number | undefined {
    const sample = best();
    return sample && sample.t + share * sample.most + monotonic() - sample.at;
  }

  return {
    beaten(t) {
      beats = [...beats, { t, at: monotonic() }].slice(-BEATS);
    },
    welcomed(t) {
      // The hub sent it after the console had dialled.
      const at = monotonic();
      note({ t, at, most: at - dialledAt });
    },
    heard(t, heard) {
      // Of two beats with the same time the earlier is the safe choice.
      const beat = heard && beats.find((one) => one.t === heard.t);
      if (beat === undefined) return;
      const at = monotonic();
      note({ t, at, most: Math.max(0, at - beat.at - heard!.ms) });
    },
    now: () => timeWith(1 / 2),
    latest: () => timeWith(1),
  };
}

/** Says whether both samples can come from one clock: their ranges overlap. */
function agree(one: Sample, other: Sample): boolean {
  const passed = other.at - one.at;
  return one.t + passed <= other.t + other.most + AGREED_MS &&
    other.t <= one.t + passed + one.most + AGREED_MS;
}
