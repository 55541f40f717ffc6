/**
 * The level meters, by their `_mode` in the control tree.
 *
 * @module
 */
import type { Meter, SampleMeter } from "./meter.ts";
import { createPpm, createPpmOfSamples } from "./ppm.ts";
import { createTruePeak, createTruePeakOfSamples } from "./truepeak.ts";
import { createVu, createVuOfSamples } from "./vu.ts";

/** The functions that make a level meter, which begins with silence. */
export interface Mode {
  create(): Meter;
  /** Makes a meter that is fed with samples; `sampleRate` in Hz. */
  createOfSamples(sampleRate: number): SampleMeter;
}

/** The mode of the meters of faders. */
export const PPM: Mode = { create: createPpm, createOfSamples: createPpmOfSamples };

const MODES: ReadonlyMap<string, Mode> = new Map([
  ["PPM", PPM],
  ["TruePeak", { create: createTruePeak, createOfSamples: createTruePeakOfSamples }],
  ["VU", { create: createVu, createOfSamples: createVuOfSamples }],
]);

/** Returns the mode of a name; PPM for an unknown name. */
export function modeOf(name: string): Mode {
  return MODES.get(name) ?? PPM;
}
