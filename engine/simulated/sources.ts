/**
 * The simulated input signals of the channels: levels that move like those of a voice, of music, of
 * a tone, or not at all.
 *
 * @module
 */
import { fromDecibels } from "../meters/decibels.ts";
import { chance, drift } from "./noise.ts";

/** A signal as meters see it at a moment. */
export interface Signal {
  /** The peak of each side as an amplitude, 1 being full scale. */
  readonly left: number;
  readonly right: number;
  /**
   * The amplitude, as a part of the peak, of the sine that has the same power: 1 for a tone, less
   * for all other signals.
   */
  readonly density: number;
  /** The correlation of the two sides, -1..1. */
  readonly correlation: number;
}

/** A signal of a kind at a time, in s; `stream` distinguishes it from others of its kind. */
type Kind = (seed: number, stream: number, seconds: number) => Signal;

/** No signal. */
const NO_SIGNAL: Signal = { left: 0, right: 0, density: 1, correlation: 0 };

/** The level of the tone in dBFS: the alignment level of broadcasting. */
const TONE_DB = -18;
const TONE: Signal = mono(TONE_DB, 1);

/** A voice: syllables, four a second, in phrases with pauses in which the room is heard. */
const VOICE = { peak: -9, syllables: 20, rate: 4, phrases: 0.5, pauses: 0.3, room: -62 } as const;
const speech: Kind = (seed, stream, seconds) => {
  const phrase = drift(seed, stream, seconds * VOICE.phrases);
  const syllable = drift(seed, stream + 1, seconds * VOICE.rate);
  const level = phrase < VOICE.pauses ? VOICE.room : VOICE.peak - VOICE.syllables * syllable;
  return mono(level, 0.4);
};

/** Music: beats, two a second, that fade by some dB, in parts that are louder and softer. */
const BAND = { peak: -6, parts: 8, beats: 2, fall: 9, sides: 3 } as const;
const music: Kind = (seed, stream, seconds) => {
  const start = chance(seed, stream, 0);
  const part = drift(seed, stream + 1, seconds / 4);
  const beat = (seconds * BAND.beats + start) % 1;
  const level = BAND.peak - BAND.parts * part - BAND.fall * beat;
  const side = BAND.sides * drift(seed, stream + 2, seconds);
  const correlation = 0.4 + 0.5 * part;
  const left = fromDecibels(level - side);
  const right = fromDecibels(level - BAND.sides + side);
  return { left, right, density: 0.5, correlation };
};

const tone: Kind = () => TONE;
const silent: Kind = () => NO_SIGNAL;

/** The channels take these in turn, from channel 1 on. */
const KINDS = [speech, speech, speech, speech, music, music, music, tone, speech, silent];

/** The other input of a channel has the kind that is this number of places further in the list. */
const ALTERNATIVE = 4;

/** Number of streams of random numbers for each source. */
const STREAMS = 4;

/** The channel number of a fader without a channel. */
const NO_CHANNEL = 0;

/**
 * Returns the input signal of a channel at a time, in s; with `alternative` that of its other
 * input. Channel 0, which is no channel, has no signal.
 */
export function signalAt(
  seed: number,
  channel: number,
  alternative: boolean,
  seconds: number,
): Signal {
  if (channel === NO_CHANNEL) return NO_SIGNAL;
  const kind = KINDS[(channel - 1 + (alternative ? ALTERNATIVE : 0)) % KINDS.length]!;
  const stream = STREAMS * (2 * channel + (alternative ? 1 : 0));
  return kind(seed, stream, seconds);
}

function mono(dB: number, density: number): Signal {
  const level = fromDecibels(dB);
  return { left: level, right: level, density, correlation: 1 };
}
