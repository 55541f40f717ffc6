/**
 * Says what is wrong with a configuration, each fault with the path to it.
 *
 * @module
 */
import type { BaseIssue } from "valibot";
import { shown } from "../shown.ts";
import { isBranch } from "../tree/tree.ts";
import { POT } from "./schema.ts";

/** A fault says where it is (`mixers.0.faders.1.channel`) and why it is one. */
export interface Fault {
  readonly path: string;
  readonly reason: string;
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
export function writtenFaults(document: unknown): Fault[] {
  const mixers = itemsAt(document, "mixers");
  return [
    ...LISTS.flatMap((path) =>
      doubled(members(path, itemsAt(document, path), "id", path === "mixers"))
    ),
    ...mixers.flatMap((mixer, index) => mixerFaults(`mixers.${index}`, mixer)),
    ...doubled(
      mixers.flatMap((mixer, index) =>
        members(`mixers.${index}.faders`, itemsAt(mixer, "faders"), "channel")
      ),
    ),
    ...dangling(document, "routing.outputs", "input", "routing.inputs"),
    ...dangling(document, "selectors.selectors", "sourcelist", "selectors.sourcelists"),
    ...dangling(document, "factorySnapshots", "mixer", "mixers"),
    ...itemsAt(document, "pots").flatMap((pot, index) => potFaults(`pots.${index}`, pot)),
  ];
}

function mixerFaults(path: string, mixer: Item): Fault[] {
  const faders = itemsAt(mixer, "faders");
  return [
    ...doubled(members(`${path}.faders`, faders, "id", true)),
    ...["automix", "cleanfeeds", "mutegroups"]
      .flatMap((part) => doubled(values(`${path}.${part}`, mixer[part]))),
    ...faders.flatMap(({ processing }, index) =>
      doubled(values(`${path}.faders.${index}.processing`, processing))
    ),
  ];
}

/** A place is a value of the document, with the path to it. */
interface Place {
  readonly path: string;
  readonly value: unknown;
}

/** Answers the places of the items of what may be a list. */
function values(path: string, list: unknown): Place[] {
  return Array.isArray(list) ? list.map((value, at) => ({ path: `${path}.${at}`, value })) : [];
}

/**
 * Answers the places of one member of each item of a list; where `counted`, an item without it has
 * its index there.
 */
function members(path: string, items: readonly Item[], member: string, counted = false): Place[] {
  return items.map((item, index) => ({
    path: `${path}.${index}.${member}`,
    value: item[member] ?? (counted ? index : undefined),
  }));
}

/** Finds the values that are at an earlier place, too. What is absent is doubled nowhere. */
function doubled(places: readonly Place[]): Fault[] {
  const firsts = new Map<unknown, string>();
  return places.filter(({ value }) => value !== undefined).flatMap(({ path, value }) => {
    const key = typeof value === "string" ? value.toLowerCase() : value;
    const first = firsts.get(key);
    if (first !== undefined) return [{ path, reason: `${value} is already at ${first}` }];
    firsts.set(key, path);
    return [];
  });
}

function dangling(document: unknown, path: string, member: string, list: string): Fault[] {
  const known: unknown[] = itemsAt(document, list).map((item, index) => item.id ?? index);
  return itemsAt(document, path).flatMap((item, index) => {
    const key = item[member];
    return key === undefined || known.includes(key)
      ? []
      : [{ path: `${path}.${index}.${member}`, reason: `${key} is not in ${list}` }];
  });
}

function potFaults(path: string, pot: Item): Fault[] {
  const { min, max, value } = { ...POT, ...pot };
  if (typeof min !== "number" || typeof max !== "number" || typeof value !== "number") return [];
  return [
    ...(min < max ? [] : [{ path: `${path}.max`, reason: `${max} is not above min ${min}` }]),
    ...(value >= min && value <= max
      ? []
      : [{ path: `${path}.value`, reason: `${value} is outside ${min}..${max}` }]),
  ];
}

/** Answers the items of a list of the document; none where there is no list. */
function itemsAt(document: unknown, path: string): Item[] {
  let node = document;
  for (const member of path.split(".")) node = isBranch(node) ? node[member] : undefined;
  return Array.isArray(node) ? node.map((item) => isBranch(item) ? item : {}) : [];
}
