/**
 * Makes the branch of the control tree that shows external lists, `control/extlists` (decisions.md,
 * "RPC"). The lists of the state are authoritative; the branch is derived from them only here.
 *
 * @module
 */
import type { Configuration } from "../configuration/configuration.ts";
import type { Refusal } from "../errors.ts";
import { type Definition, readOnly, readOnlyMembers } from "../tree/leaf.ts";
import {
  type Branch,
  differing,
  isBranch,
  type Leaf,
  type Patch,
  unlessEmpty,
} from "../tree/tree.ts";
import {
  EMPTY_LIST,
  type ExternalList,
  heldOnlyIn,
  licenseRefusal,
  type ListEntry,
  type Lists,
} from "./list.ts";
import { pagesOf } from "./pages.ts";

/** The new states of lists, by their number; undefined for a deleted list. */
export type ListChanges = ReadonlyMap<number, ExternalList | undefined>;

/** Describes the branch while no list exists; without license 52-8583 there is none. */
export function listsDefinition(configuration: Configuration): Definition {
  if (licenseRefusal(configuration) !== undefined) return {};
  const absent = readOnlyMembers({ _exists: false, _entries: [], _page: 0, _subscribers: 0 });
  const lists = configuration.lists
    .map(({ id, name }) => [id, { _name: readOnly(name), ...absent }] as const);
  return { extlists: Object.fromEntries(lists) };
}

/**
 * Returns the patch of the branch for changes of lists, with only the values that differ: for a
 * press one entry, by its index. Undefined if nothing that is shown differs.
 */
export function listsPatch(
  { lists }: Configuration,
  before: Lists,
  changes: ListChanges,
): Patch | undefined {
  const patches: Record<string, Patch> = {};
  for (const { id, pageSize } of lists) {
    const patch = changes.has(id)
      ? listPatch(before.get(id), changes.get(id), pageSize)
      : undefined;
    if (patch !== undefined) patches[id] = patch;
  }
  return unlessEmpty(patches) && { control: { extlists: patches } };
}

/**
 * Returns a patch without the branch of lists, because only `listsPatch` may change that branch.
 */
export function withoutLists(patch: Patch): Patch {
  const { control } = patch;
  if (!namesLists(patch)) return patch;
  const { extlists: _, ...rest } = control as Patch;
  return { ...patch, control: rest };
}

/**
 * Refuses (9) a write that names lists on a console without the license, as the RPC methods do.
 * `named` is nested from the root.
 */
export function listsRefusal(configuration: Configuration, named: unknown): Refusal | undefined {
  return namesLists(named) ? licenseRefusal(configuration) : undefined;
}

function namesLists(named: unknown): boolean {
  const control = isBranch(named) ? named.control : undefined;
  return isBranch(control) && Object.hasOwn(control, "extlists");
}

function listPatch(
  before: ExternalList | undefined,
  after: ExternalList | undefined,
  pageSize: number,
): Patch | undefined {
  const entries = entriesPatch(before ?? EMPTY_LIST, after ?? EMPTY_LIST, pageSize);
  return unlessEmpty({
    ...differing(valuesOf(before), valuesOf(after)),
    ...(entries === undefined ? {} : { _entries: entries }),
  });
}

function valuesOf(list: ExternalList | undefined): Readonly<Record<string, Leaf>> {
  const { page, subscribers } = list ?? EMPTY_LIST;
  return { _exists: list !== undefined, _page: page, _subscribers: subscribers.size };
}

/** Returns all entries if they were replaced, else only the entries that went down or up. */
function entriesPatch(
  before: ExternalList,
  after: ExternalList,
  pageSize: number,
): Patch[string] | undefined {
  if (!sameEntries(before.entries, after.entries)) return shownEntries(after, pageSize);
  const up = heldOnlyIn(before, after).map((entry) => [entry, { _on: false }] as const);
  const down = heldOnlyIn(after, before).map((entry) => [entry, { _on: true }] as const);
  return unlessEmpty(Object.fromEntries([...up, ...down]));
}

function shownEntries({ entries, held }: ExternalList, pageSize: number): readonly Branch[] {
  const pages = pagesOf(entries, pageSize);
  return entries.map((entry, index) => ({
    ...entry as unknown as Branch,
    _page: pages[index]!,
    _on: held.has(index),
  }));
}

/**
 * Says whether the entries are the same: to turn a page, clients send all entries of a list again.
 */
function sameEntries(before: readonly ListEntry[], after: readonly ListEntry[]): boolean {
  return before === after ||
    before.length === after.length &&
      before.every((entry, index) => sameEntry(entry, after[index]!));
}

function sameEntry(before: ListEntry, after: ListEntry): boolean {
  const members = Object.keys(after) as (keyof ListEntry)[];
  return members.length === Object.keys(before).length &&
    members.every((member) => before[member] === after[member]);
}
