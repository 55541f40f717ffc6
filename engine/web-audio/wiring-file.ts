/// <reference lib="dom" />
/**
 * A wiring in JSON: the source of each channel, and the routing of signals.
 *
 * @module
 */
import * as v from "valibot";
import type { SourceKind, Wiring } from "./wiring.ts";

const level = v.pipe(v.number(), v.maxValue(0));

const source = v.variant("kind", [
  v.strictObject({
    kind: v.literal("tone"),
    frequency: v.pipe(v.number(), v.minValue(1), v.maxValue(24_000)),
    level,
  }),
  v.strictObject({ kind: v.literal("noise"), level, seed: v.optional(v.number(), 1) }),
  v.strictObject({ kind: v.literal("file"), path: v.pipe(v.string(), v.minLength(1)) }),
  v.strictObject({ kind: v.literal("input") }),
]);

const signals = v.optional(v.record(v.string(), v.string()), {});
const channel = v.pipe(v.number(), v.integer(), v.minValue(0));

const wiringSchema = v.strictObject({
  sources: v.optional(v.record(v.string(), source), {}),
  processings: signals,
  inputs: signals,
  levels: signals,
  loudness: signals,
  outputs: v.optional(v.record(v.string(), v.tuple([channel, channel]))),
});

/** A validated wiring in JSON. */
export type WrittenWiring = v.InferOutput<typeof wiringSchema>;

/** The ports that a wiring needs. */
export interface WiringPorts {
  /** Reads a sound file. */
  readonly read: (path: string) => Promise<ArrayBuffer>;
  /** Opens the input of the sound device. */
  readonly input: () => Promise<MediaStream>;
}

/**
 * Validates a wiring in JSON.
 *
 * @throws {RangeError} naming the first fault and its path
 */
export function checkWiring(written: unknown): WrittenWiring {
  const { success, output, issues } = v.safeParse(wiringSchema, written);
  if (success) return output;
  const [issue] = issues;
  throw new RangeError(`the wiring: ${v.getDotPath(issue) ?? "all of it"}: ${issue.message}`);
}

/**
 * Opens the sources of a wiring: files are decoded completely, an input is opened once.
 *
 * @throws {RangeError} naming a file that cannot be read or decoded
 */
export async function openWiring(
  context: AudioContext,
  written: WrittenWiring,
  { read, input }: WiringPorts,
): Promise<Wiring> {
  let opened: Promise<MediaStream> | undefined;
  const opening = Object.entries(written.sources).map(async ([channel, source]) => {
    if (source.kind === "file") {
      try {
        const buffer = await context.decodeAudioData(await read(source.path));
        return [channel, { kind: "buffer", buffer }] as const;
      } catch (fault) {
        const where = `sources.${channel}.path: ${source.path}`;
        throw new RangeError(`the wiring: ${where}: ${(fault as Error).message}`);
      }
    }
    if (source.kind === "input") {
      opened ??= input();
      const node = context.createMediaStreamSource(await opened);
      return [channel, { kind: "node", node }] as const;
    }
    return [channel, source] as const;
  });
  const sources: Readonly<Record<string, SourceKind>> = Object.fromEntries(
    await Promise.all(opening),
  );
  const { outputs, ...rest } = written;
  return { ...rest, sources, ...(outputs === undefined ? {} : { outputs }) };
}

/** The number of channels that have a tone by default. */
const TONES = 1024;

/** A wiring with a tone for each channel, so that there is something to hear. */
export function tones(): WrittenWiring {
  const sources = Array.from({ length: TONES }, (_, channel) => [
    channel + 1,
    // Fifths and octaves, so that many of them together sound consonant.
    { kind: "tone", frequency: 110 * [1, 1.5, 2, 3, 4, 6][channel % 6]!, level: -20 },
  ]);
  return checkWiring({ sources: Object.fromEntries(sources) });
}
