/**
 * The differences of two states of a part of the console, in words.
 *
 * @module
 */
import type { LeafDefinition, NumberLeaf } from "../../core/tree/leaf.ts";
import type { Leaf } from "../../core/tree/tree.ts";
import { type Decimal, valueText } from "../texts/decimal.ts";
import type { differenceTexts } from "../texts/difference.ts";
import type { mixerTexts } from "../texts/mixer.ts";
import { levelText } from "./fader/scale.ts";

/** A leaf with two values. */
export interface Difference {
  /** The path below the mixer, the fader or the processing; for any other leaf from the root. */
  readonly path: readonly string[];
  /** The value; undefined if one of two snapshots has none. */
  readonly from: Leaf | undefined;
  readonly to: Leaf | undefined;
  readonly leaf: LeafDefinition;
}

/** Older names of members; each has the value of the member that is shown to people. */
const OLDER_NAMES: readonly string[] = ["attmax", "attpassive"];

/** Says whether a leaf is shown by the name of its member: each value has only one line. */
export function isTold(member: string): boolean {
  return !OLDER_NAMES.includes(member);
}

/** Members whose names are not shown: the members below them have names of their own. */
const UNSPOKEN: readonly string[] = [
  ...["params", "options", "value", "audio", "control", "general", "routing", "busparams"],
];

type MixerTexts = ReturnType<typeof mixerTexts>;

/** The format of numbers, and the texts of the members of a mixer. */
export interface WrittenTexts {
  readonly decimal: Decimal;
  readonly mixer: MixerTexts;
}

type Words = ReturnType<typeof differenceTexts>;

/** The known names: labels of faders and of channels, by their numbers. */
export interface Names {
  readonly faders: ReadonlyMap<string, string>;
  readonly channels: ReadonlyMap<number, string>;
  /** The names of mute groups, by their numbers in the control tree. */
  readonly muteGroups?: ReadonlyMap<number, string>;
  /** Whether paths that name no fader begin below a fader. */
  readonly areOfFader?: boolean;
}

/**
 * Writes a difference in a line: `Fader 4 (Phone), Compressor, Ratio: 2.0 to 3.5`. Faders and mute
 * groups have the numbers that stand on their strips and keys.
 */
export function lineOf(
  difference: Difference,
  texts: WrittenTexts,
  words: Words,
  names: Names,
): string {
  const { what, from, to } = wordsOf(difference, texts, words, names);
  return words.line(what, from, to);
}

/** A difference in words. */
export interface DifferenceWords {
  readonly what: string;
  readonly from: string;
  readonly to: string;
}

/** Names the leaf of a difference, and its two values. */
export function wordsOf(
  { path, from, to, leaf }: Difference,
  { mixer, decimal }: WrittenTexts,
  words: Words,
  names: Names,
): DifferenceWords {
  const inFader = path[0] === "faders";
  const rest = inFader ? path.slice(2) : path;
  const owner = inFader ? [words.fader(Number(path[1]) + 1, names.faders.get(path[1]!) ?? "")] : [];
  const member = rest.at(-1)!;
  const isOfFader = inFader || names.areOfFader === true;
  const isMembership = isOfFader && isMuteGroup(rest);
  const isLevel = rest.length === 1 && member === "fader";
  const text = (value: Leaf | undefined) => {
    if (value === undefined) return words.missing;
    if (member === "sourceid") {
      return value === 0 ? words.none : names.channels.get(value as number) ?? String(value);
    }
    if (typeof value === "boolean") {
      if (isMembership) return value ? words.yes : words.no;
      return value ? words.on : words.off;
    }
    if (isLevel) return levelText(value as number, decimal);
    if (member === "type" && rest.includes("params")) return mixer.equalizerTypes[value as number]!;
    if (typeof value === "number") return valueText(value, leaf as NumberLeaf, decimal);
    return value === "" ? words.none : `"${value}"`;
  };
  // The level is the main value of a fader, so it is not named.
  const what = isLevel && inFader
    ? owner
    : [...owner, ...leafNames(rest, isOfFader, mixer, words, names)];
  return { what: what.join(", "), from: text(from), to: text(to) };
}

/** Names a leaf below a fader, or else below its mixer, its processing or the root. */
export function leafNames(
  path: readonly string[],
  isOfFader: boolean,
  mixer: MixerTexts,
  words: Words,
  { muteGroups }: Names,
): string[] {
  if (!isOfFader || !isMuteGroup(path)) return namesOf(path, mixer, words);
  const id = Number(path[1]);
  return [words.memberOf(muteGroups?.get(id) ?? words.numbered.mutegroups(id))];
}

function isMuteGroup([first, id = ""]: readonly string[]): boolean {
  return first === "mutegroups" && NUMBER.test(id);
}

const NUMBER = /^\d+$/;

/** Returns the names of the members of a path on the page. */
export function namesOf(
  path: readonly string[],
  { blocks, members }: MixerTexts,
  { numbered, members: more }: Words,
): string[] {
  const membersOfAll = { ...members, ...more };
  return path.flatMap((member, index) => {
    if (UNSPOKEN.includes(member)) return [];
    const above = path[index - 1] ?? "";
    if (above in numbered && NUMBER.test(member)) {
      return [numbered[above as keyof typeof numbered](Number(member))];
    }
    // A numbered resource is named with its number; a member without a number stands for all.
    if (member in numbered && NUMBER.test(path[index + 1] ?? "0")) return [];
    const known: Readonly<Record<string, string>> = above === "params" ? blocks : membersOfAll;
    return [known[member] ?? member];
  });
}
