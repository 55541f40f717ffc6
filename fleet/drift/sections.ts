/**
 * The sections of a console that are compared with a template or with another console: the content
 * of each, and the parts of the control tree that belong to it. The values that an operator moves
 * (levels, ON, PFL, the gain of sends) belong to none.
 *
 * @module
 */
import type { Steps } from "../../core/ports.ts";
import { type Parts, partsBelow, type PartsBranch } from "../../core/tree/parts.ts";
import { type Branch, isBranch, type Patch, type Tree, unlessEmpty } from "../../core/tree/tree.ts";

/** The sections, and the content of each. */
export const SECTIONS = {
  labels: "the labels of faders, and the global labels",
  processing: "the processing of faders, and the flex processings",
  setup:
    "sources, options, VCA and mute groups, automix, clean feeds, routing, selectors, GPIO, streams",
  snapshots: "names, groups and contents of snapshots, but for factory and default ones",
  users: "the users of the console and their rights, never their tokens",
  pictures: "the pictures of resources",
  views: "the documents that the console keeps for device views",
  configuration: "the configuration, without the parts that belong to one console",
  settings: "TIMEZONE, SERVICES, LOG and SNMP of the settings",
} as const;

/** The mixers of a console by their numbers, each with the numbers of its faders. */
export type Model = Readonly<Record<string, readonly string[]>>;

/** Says whether two models have the same mixers, each with the same faders. */
export function isSameModel(one: Model, other: Model): boolean {
  return modelKey(one) === modelKey(other);
}

/** Returns a text that only models with the same mixers and faders have in common. */
export function modelKey(model: Model): string {
  return JSON.stringify(Object.keys(model).map((id) => [id, model[id]!.join()]));
}

/** The name of a section. */
export type SectionName = keyof typeof SECTIONS;

/** The names of all sections, in their order. */
export const SECTION_NAMES = Object.keys(SECTIONS) as readonly SectionName[];

/** Says whether a console gives a section only to its admins. */
export function isForAdmins(name: SectionName): boolean {
  return FOR_ADMINS.includes(name);
}

const FOR_ADMINS: readonly SectionName[] = ["users", "configuration", "settings", "views"];

const faders = (parts: PartsBranch): PartsBranch => ({
  mixers: { "*": { faders: { "*": parts } } },
});

/**
 * The sections that are parts of the control tree; members with `_` are read-only, and left out.
 */
const TREE_SECTIONS = {
  labels: { control: { labels: { "*": { label: true } } }, audio: faders({ label: true }) },
  processing: {
    audio: { ...faders({ params: true }), flexprocessings: { "*": { params: true } } },
  },
  setup: {
    general: { ptp: true },
    streams: true,
    control: { gpis: { "*": { channel: true } }, gpos: { "*": { channel: true } } },
    audio: {
      routing: { routes: true },
      selectors: { selectors: true },
      mixers: {
        "*": {
          automix: true,
          cleanfeeds: { "*": { n: true, outsel: true, srcsel: true } },
          options: true,
          faders: {
            "*": {
              sourceid: true,
              vcagroup: true,
              mutegroups: true,
              options: true,
              busparams: {
                automix: { group: true, weight: true },
                bus: { "*": { type: true } },
              },
            },
          },
        },
      },
    },
  },
} as const satisfies Partial<Record<SectionName, PartsBranch>>;

/** The name of a section that is a part of the control tree. */
export type TreeSectionName = keyof typeof TREE_SECTIONS;

/** The names of those sections. */
export const TREE_SECTION_NAMES = Object.keys(TREE_SECTIONS) as readonly TreeSectionName[];

/** Number of levels of the tree below which a part is taken in one step: the part of one fader. */
const LEVELS_IN_STEPS = 5;

/**
 * Takes the part of a control tree that belongs to a section; a branch without such values is left
 * out.
 */
export function* treeSection(name: TreeSectionName, tree: Branch): Steps<Branch> {
  const part = yield* partInSteps(tree, TREE_SECTIONS[name], LEVELS_IN_STEPS);
  return (part ?? {}) as Branch;
}

function* partInSteps(node: Tree, parts: Parts, levels: number): Steps<Tree | undefined> {
  if (levels === 0 || !isBranch(node)) return partOf(node, parts);
  const kept: Record<string, Tree> = {};
  for (const [member, inner] of Object.entries(node)) {
    const below = partAt(parts, member);
    if (below === undefined) continue;
    const part = yield* partInSteps(inner, below, levels - 1);
    if (part !== undefined) kept[member] = part;
    yield;
  }
  return unlessEmpty(kept);
}

function partOf(node: Tree, parts: Parts): Tree | undefined {
  if (!isBranch(node)) return parts === true ? node : undefined;
  const kept: Record<string, Tree> = {};
  for (const [member, inner] of Object.entries(node)) {
    const below = partAt(parts, member);
    const part = below === undefined ? undefined : partOf(inner, below);
    if (part !== undefined) kept[member] = part;
  }
  return unlessEmpty(kept);
}

/** Says whether a change of the control tree may change a section. */
export function touches(name: TreeSectionName, patch: Patch): boolean {
  return isTouched(patch, TREE_SECTIONS[name]);
}

function isTouched(patch: Patch[string], parts: Parts): boolean {
  if (!isBranch(patch)) return parts === true;
  for (const member in patch) {
    const below = partAt(parts, member);
    if (below !== undefined && isTouched(patch[member] as Patch[string], below)) return true;
  }
  return false;
}

function partAt(parts: Parts, member: string): Parts | undefined {
  return member.startsWith("_") ? undefined : partsBelow(parts, member);
}
