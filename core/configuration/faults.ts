/**
 * What can be wrong with a configuration, each fault with the path to it.
 *
 * @module
 */
import type { BaseIssue } from "valibot";
import { shown } from "../shown.ts";
import { isBranch } from "../tree/tree.ts";
import { POT } from "./schema.ts";

/** One fault: where (`mixers.0.faders.1.channel`) and why. */
export interface Fault {
  readonly path: string;
  readonly reason: string;
}

/**
 * The faults behind one schema issue. A short form that matches neither of its shapes is described by
 * the shape that was meant: the one whose fault lies deepest.
 */
export function describeIssue(issue: BaseIssue<unknown>, parents: readonly string[] = []): Fault[] {
  const path = [...parents, ...(issue.path ?? []).map((item) => String(item.key))];
  const meant = issue.type === "union" ? deeper(issue.issues ?? []) : [];
  return meant.length > 0
    ? meant.flatMap((inner) => describeIssue(inner, path))
    : [{ path: path.join(".") || "(document)", reason: reasonOf(issue) }];
}

function reasonOf(issue: BaseIssue<unknown>): string {
  if (issue.expected === "never") return "there is no such member";
  const got = issue.type === "regex" ? `, got ${shown(issue.input)}` : "";
  return `${issue.message}${got}`;
}

function deeper(issues: readonly BaseIssue<unknown>[]): BaseIssue<unknown>[] {
  return issues.filter((issue) => issue.path !== undefined);
}

type Item = Readonly<Record<string, unknown>>;

/** The parts that are lists of resources with an `id`. */
const LISTS = [
  "mixers",
  "processings",
  "globalLabels",
  "resources",
  "lists",
  "logics",
  "pots",
  "levels",
  "loudness",
  "routing.inputs",
  "routing.outputs",
  "selectors.selectors",
  "selectors.sourcelists",
  "factorySnapshots",
];

/**
 * What the schema cannot see: doubled numbers, and numbers that name nothing. It looks at the document
 * as it is written, so that these are listed beside whatever else is wrong with it.
 */
export function writtenFaults(document: unknown): Fault[] {
  return [
    ...LISTS.flatMap((path) =>
      doubledMember(path, itemsAt(document, path), "id", path === "mixers")
    ),
    ...itemsAt(document, "mixers").flatMap((mixer, index) => mixerFaults(`mixers.${index}`, mixer)),
    ...doubledChannels(itemsAt(document, "mixers")),
    ...dangling(document, "routing.outputs", "input", "routing.inputs"),
    ...dangling(document, "selectors.selectors", "sourcelist", "selectors.sourcelists"),
    ...dangling(document, "factorySnapshots", "mixer", "mixers"),
    ...itemsAt(document, "pots").flatMap((pot, index) => potFaults(`pots.${index}`, pot)),
  ];
}

function mixerFaults(path: string, mixer: Item): Fault[] {
  return [
    ...doubledMember(`${path}.faders`, itemsAt(mixer, "faders"), "id", true),
    ...["automix", "cleanfeeds", "mutegroups"].flatMap((part) =>
      doubledItem(`${path}.${part}`, mixer[part])
    ),
    ...itemsAt(mixer, "faders").flatMap(({ processing }, index) =>
      doubledItem(`${path}.faders.${index}.processing`, processing)
    ),
  ];
}

/** Two items of one value, in what may be no list. */
function doubledItem(path: string, items: unknown): Fault[] {
  return Array.isArray(items) ? doubled(items, (index) => `${path}.${index}`) : [];
}

/** Two items of a list with one value; where `counted`, an item without one has its index. */
function doubledMember(
  path: string,
  items: readonly Item[],
  member: string,
  counted: boolean,
): Fault[] {
  const values = items.map((item, index) => item[member] ?? (counted ? index : undefined));
  return doubled(values, (index) => `${path}.${index}.${member}`);
}

function doubledChannels(mixers: readonly Item[]): Fault[] {
  const channels = mixers.flatMap((mixer, m) =>
    itemsAt(mixer, "faders").map(({ channel }, f) => ({
      channel,
      path: `mixers.${m}.faders.${f}.channel`,
    }))
  );
  return doubled(channels.map(({ channel }) => channel), (index) => channels[index]!.path);
}

function doubled(values: readonly unknown[], pathOf: (index: number) => string): Fault[] {
  const seen = new Map<unknown, number>();
  return values.flatMap((value, index) => {
    const key = typeof value === "string" ? value.toLowerCase() : value;
    const first = seen.get(key);
    if (first === undefined) seen.set(key, index);
    return first === undefined || value === undefined
      ? []
      : [{ path: pathOf(index), reason: `${value} is already at ${pathOf(first)}` }];
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

/** The items of a list of the document; none where there is no list. */
function itemsAt(document: unknown, path: string): Item[] {
  let node = document;
  for (const member of path.split(".")) node = isBranch(node) ? node[member] : undefined;
  return Array.isArray(node) ? node.map((item) => isBranch(item) ? item : {}) : [];
}
