/**
 * The sources of the meter bridge: the levels and the loudness of the console, and the faders of a
 * mixer.
 *
 * @module
 */
import type { MeterMode } from "../../parts/meters/scale.ts";
import { read } from "../../state/live.ts";

/** A source with a meter. */
export interface Source {
  /** Its path, by which it is named on the board. */
  readonly path: string;
  readonly kind: "level" | "loudness" | "fader";
  readonly name: string;
  readonly mode: MeterMode;
  /** The common name of its mode. */
  readonly measure: string;
}

/** The members that are read of all levels, and of all loudness meters. */
const NAMES = { depth: 2, only: ["_name", "_mode"] };

/**
 * Reads the levels and the loudness meters of the console; undefined without an answer, or if it is
 * refused.
 */
export async function consoleSources(): Promise<readonly Source[] | undefined> {
  const [levels, loudness] = await Promise.all([
    read("/audio/levels", NAMES),
    read("/audio/loudness", NAMES),
  ]);
  if (levels === undefined || loudness === undefined) return undefined;
  return [
    ...Object.entries(levels).map(([id, { _name = "", _mode = "PPM" }]): Source => ({
      path: `/audio/levels/${id}`,
      kind: "level",
      name: _name,
      mode: _mode as MeterMode,
      measure: _mode,
    })),
    ...Object.entries(loudness).map(([id, { _name = "", _mode = "" }]): Source => ({
      path: `/audio/loudness/${id}`,
      kind: "loudness",
      name: _name,
      mode: "LUFS",
      measure: _mode,
    })),
  ];
}

/**
 * Reads the faders of a mixer, in their order; none if there is no such mixer, or if the connection
 * is lost.
 */
export async function faderSources(mixer: number): Promise<readonly Source[]> {
  const faders = await read(`/audio/mixers/${mixer}/faders`, { depth: 2, only: ["label"] });
  return Object.entries(faders ?? {}).map(([id, { label = "" }]): Source => ({
    path: `/audio/mixers/${mixer}/faders/${id}/meter/_input`,
    kind: "fader",
    name: label === "" ? String(Number(id) + 1) : label,
    mode: "PPM",
    measure: "PPM",
  }));
}
