/**
 * Finds the faults of a configuration, each with its path.
 *
 * @module
 */
import type { BaseIssue } from "valibot";
import { NAMED_FAULTS } from "../limits.ts";
import { shown } from "../shown.ts";
import { isBranch } from "../tree/tree.ts";
import { readListenAddress } from "./listen-address.ts";
import { type ParsedConfiguration, POT } from "./schema.ts";

/**
 * A fault: its path (`mixers.0.faders.1.channel`) and the reason why the value there is refused.
 */
export interface Fault {
  readonly path: string;
  readonly reason: string;
}

/** Maximum length of a path or a reason, in characters. Both may quote text of the document. */
const FAULT_CHARACTERS = 400;

/** The faults of a document. Only the first `NAMED_FAULTS` are kept; the others are counted. */
export interface Faults {
  /** Adds a fault. */
  add(fault: Fault): void;
  /** The first faults. If there are more, a last entry states the total number. */
  named(): readonly Fault[];
}

/** Makes an empty list of faults. */
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
 * Describes the faults behind one issue of the schema. A value that matches no option of a union is
 * described by the options that match it in part, that is, whose issues are inside the value.
 */
export function describeIssue(issue: BaseIssue<unknown>, parents: readonly string[] = []): Fault[] {
  const path = [...parents, ...(issue.path ?? []).map((item) => String(item.key))];
  const shapes = issue.type === "union" ? issue.issues ?? [] : [];
  const meant = shapes.filter((inner) => inner.path !== undefined);
  return meant.length > 0
    ? meant.flatMap((inner) => describeIssue(inner, path))
    : [{ path: path.join(".") || "(document)", reason: reasonOf(issue) }];
}

/**
 * Describes each list that stands in place of an object, because valibot reads a list as an object
 * without members.
 */
export function listFaults(given: unknown, read: unknown, path: readonly string[] = []): Fault[] {
  if (Array.isArray(given) && isBranch(read)) {
    return [{ path: path.join(".") || "(document)", reason: "expected an object, got a list" }];
  }
  if (typeof given !== "object" || typeof read !== "object" || !given || !read) return [];
  return Object.entries(given).flatMap(([member, value]) =>
    listFaults(value, (read as Readonly<Record<string, unknown>>)[member], [...path, member])
  );
}

function reasonOf({ expected, type, message, input }: BaseIssue<unknown>): string {
  if (expected === "never") return "there is no such member";
  if (input === undefined) return "it is missing";
  if (type === "regex") return `expected ${message}, got ${shown(input)}`;
  // The messages of valibot itself name types of JavaScript.
  return message.startsWith("Invalid type")
    ? `expected ${expected?.replace("Array", "list")}, got ${shown(input)}`
    : message;
}

type Item = Readonly<Record<string, unknown>>;

/** A search in steps. Each step yields a fault, or undefined if it found none. */
type Search = Generator<Fault | undefined>;

/** The lists of the configuration whose items have an `id`. */
const LISTS = [
  ..."mixers processings globalLabels resources lists logics gpis gpos pots levels".split(" "),
  ..."routing.inputs routing.outputs selectors.selectors selectors.sourcelists".split(" "),
  ..."loudness aes67.streams factorySnapshots".split(" "),
];

/**
 * Finds the faults that the schema cannot find: numbers that occur twice, and references to a
 * number that does not exist. It reads the unvalidated document, so that these faults are listed
 * together with those of the schema.
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
  for (const part of ["automix", "cleanfeeds", "mutegroups", "buses"]) {
    yield* doubled(values(`${path}.${part}`, mixer[part]));
  }
  for (const [index, { processing }] of faders.entries()) {
    yield* doubled(values(`${path}.faders.${index}.processing`, processing));
  }
}

/** A value of the document, with its path. */
interface Place {
  readonly path: string;
  readonly value: unknown;
}

/** Yields the items of a list, with their paths; nothing if the value is not a list. */
function* values(path: string, list: unknown): Generator<Place> {
  if (!Array.isArray(list)) return;
  for (const [at, value] of list.entries()) yield { path: `${path}.${at}`, value };
}

/**
 * Yields one member of each item of a list, with its path. If `counted`, the index of the item is
 * the default of the member.
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

/** Finds values that occur at an earlier path, too. Absent values are ignored. */
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

/** Finds channels that a logic follows but that no fader has at the start. */
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

/** Finds logics that are assigned to GPIs or GPOs but do not exist. */
export function* gpioFaults(
  { ember, logics }: Pick<ParsedConfiguration, "ember" | "logics">,
): Search {
  const known = new Set(logics.map(({ id }) => id));
  for (const which of ["gpis", "gpos"] as const) {
    for (const { path, value } of values(`ember.${which}`, ember?.[which])) {
      const reason = `there is no logic ${value}`;
      yield known.has(value as number) ? undefined : { path, reason };
    }
  }
}

/** Finds an address on which ECP is to listen, but on which Ember+ listens. */
export function* listenFaults({ ember, ecp }: Pick<ParsedConfiguration, "ember" | "ecp">): Search {
  if (ember === undefined || ecp === undefined) return;
  const [taken, wanted] = [readListenAddress(ember.listen)!, readListenAddress(ecp.listen)!];
  const names = [taken.hostname, wanted.hostname];
  const isOne = names[0] === names[1] || names.some((name) => EVERY_ADDRESS.includes(name));
  if (wanted.port === 0 || wanted.port !== taken.port || !isOne) return;
  yield { path: "ecp.listen", reason: `port ${wanted.port} is that of ember.listen` };
}

/** The addresses that stand for all addresses of the machine. */
const EVERY_ADDRESS: readonly string[] = ["0.0.0.0", "::"];

/** Returns the items of a list of the document; none if there is no list. */
function itemsAt(document: unknown, path: string): Item[] {
  let node = document;
  for (const member of path.split(".")) node = isBranch(node) ? node[member] : undefined;
  return Array.isArray(node) ? node.map((item) => isBranch(item) ? item : {}) : [];
}
