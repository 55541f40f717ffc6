/**
 * A fader with its meters: a signal comes in, passes gain, processing, fader and panorama, and goes
 * out to the sum.
 *
 * @module
 */
import type { Patch } from "../../core/tree/tree.ts";
import { fromDecibels, toDecibels } from "../meters/decibels.ts";
import { PPM } from "../meters/modes.ts";
import { balanceAt } from "../mixing/mixer.ts";
import { processed } from "./dynamics.ts";
import type { FaderPart } from "./parts.ts";
import type { Signal } from "./sources.ts";
import { createStereoMeter } from "./stereo.ts";

/** The effect of a fader on its signal. */
export interface Passed {
  /** The signal after the fader. */
  readonly after: Signal;
  /** The values of its meters, as the tree has them. */
  readonly patch: Patch;
}

/** The meters of a fader, which are all PPM. */
export interface FaderMeters {
  /**
   * Lets a signal pass a fader with a gain, which is a factor, and advances the meters by a block
   * of `seconds`.
   */
  pass(fader: FaderPart, signal: Signal, gain: number, seconds: number): Passed;
}

/** Makes the meters of a fader, silent at first. */
export function createFaderMeters(): FaderMeters {
  const input = ppm();
  const pfl = ppm();
  const afl = ppm();
  return {
    pass(fader, signal, gain, seconds) {
      const coming = scaled(signal, inputGain(fader));
      const level = toDecibels(Math.max(coming.left, coming.right));
      const { change, params } = processed(fader, fader._paramlist, level, fader.bypass);
      const before = scaled(coming, fromDecibels(change));
      const [left, right] = balanceAt(fader.params.panbal.panbal);
      const after = scaled(before, gain * left, gain * right);
      const meter = {
        _input: input.step([coming.left, coming.right], seconds),
        _pfl: pfl.step([before.left, before.right], seconds),
        _afl: afl.step([after.left, after.right], seconds),
      };
      return { after, patch: { meter, params } };
    },
  };
}

const ppm = () => createStereoMeter(PPM);

/** Returns the gain of an input, analogue and digital, as a factor of amplitude. */
function inputGain({ params: { gain } }: FaderPart): number {
  return fromDecibels(gain.again.value + gain.dgain);
}

function scaled(signal: Signal, left: number, right = left): Signal {
  return { ...signal, left: signal.left * left, right: signal.right * right };
}
