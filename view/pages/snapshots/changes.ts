/**
 * The changes that loading a snapshot makes, leaf by leaf, as the service fits it.
 *
 * @module
 */
import { fitContent } from "../../../core/tree/fit.ts";
import { levelText } from "../../parts/fader/scale.ts";
import type { LeafDefinition, NumberLeaf, Ranges } from "../../../core/tree/leaf.ts";
import { type Branch, find, isBranch, type Leaf, type Patch } from "../../../core/tree/tree.ts";
import { valueText } from "../../texts/decimal.ts";
import type { Texts } from "../../texts/languages.ts";
import type { snapshotsTexts } from "../../texts/snapshots.ts";

/** A leaf that becomes another. */
export interface Difference {
  /** Below what the snapshot is loaded to. */
  readonly path: readonly string[];
  readonly from: Leaf;
  readonly to: Leaf;
  readonly leaf: LeafDefinition;
}

/**
 * Returns what becomes another in `node` when `content` is loaded there: what does not fit is
 * skipped, numbers go to their bounds, and so are channels that are not among `channels`, with
 * their labels.
 */
export function differences(
  node: Branch,
  ranges: Ranges,
  content: Branch,
  channels: readonly number[],
): Difference[] {
  const fitting = isBranch(content.faders)
    ? { ...content, faders: mapped(content.faders, (fader) => withOwnChannel(fader, channels)) }
    : withOwnChannel(content, channels) as Branch;
  const found: Difference[] = [];
  collect(fitContent(node, ranges, fitting) ?? {}, []);
  return found;

  function collect(patch: Patch, above: readonly string[]): void {
    const members = Object.entries(patch);
    // In order of interest: a level before the block of a processing.
    for (const [member, to] of members) {
      if (isBranch(to)) continue;
      const path = [...above, member];
      const leaf = find(ranges as unknown as Branch, path) as unknown as LeafDefinition;
      found.push({ path, from: find(node, path) as Leaf, to: to as Leaf, leaf });
    }
    for (const [member, below] of members) {
      if (isBranch(below)) collect(below as Patch, [...above, member]);
    }
  }
}

function withOwnChannel(fader: unknown, channels: readonly number[]): Branch {
  const given = fader as Branch;
  if (!isBranch(given) || given.sourceid === undefined) return given;
  const { sourceid, label: _, ...rest } = given;
  return sourceid === 0 || channels.includes(sourceid as number) ? given : rest;
}

function mapped(branch: Branch, become: (node: unknown) => Branch): Branch {
  return Object.fromEntries(Object.entries(branch).map(([id, node]) => [id, become(node)]));
}

/** Members that say nothing to people: what lies below them is named by itself. */
const UNSPOKEN: readonly string[] = ["params", "options", "value"];

type Words = ReturnType<typeof snapshotsTexts>["words"];

/** The known names: labels of faders and of channels, by their numbers. */
export interface Names {
  readonly faders: ReadonlyMap<string, string>;
  readonly channels: ReadonlyMap<number, string>;
}

/**
 * Tells a difference in a line: `Fader 4 (Phone), Compressor, Ratio: 2.0 to 3.5`. Faders and mute
 * groups have the numbers that stand on their strips and keys.
 */
export function lineOf(
  { path, from, to, leaf }: Difference,
  { mixer, decimal }: Texts,
  words: Words,
  names: Names,
): string {
  const inFader = path[0] === "faders";
  const rest = inFader ? path.slice(2) : path;
  const owner = inFader ? [words.fader(Number(path[1]) + 1, names.faders.get(path[1]!) ?? "")] : [];
  const member = rest.at(-1)!;
  const isLevel = rest.length === 1 && member === "fader";
  const text = (value: Leaf) => {
    if (member === "sourceid") return names.channels.get(value as number) ?? words.none;
    if (typeof value === "boolean") return value ? words.on : words.off;
    if (isLevel) return levelText(value as number, decimal);
    if (member === "type") return mixer.equalizerTypes[value as number]!;
    if (typeof value === "number") return valueText(value, leaf as NumberLeaf, decimal);
    return value === "" ? words.none : `"${value}"`;
  };
  // A level is what a fader is about.
  const what = isLevel && inFader ? owner : [...owner, ...namesOf(rest, mixer, words)];
  return words.line(what.join(", "), text(from), text(to));
}

/** The names of the members of a path on the page. */
function namesOf(
  path: readonly string[],
  { blocks, members }: Texts["mixer"],
  { numbered, members: more }: Words,
): string[] {
  const membersOfAll = { ...members, ...more };
  return path.flatMap((member, index) => {
    if (UNSPOKEN.includes(member)) return [];
    const above = path[index - 1] ?? "";
    if (above in numbered) return [numbered[above as keyof typeof numbered](Number(member))];
    if (member in numbered) return [];
    const known: Readonly<Record<string, string>> = above === "params" ? blocks : membersOfAll;
    return [known[member] ?? member];
  });
}
