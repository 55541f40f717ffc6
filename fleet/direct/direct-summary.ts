/**
 * The summary of a console that the hub reads itself.
 *
 * @module
 */
import type { Extent } from "../../client/client.ts";
import { type Branch, isBranch, isSameLeaf, type Tree } from "../../core/tree/tree.ts";
import type { FleetMay, Summary } from "../wire.ts";

/** The values of a console that were read so far. */
export interface Read {
  /** The name that the hub gives the console; by default its own name. */
  readonly name: string | undefined;
  readonly site: string;
  readonly may: FleetMay;
  /** The reason for which the console refuses the hub; undefined if it does not. */
  readonly trouble: string | undefined;
  /** `/general`; undefined until it was read. */
  readonly general: unknown;
  /**
   * The part of `/audio/mixers` that {@link MIXERS_EXTENT} selects; undefined until it was read.
   */
  readonly mixers: unknown;
}

/** The part of `/audio/mixers` that is read: the members of each fader that do not move. */
export const MIXERS_EXTENT: Extent = { depth: 4, only: ["label", "on"] };

/** Maximum length of a name that a console tells, the same as for a console that dials the hub. */
const NAME_CHARACTERS = 128;

/** Members of `general` that change every second. */
const CLOCKS = /^_(uptime|systemtime|activewebsockets)$/;

/** Sentences on the states of a medium and of an engine in which something is wrong. */
const ALARMS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  _storage: {
    slow: "The medium takes 2 s or more to store a change.",
    full: "The medium is full: what does not fit is not stored.",
    readonly: "The medium takes no writes: what is changed is not stored.",
    damaged: "The log is damaged: what is changed is not stored.",
  },
  _engine: {
    late: "An audio engine renders slower than real time.",
    lost: "An audio engine has disconnected, and no other has taken its place.",
  },
};

/** Returns the summary of the values that were read: `before` itself if nothing has changed. */
export function directSummary(
  { name, site, may, trouble, general, mixers }: Read,
  before: Summary | undefined,
): Summary {
  const values = isBranch(general) ? leavesOf(general) : {};
  const own = text(values._name).slice(0, NAME_CHARACTERS);
  const tree = {
    ...(isBranch(general) ? { general: values } : {}),
    ...(isBranch(mixers) ? { audio: { mixers: mixersOf(mixers) } } : {}),
  };
  const alarms = [
    ...(trouble === undefined ? [] : [trouble]),
    ...Object.entries(ALARMS).flatMap(([member, of]) => of[text(values[member])] ?? []),
  ];
  const now = {
    name: name ?? (own === "" ? before?.name ?? "" : own),
    site,
    may,
    version: text(values._firmware_version),
    tree: before === undefined ? tree : shared(before.tree, tree),
    alarms,
  };
  return before !== undefined && isSame(before, now) ? before : now;
}

/** Returns the tree, sharing the unchanged parts of `before`. */
function shared<Node extends Tree>(before: Tree | undefined, now: Node): Node {
  if (!isBranch(now)) return before !== undefined && isSameLeaf(before, now) ? before as Node : now;
  if (!isBranch(before)) return now;
  const branch: Branch = now;
  const parts = Object.entries(branch).map(([key, value]) =>
    [key, shared(before[key], value)] as const
  );
  const isWhole = parts.length === Object.keys(before).length &&
    parts.every(([key, value]) => value === before[key]);
  return (isWhole ? before : Object.fromEntries(parts)) as Node;
}

function isSame(before: Summary, now: Summary): boolean {
  return before.name === now.name && before.may === now.may && before.version === now.version &&
    before.tree === now.tree && isSameLeaf(before.alarms, now.alarms);
}

/** The leaves of a mixer, and of its faders. */
function mixersOf(mixers: Branch): Branch {
  return mapped(mixers, (mixer) => {
    const { faders } = mixer;
    return isBranch(faders)
      ? { ...leavesOf(mixer), faders: mapped(faders, labelAndOn) }
      : leavesOf(mixer);
  });
}

/** A console that knows no extent has sent the whole fader. */
function labelAndOn({ label, on }: Branch): Branch {
  return {
    ...(typeof label === "string" ? { label } : {}),
    ...(typeof on === "boolean" ? { on } : {}),
  };
}

function mapped(branch: Branch, map: (inner: Branch) => Branch): Branch {
  return Object.fromEntries(
    Object.entries(branch).flatMap(([key, inner]) => isBranch(inner) ? [[key, map(inner)]] : []),
  );
}

function leavesOf(branch: Branch): Branch {
  return Object.fromEntries(
    Object.entries(branch).filter(([key, value]) => isLeaf(value) && !CLOCKS.test(key)),
  );
}

/** Says whether a value is a leaf; a list in a list could nest without end. */
function isLeaf(value: unknown): boolean {
  const items = Array.isArray(value) ? value : [value];
  return items.every((item) => typeof item !== "object");
}

function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}
