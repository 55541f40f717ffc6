/**
 * What an equalizer does to each frequency: the filters of Web Audio, by which the engine in Web
 * Audio sounds (docs/web-audio.md), as the browser computes them.
 *
 * @module
 */

/** A band, as the control tree has it; `type` is an index of {@link TYPES}. */
export interface Band {
  readonly type: number;
  /** In Hz. */
  readonly frequency: number;
  /** In dB. */
  readonly gain: number;
  readonly q: number;
}

const TYPES: readonly BiquadFilterType[] = [
  "peaking",
  "lowshelf",
  "highshelf",
  "lowpass",
  "highpass",
  "bandpass",
  "notch",
  "allpass",
];

const SAMPLE_RATE = 48_000;

let context: OfflineAudioContext | undefined;

/** The response of some bands together at each of some frequencies in Hz, in dB. */
export function responseOf(bands: readonly Band[], frequencies: readonly number[]): number[] {
  const responses = bands.map((band) => magnitudes(band, frequencies));
  return frequencies.map((_, at) =>
    responses.reduce((sum, response) => sum + 20 * Math.log10(Math.max(1e-6, response[at]!)), 0)
  );
}

function magnitudes({ type, frequency, gain, q }: Band, frequencies: readonly number[]) {
  context ??= new OfflineAudioContext(1, 1, SAMPLE_RATE);
  const filter = context.createBiquadFilter();
  filter.type = TYPES[type]!;
  filter.frequency.value = frequency;
  filter.gain.value = gain;
  // Of these two Web Audio has the q in dB.
  const isInDB = filter.type === "lowpass" || filter.type === "highpass";
  filter.Q.value = isInDB ? 20 * Math.log10(q) : q;
  const response = new Float32Array(frequencies.length);
  filter.getFrequencyResponse(Float32Array.from(frequencies), response, new Float32Array(response));
  return response;
}
