/**
 * This is the node table, part one: `params/…`, the processing of a fader and of a flex processing
 * (control-tree.md). Ranges and defaults are ours where no client states one.
 *
 * @module
 */
import { DELAY_MS } from "../limits.ts";
import { boolean, choice, type Definition, number, readOnly } from "./leaf.ts";

const frequency = (initial: number) =>
  number(initial, { min: 20, max: 20_000, step: 1, unit: "Hz" });
const attack = number(5, { min: 0.1, max: 200, step: 0.1, unit: "ms" });
const release = number(200, { min: 10, max: 5000, step: 1, unit: "ms" });
const threshold = (initial: number) =>
  number(initial, { min: -80, max: 20, step: 0.5, unit: "dB" });
const gain = number(0, { min: -20, max: 20, step: 0.1, unit: "dB" });
const ratio = number(2, { min: 1, max: 20, step: 0.1 });

const ANALOGUE_GAIN = { min: 0, max: 70, step: 1 } as const;

const block = (members: Definition): Definition => ({ _active: readOnly(true), ...members });
const dynamics = (members: Definition): Definition =>
  block({ _gainreduction: readOnly(0), on: boolean(), ...members });

const equalizer = (centre: number): Definition =>
  block({
    on: boolean(),
    frequency: frequency(centre),
    gain,
    q: number(0.7, { min: 0.1, max: 20, step: 0.1 }),
    type: choice(0, 0, 7),
  });

const varfilter = (cutoff: number, hipass: boolean): Definition =>
  block({
    on: boolean(),
    frequency: frequency(cutoff),
    hipass: boolean(hipass),
    order: choice(2, 1, 8),
  });

const levelDynamics = dynamics({ attack, release, gain, threshold: threshold(-20), ratio });

const automaticGain = dynamics({
  freeze: boolean(),
  gain: number(12, { min: 0, max: 40, step: 0.5, unit: "dB" }),
  level: number(-23, { min: -60, max: 0, step: 0.5, unit: "dB" }),
  threshold: threshold(-50),
  velocity: number(5, { min: 0, max: 10, step: 0.1 }),
});

/** Describes everything under `params` with all blocks active, as for a flex processing. */
export const params: Definition = {
  gain: block({
    _hasagain: readOnly(true),
    _hasp48: readOnly(true),
    dgain: gain,
    p48: boolean(),
    phase: boolean(),
    again: {
      value: number(0, { ...ANALOGUE_GAIN, unit: "dB" }),
      inc: { ...number(0, { unit: "dB" }), adds: "value" },
      _min: readOnly(ANALOGUE_GAIN.min),
      _max: readOnly(ANALOGUE_GAIN.max),
      _step: readOnly(ANALOGUE_GAIN.step),
    },
  }),
  // In addition to the numbered blocks: a client of the device reads no fader without these two.
  eq: equalizer(1000),
  varfilter: varfilter(80, true),
  subsonic: block({ on: boolean(), frequency: frequency(80) }),
  eq1: equalizer(100),
  eq2: equalizer(500),
  eq3: equalizer(2000),
  eq4: equalizer(8000),
  varfilter1: varfilter(80, true),
  varfilter2: varfilter(15_000, false),
  compressor: levelDynamics,
  expander: levelDynamics,
  limiter: dynamics({ release, threshold: threshold(-6) }),
  gate: dynamics({
    attack,
    release,
    attenuation: number(20, { min: 0, max: 80, step: 0.5, unit: "dB" }),
    threshold: threshold(-50),
  }),
  agc: automaticGain,
  r128agc: automaticGain,
  deesser: block({
    on: boolean(),
    bandwidth: number(1, { min: 0.1, max: 4, step: 0.1 }),
    ratio,
    sharpness: number(1, { min: 0, max: 10, step: 0.1 }),
  }),
  deesser2: dynamics({ frequency: frequency(6000), threshold: threshold(-20) }),
  delay: block({ on: boolean(), delay: number(0, { ...DELAY_MS, step: 0.1, unit: "ms" }) }),
  panbal: block({
    panbal: number(0, { min: -1, max: 1, step: 0.01 }),
    divergency: number(0, { min: 0, max: 1, step: 0.01 }),
    lfesend: number(-160, { min: -160, max: 10, step: 0.1, unit: "dB" }),
    matrix: choice(0, 0, 15),
    rear: number(0, { min: -1, max: 1, step: 0.01 }),
    lfeonly: boolean(),
  }),
  swc: block({
    direction: number(0, { min: -1, max: 1, step: 0.01 }),
    width: number(1, { min: 0, max: 2, step: 0.01 }),
    type: boolean(),
  }),
};

/** A configuration may name these blocks in `faders[].processing`. */
export const BLOCKS: readonly string[] = Object.keys(params);

/**
 * A fader has these blocks, in this order, where its configuration names none (control-tree.md,
 * `_paramlist`).
 */
export const FADER_BLOCKS: readonly string[] =
  "subsonic agc expander eq1 eq2 eq3 eq4 deesser2 compressor limiter".split(" ");

/** Describes the same as {@link params}, with only the blocks named active. */
export function paramsOf(blocks: readonly string[]): Definition {
  return Object.fromEntries(
    Object.entries(params).map(([name, block]) => [
      name,
      blocks.includes(name) ? block : { ...block, _active: readOnly(false) },
    ]),
  );
}
