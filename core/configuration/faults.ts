/**
 * Says what is wrong with a configuration, each fault with the path to it.
 *
 * @module
 */
import type { BaseIssue } from "valibot";
import { NAMED_FAULTS } from "../limits.ts";
import { shown } from "../shown.ts";
import { isBranch } from "../tree/tree.ts";
import { type ParsedConfiguration, POT } from "./schema.ts";

/** A fault says where it is (`mixers.0.faders.1.channel`) and why it is one. */
export interface Fault {
  readonly path: string;
  readonly reason: string;
}

/** Maximum length of a path or a reason, in characters: either may hold a text of the document. */
const FAULT_CHARACTERS = 400;

/** The faults of a document, of which the first are kept. */
export interface Faults {
  /** Adds a fault. */
  add(fault: Fault): void;
  /** The first faults, and in the place of the rest, at the end, how many there are in all. */
  named(): readonly Fault[];
}

/** Makes a list of faults without any. */
export function createFaults(): Faults {
  const first: Fault[] = [];
  let count = 0;
  return {
    add({ path, reason }) {
      if (++count <= NAMED_FAULTS) first.push({ path: cut(path), reason: cut(reason) });
    },
    named() {
      if (count <= NAMED_FAULTS) return first;
      const reason = `there are ${count} faults; these are the first ${NAMED_FAULTS}`;
      return [...first, { path: "(document)", reason }];
    },
  };
}

function cut(text: string): string {
  return text.length <= FAULT_CHARACTERS ? text : `${text.slice(0, FAULT_CHARACTERS)}…`;
}

/**
 * Describes the faults behind one issue of the schema. A short form that matches neither of its
 * shapes is described by the shape that was meant: the one whose fault lies deepest.
 */
export function describeIssue(issue: BaseIssue<unknown>, parents: readonly string[] = []): Fault[] {
  const path = [...parents, ...(issue.path ?? []).map((item) => String(item.key))];
  const shapes = issue.type === "union" ? issue.issues ?? [] : [];
  const meant = shapes.filter((inner) => inner.path !== undefined);
  return meant.length > 0
    ? meant.flatMap((inner) => describeIssue(inner, path))
    : [{ path: path.join(".") || "(document)", reason: reasonOf(issue) }];
}

function reasonOf({ expected, type, message, input }: BaseIssue<unknown>): string {
  if (expected === "never") return "there is no such member";
  return type === "regex" ? `${message}, got ${shown(input)}` : message;
}

type Item = Readonly<Record<string, unknown>>;

/** Each step of a search finds a fault, or, undefined, none. */
type Search = Generator<Fault | undefined>;

/** These parts are lists of resources that have an `id`. */
const LISTS = [
  ..."mixers processings globalLabels resources lists logics pots levels loudness".split(" "),
  ..."routing.inputs routing.outputs selectors.selectors selectors.sourcelists".split(" "),
  "factorySnapshots",
];

/**
 * Finds what the schema cannot see: doubled numbers, and numbers that name nothing. It looks at the
 * document as it is written, so that these are listed beside whatever else is wrong with it.
 */
export function* writtenFaults(document: unknown): Search {
  const mixers = itemsAt(document, "mixers");
  for (const path of LISTS) {
    yield* doubled(members(path, itemsAt(document, path), "id", path === "mixers"));
  }
  for (const [index, mixer] of mixers.entries()) yield* mixerFaults(`mixers.${index}`, mixer);
  yield* doubled(channels(mixers));
  yield* dangling(document, "routing.outputs", "input", "routing.inputs");
  yield* dangling(document, "selectors.selectors", "sourcelist", "selectors.sourcelists");
  yield* dangling(document, "factorySnapshots", "mixer", "mixers");
  for (const [index, pot] of itemsAt(document, "pots").entries()) {
    yield* potFaults(`pots.${index}`, pot);
  }
}

function* mixerFaults(path: string, mixer: Item): Search {
  const faders = itemsAt(mixer, "faders");
  yield* doubled(members(`${path}.faders`, faders, "id", true));
  for (const part of ["automix", "cleanfeeds", "mutegroups"]) {
    yield* doubled(values(`${path}.${part}`, mixer[part]));
  }
  for (const [index, { processing }] of faders.entries()) {
    yield* doubled(values(`${path}.faders.${index}.processing`, processing));
  }
}

/** A place is a value of the document, with the path to it. */
interface Place {
  readonly path: string;
  readonly value: unknown;
}

/** Answers the places of the items of what may be a list. */
function* values(path: string, list: unknown): Generator<Place> {
  if (!Array.isArray(list)) return;
  for (const [at, value] of list.entries()) yield { path: `${path}.${at}`, value };
}

/**
 * Answers the places of one member of each item of a list; where `counted`, an item without it has
 * its index there.
 */
function* members(
  path: string,
  items: readonly Item[],
  member: string,
  counted = false,
): Generator<Place> {
  for (const [index, item] of items.entries()) {
    const value = item[member] ?? (counted ? index : undefined);
    yield { path: `${path}.${index}.${member}`, value };
  }
}

function* channels(mixers: readonly Item[]): Generator<Place> {
  for (const [index, mixer] of mixers.entries()) {
    yield* members(`mixers.${index}.faders`, itemsAt(mixer, "faders"), "channel");
  }
}

/** Finds the values that are at an earlier place, too. What is absent is doubled nowhere. */
function* doubled(places: Iterable<Place>): Search {
  const firsts = new Map<unknown, string>();
  for (const { path, value } of places) {
    const key = typeof value === "string" ? value.toLowerCase() : value;
    const first = firsts.get(key);
    if (first === undefined) firsts.set(key, path);
    const isDoubled = first !== undefined && value !== undefined;
    yield isDoubled ? { path, reason: `${shown(value)} is already at ${first}` } : undefined;
  }
}

function* dangling(document: unknown, path: string, member: string, list: string): Search {
  const known: ReadonlySet<unknown> = new Set(
    itemsAt(document, list).map((item, index) => item.id ?? index),
  );
  for (const [index, item] of itemsAt(document, path).entries()) {
    const key = item[member];
    yield key === undefined || known.has(key)
      ? undefined
      : { path: `${path}.${index}.${member}`, reason: `${shown(key)} is not in ${list}` };
  }
}

function* potFaults(path: string, pot: Item): Search {
  const { min, max, value } = { ...POT, ...pot };
  if (typeof min !== "number" || typeof max !== "number" || typeof value !== "number") return;
  if (min >= max) yield { path: `${path}.max`, reason: `${max} is not above min ${min}` };
  if (value < min || value > max) {
    yield { path: `${path}.value`, reason: `${value} is outside ${min}..${max}` };
  }
}

/** Finds channels that a logic follows and no fader has at first, once all channels are known. */
export function* followedFaults(
  logics: ParsedConfiguration["logics"],
  channels: ReadonlySet<number>,
): Search {
  for (const [index, { follows }] of logics.entries()) {
    for (const { path, value } of values(`logics.${index}.follows`, follows)) {
      const reason = `${value} is not the channel of any fader`;
      yield channels.has(value as number) ? undefined : { path, reason };
    }
  }
}

/** Answers the items of a list of the document; none where there is no list. */
function itemsAt(document: unknown, path: string): Item[] {
  let node = document;
  for (const member of path.split(".")) node = isBranch(node) ? node[member] : undefined;
  return Array.isArray(node) ? node.map((item) => isBranch(item) ? item : {}) : [];
}
