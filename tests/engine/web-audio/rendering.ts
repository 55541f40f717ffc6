/**
 * Renders the sound of an engine, faster than real time, to check the samples.
 *
 * @module
 */
import { readConfiguration } from "../../../core/configuration/configuration.ts";
import type { WrittenConfiguration } from "../../../core/configuration/schema.ts";
import { initialState } from "../../../core/state.ts";
import { type Branch, find, merge, nest, parsePath, type Patch } from "../../../core/tree/tree.ts";
import { createEngine, type Engine, type Output } from "../../../engine/web-audio/engine.ts";
import { createRenderer, type RendererOptions } from "../../../engine/web-audio/renderer.ts";
import { BLOCK } from "../../../engine/web-audio/signal.ts";
import type { Wiring } from "../../../engine/web-audio/wiring.ts";

/** The sample rate, in Hz. */
export const RATE = 48_000;

/** The frequency of the tones of the tests, in Hz. */
export const HERTZ = 1000;

/** A tone of full scale: the source of channel 1. */
export const TONE = { kind: "tone", frequency: HERTZ, level: 0 } as const;

/** The largest difference of two consecutive samples of {@link TONE}. */
export const STEP = 2 * Math.sin(Math.PI * HERTZ / RATE);

/** The largest difference that a switch of 5 ms adds to two consecutive samples. */
export const SWITCH = 1 / 240;

/** Opens faders of mixer 0. */
export function open(...ids: readonly number[]): Record<string, unknown> {
  const path = (id: number) => `/audio/mixers/0/faders/${id}`;
  return Object.fromEntries(
    ids.flatMap((id) => [[`${path(id)}/on`, true], [`${path(id)}/fader`, 0]]),
  );
}

/** An action on the engine while it plays. */
export interface Cue {
  /** Its time in s; it is done at the next multiple of 128 samples. */
  readonly at: number;
  /** The action; `now` is its exact time in s. */
  readonly act: (engine: Engine, now: number) => void;
}

/** The parameters of a rendering. */
export interface Session {
  readonly console: WrittenConfiguration;
  /** The values that are set before the engine gets the state, by path. */
  readonly set?: Readonly<Record<string, unknown>>;
  readonly wiring: Wiring;
  readonly seconds: number;
  readonly cues?: readonly Cue[];
  /** The delay from a change to its effect in the sound, in s; by default 0. */
  readonly ahead?: number;
  /** The number of rendered channels; by default 2. */
  readonly channels?: number;
}

/** Renders a session; returns the samples of each channel. */
export function rendered(session: Session): Float32Array[] {
  const { wiring, seconds, cues = [], channels = 2, ahead = 0 } = session;
  const renderer = createRenderer({
    sampleRate: RATE,
    channels,
    inputs: 0,
    sources: (wiring.sources ?? {}) as RendererOptions["sources"],
  });
  let frame = 0;
  const output: Output = {
    channels,
    get currentTime() {
      return frame / RATE;
    },
    obey: (order) => renderer.obey(structuredClone(order)),
    meters: () => renderer.meters(),
  };
  const engine = createEngine(output, wiring, ahead);
  engine.whole(treeOf(session));
  const length = Math.round(seconds * RATE);
  const sound = Array.from({ length: channels }, () => new Float32Array(length + BLOCK));
  const due = cues.toSorted((one, other) => one.at - other.at);
  for (; frame < length; frame += BLOCK) {
    while (due.length > 0 && due[0]!.at * RATE <= frame + 1e-6) {
      due.shift()!.act(engine, output.currentTime);
    }
    renderer.render(frame, [], sound.map((samples) => samples.subarray(frame, frame + BLOCK)));
  }
  return sound.map((samples) => samples.subarray(0, length));
}

/** The control tree of a session at its start. */
export function treeOf({ console, set = {} }: Pick<Session, "console" | "set">): Branch {
  const read = readConfiguration(console);
  if ("faults" in read) throw new Error(JSON.stringify(read.faults));
  const { tree } = initialState(read.configuration);
  return Object.entries(set).reduce((tree, [path, value]) => {
    if (find(tree, parsePath(path)) === undefined) throw new Error(`no such path: ${path}`);
    return merge(tree, at(path, value));
  }, tree as unknown as Branch);
}

/** A change of one value, or of a branch. */
export function at(path: string, value: unknown): Patch {
  return nest(parsePath(path), value as Patch) as Patch;
}

/** A cue that changes one value, or a branch. */
export function change(seconds: number, path: string, value: unknown): Cue {
  return { at: seconds, act: (engine) => engine.apply(at(path, value)) };
}

/** The level of samples in dB below full scale, so that a sine of full scale has 0. */
export function levelOf(samples: Float32Array): number {
  const power = samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length;
  return 10 * Math.log10(2 * power);
}

/** The levels of the 0.1 s after each time, in dB with one decimal; "silent" below -120 dB. */
export function levelsAt(samples: Float32Array, ...times: readonly number[]) {
  return times.map((from) => {
    const level = levelOf(part(samples, from, from + 0.1));
    return level < -120 ? "silent" : Math.round(level * 10) / 10;
  });
}

/** The samples between two times, in s. */
export function part(samples: Float32Array, from: number, to: number): Float32Array {
  return samples.subarray(Math.round(from * RATE), Math.round(to * RATE));
}

/** The largest difference of two consecutive samples. */
export function furthestStep(samples: Float32Array): number {
  let furthest = 0;
  for (let index = 1; index < samples.length; index++) {
    furthest = Math.max(furthest, Math.abs(samples[index]! - samples[index - 1]!));
  }
  return furthest;
}
