/**
 * The complete form of a configuration, as the rest of the core uses it: every short form is
 * expanded, every name, number and channel is given, and no two resources of a kind have the
 * same number.
 *
 * @module
 */
import { atOnce } from "../cooperative-scheduler.ts";
import type { Steps } from "../ports.ts";
import { shown } from "../shown.ts";
import { FADER_BLOCKS } from "../tree/processing.ts";
import { isBranch } from "../tree/tree.ts";
import {
  createFaults,
  type Fault,
  type Faults,
  followedFaults,
  gpioFaults,
  listenFaults,
  writtenFaults,
} from "./faults.ts";
import {
  configurationSchema,
  FIRST_ID,
  type ParsedConfiguration,
  type WrittenConfiguration,
} from "./schema.ts";
import { sizeFault } from "./size.ts";
import { validate } from "./validate.ts";

/** A resource is known by its number. */
export interface Named {
  readonly id: number;
  readonly name: string;
}

/** A fader has a number in its mixer, and a fader channel ID that is unique in the device. */
export interface FaderConfiguration {
  readonly id: number;
  readonly channel: number;
  readonly label: string;
  /** The purpose of the fader, such as Mic; empty if not configured. */
  readonly category: string;
  /** The blocks of its processing, in their order. */
  readonly processing: readonly string[];
}

/** A virtual mixer has its faders and its other parts by their numbers. */
export interface MixerConfiguration extends Named {
  readonly faders: readonly FaderConfiguration[];
  /** The place of each of its channels in the `sourcelist`, from 0. */
  readonly places: ReadonlyMap<number, number>;
  readonly automix: readonly number[];
  readonly cleanfeeds: readonly number[];
  readonly mutegroups: readonly number[];
  readonly buses: readonly number[];
}

/** A configuration describes a console completely. */
export interface Configuration
  extends Readonly<Omit<ParsedConfiguration, "$schema" | "mixers" | "processings">> {
  /** The document that this was read from, as it was written. */
  readonly written: WrittenConfiguration;
  readonly mixers: readonly MixerConfiguration[];
  readonly processings: readonly Named[];
}

/** The configuration that was read, or its faults. */
export type ReadConfiguration =
  | { readonly configuration: Configuration }
  | { readonly faults: readonly Fault[] };

/**
 * Reads a configuration from parsed JSON. Lists all faults of the schema, numbers that occur twice,
 * references to missing numbers and impossible ranges of pots; if there are more than 20, the first
 * ones and the total number. Only if there are none of these, the size of the control tree is
 * checked, and then unknown channels and logics and conflicting listen addresses.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 *
 * const read = readConfiguration({ mixers: [{ faders: 8 }] });
 * if ("faults" in read) throw new Error(`${read.faults[0]?.path}: ${read.faults[0]?.reason}`);
 * assertEquals(read.configuration.mixers[0]?.faders[7]?.channel, 8);
 * ```
 */
export function readConfiguration(json: unknown): ReadConfiguration {
  return atOnce(readConfigurationInSteps(json));
}

/** Does the same in steps: a received document may have a hundred thousand faults. */
export function* readConfigurationInSteps(json: unknown): Steps<ReadConfiguration> {
  if (!isBranch(json)) {
    return { faults: [{ path: "(document)", reason: `expected an object, got ${shown(json)}` }] };
  }
  const faults = createFaults();
  const parsed = yield* collected(validate(configurationSchema, json), faults);
  yield* collected(writtenFaults(json), faults);
  const named = faults.named();
  if (named.length > 0) return { faults: named };
  const tooLarge = sizeFault(parsed as ParsedConfiguration);
  if (tooLarge !== undefined) return { faults: [tooLarge] };
  const configuration = complete(parsed as ParsedConfiguration, json as WrittenConfiguration);
  const channels = new Set(configuration.mixers.flatMap(({ places }) => [...places.keys()]));
  yield* collected(followedFaults(configuration.logics, channels), faults);
  yield* collected(gpioFaults(configuration), faults);
  yield* collected(listenFaults(configuration), faults);
  const dangling = faults.named();
  return dangling.length > 0 ? { faults: dangling } : { configuration };
}

/** Collects the faults that a search finds, and returns the result of the search. */
function* collected<Result>(
  search: Generator<Fault | undefined, Result>,
  faults: Faults,
): Steps<Result> {
  let step = search.next();
  for (; !step.done; step = search.next()) {
    if (step.value !== undefined) faults.add(step.value);
    yield;
  }
  return step.value;
}

function complete(parsed: ParsedConfiguration, written: WrittenConfiguration): Configuration {
  const { processings } = parsed;
  return {
    ...parsed,
    written,
    mixers: completeMixers(parsed.mixers),
    processings: typeof processings === "number"
      ? numbers(processings).map((id) => ({ id, name: `Processing ${id + 1}` }))
      : processings,
  };
}

function completeMixers(mixers: ParsedConfiguration["mixers"]): MixerConfiguration[] {
  const written = mixers.flatMap(({ faders }) => typeof faders === "number" ? [] : faders);
  const free = freeChannels(new Set(written.map((fader) => fader.channel)));
  return mixers.map((mixer, index) => {
    const faders =
      (typeof mixer.faders === "number" ? numbers(mixer.faders).map(() => ({})) : mixer.faders)
        .map((fader: Partial<FaderConfiguration>, position) => ({
          id: fader.id ?? position,
          channel: fader.channel ?? free.next().value,
          label: fader.label ?? `Fader ${position + 1}`,
          category: fader.category ?? "",
          processing: fader.processing ?? FADER_BLOCKS,
        }));
    return {
      id: mixer.id ?? index,
      name: mixer.name ?? `Mixer ${index + 1}`,
      faders,
      places: new Map(faders.map(({ channel }, place) => [channel, place])),
      automix: numbers(mixer.automix, FIRST_ID.automix),
      cleanfeeds: numbers(mixer.cleanfeeds, FIRST_ID.cleanfeeds),
      mutegroups: numbers(mixer.mutegroups, FIRST_ID.mutegroups),
      buses: numbers(mixer.buses, FIRST_ID.buses),
    };
  });
}

/** Yields the fader channel IDs that are assigned to no fader in the document, from 1 on. */
function* freeChannels(taken: ReadonlySet<number | undefined>): Generator<number, never> {
  for (let channel = 1;; channel++) if (!taken.has(channel)) yield channel;
}

function numbers(countOrIds: number | readonly number[], first = 0): number[] {
  return typeof countOrIds === "number"
    ? Array.from({ length: countOrIds }, (_, at) => first + at)
    : [...countOrIds];
}
