/**
 * Level meters by their `_mode`, as the control tree names it.
 *
 * @module
 */
import type { Meter, SampleMeter } from "./meter.ts";
import { createPpm, createPpmOfSamples } from "./ppm.ts";
import { createTruePeak, createTruePeakOfSamples } from "./truepeak.ts";
import { createVu, createVuOfSamples } from "./vu.ts";

/** How a level meter is made, silent at first. */
export interface Mode {
  create(): Meter;
  /** Makes one that takes samples; `sampleRate` in Hz. */
  createOfSamples(sampleRate: number): SampleMeter;
}

/** The mode of the meters of faders. */
export const PPM: Mode = { create: createPpm, createOfSamples: createPpmOfSamples };

const MODES: ReadonlyMap<string, Mode> = new Map([
  ["PPM", PPM],
  ["TruePeak", { create: createTruePeak, createOfSamples: createTruePeakOfSamples }],
  ["VU", { create: createVu, createOfSamples: createVuOfSamples }],
]);

/** Returns what a `_mode` stands for; one that is unknown here is taken for PPM. */
export function modeOf(name: string): Mode {
  return MODES.get(name) ?? PPM;
}
