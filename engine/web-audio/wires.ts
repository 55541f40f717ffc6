/**
 * The connections of the signals of a console: to its flex processings, the inputs of its routing,
 * its meters, and the sound device.
 *
 * @module
 */
import { type AudioValues, busesOf } from "./tree.ts";
import type { Wiring } from "./wiring.ts";

/** The name of the signal of each item, by the number of the item; undefined for silence. */
type Names = Readonly<Record<string, string | undefined>>;

/** The names of the connected signals of a console, which {@linkcode wiresOf} has checked. */
export interface Wires {
  readonly processings: Names;
  readonly inputs: Names;
  readonly levels: Names;
  readonly loudness: Names;
  /** The signals that are heard, each with the channels of the device for its two sides. */
  readonly heard: readonly (readonly [string, readonly number[]])[];
}

/**
 * Returns the connections in a console: those that its wiring names, and for the rest the defaults
 * that {@linkcode Wiring} describes.
 *
 * @param channels the number of channels of the sound device
 * @throws {RangeError} if the wiring names a signal that does not exist, or a channel that the
 *   device lacks
 */
export function wiresOf(wiring: Wiring, audio: AudioValues, channels: number): Wires {
  const sums = Object.keys(audio.mixers).map((id) => `mixer/${id}`);
  const known = new Set(
    Object.entries(audio.mixers).flatMap(([id, mixer]) => [
      `mixer/${id}`,
      `pfl1/${id}`,
      `pfl2/${id}`,
      ...busesOf(mixer).map((bus) => `bus/${id}/${bus}`),
      ...Object.keys(mixer.cleanfeeds).map((feed) => `cleanfeed/${id}/${feed}`),
    ]),
  );

  function checked(name: string): string {
    if (known.has(name)) return name;
    const expected = [...known].join(", ");
    throw new RangeError(`the wiring names ${name}, expected one of ${expected}`);
  }

  /** Returns the signal that the wiring assigns to an item, or else the next signal in turn. */
  function wired(named: Names | undefined, id: string, place: number, inTurn: readonly string[]) {
    const name = named?.[id] ?? inTurn[place % inTurn.length];
    return name === undefined ? undefined : checked(name);
  }

  const each = (named: Names | undefined, ids: readonly string[], inTurn: readonly string[]) =>
    Object.fromEntries(ids.map((id, place) => [id, wired(named, id, place, inTurn)]));

  const ids = Object.keys(audio.flexprocessings);
  // A flex processing may process the signal of an earlier one.
  const processings: Record<string, string | undefined> = {};
  for (const [place, id] of ids.entries()) {
    processings[id] = wired(wiring.processings, id, place, sums);
    known.add(`processing/${id}`);
  }
  const inTurn = ids.length > 0 ? ids.map((id) => `processing/${id}`) : sums;
  const inputs = each(wiring.inputs, Object.keys(audio.routing.inputs), inTurn);
  const outputs = Object.keys(audio.routing.outputs);
  for (const id of outputs) known.add(`output/${id}`);
  const heard = heardOf(wiring, sums, outputs, channels);
  for (const [name, sides] of heard) {
    checked(name);
    const missing = sides.find((channel) => channel >= channels);
    if (missing !== undefined) {
      throw new RangeError(`the wiring has channel ${missing}, expected 0..${channels - 1}`);
    }
  }
  const levels = each(wiring.levels, Object.keys(audio.levels), sums);
  const loudness = each(wiring.loudness, Object.keys(audio.loudness), sums);
  return { processings, inputs, levels, loudness, heard };
}

function heardOf(
  wiring: Wiring,
  sums: readonly string[],
  outputs: readonly string[],
  channels: number,
): Wires["heard"] {
  if (wiring.outputs !== undefined) return Object.entries(wiring.outputs);
  const signals = outputs.length > 0 ? outputs.map((id) => `output/${id}`) : sums.slice(0, 1);
  if (channels === 1) return signals.slice(0, 1).map((name) => [name, [0, 0]]);
  const pairs = Math.floor(channels / 2);
  return signals.slice(0, pairs).map((name, pair) => [name, [2 * pair, 2 * pair + 1]]);
}
