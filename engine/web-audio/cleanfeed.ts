/**
 * A cleanfeed is the sum of a mixer without one source: a remote person hears everybody else. It
 * adds up all the others, because subtracting the source from the sum would leave its rounding
 * errors.
 *
 * @module
 */
import type { Cleanfeed as CleanfeedValues } from "../../client/control-tree.ts";
import { fromDecibels } from "../meters/decibels.ts";
import { createPlace, type Part } from "./place.ts";
import { createRamp, evenly, FADER_SECONDS, SWITCH_SECONDS } from "./ramp.ts";
import { add, createStereo, silence, type Stereo } from "./signal.ts";
import type { FaderValues, MixerValues } from "./tree.ts";

/** A cleanfeed. {@linkcode createCleanfeed} makes one. */
export interface Cleanfeed {
  readonly output: Stereo;
  /** Renders the block that begins at `frame`, after the faders. */
  run(frame: number): void;
  /** Applies other values of the tree from a time, in samples, on. */
  update(mixer: MixerValues, when: number): void;
}

/**
 * Says whether a cleanfeed leaves a fader out: a fader that carries the channel `srcsel`, or has
 * this cleanfeed as its own (`_usecleanfeed`, 0 for none). With `n` it leaves no fader out.
 */
function leavesOut(id: string, values: CleanfeedValues, fader: FaderValues): boolean {
  if (values.n) return false;
  const { _usecleanfeed: own, sourceid } = fader;
  return own !== 0 && String(own) === id || values.srcsel !== 0 && sourceid === values.srcsel;
}

const levelOf = ({ cut, outgain }: CleanfeedValues) => cut ? 0 : fromDecibels(outgain);

/**
 * Makes a cleanfeed of a mixer.
 *
 * @param sum the sum of all faders
 * @param outputs the output of each fader, by its number
 */
export function createCleanfeed(
  sampleRate: number,
  id: string,
  sum: Stereo,
  outputs: ReadonlyMap<string, Stereo>,
  mixer: MixerValues,
): Cleanfeed {
  const output = createStereo();
  let left = leftOut(mixer);
  const place = createPlace(sampleRate, partOf(left));
  let values = mixer.cleanfeeds[id]!;
  const level = createRamp(evenly, levelOf(values));

  function leftOut({ faders, cleanfeeds }: MixerValues): readonly string[] {
    return Object.keys(faders).filter((fader) => leavesOut(id, cleanfeeds[id]!, faders[fader]!));
  }

  function partOf(without: readonly string[]): Part {
    if (without.length === 0) return { output: sum };
    const others = [...outputs].filter(([fader]) => !without.includes(fader));
    const rest = createStereo();
    return {
      output: rest,
      run() {
        silence(rest);
        for (const [, other] of others) add(other, rest);
      },
    };
  }

  return {
    output,
    run(frame) {
      place.fill(frame, output);
      level.multiply(frame, output);
    },
    update(mixer, when) {
      const without = leftOut(mixer);
      if (without.join() !== left.join()) {
        left = without;
        place.put(partOf(without), when);
      }
      const wasCut = values.cut;
      values = mixer.cleanfeeds[id]!;
      const seconds = values.cut === wasCut ? FADER_SECONDS : SWITCH_SECONDS;
      level.to(levelOf(values), when, seconds * sampleRate);
    },
  };
}
