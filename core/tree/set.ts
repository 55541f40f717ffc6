/**
 * Writes the control tree: the method `set` (control-tree.md, "Messages").
 *
 * @module
 */
import type { Command } from "../command.ts";
import { isRefusal, type Refusal, refuse } from "../errors.ts";
import { withUnsyncedFaders } from "../fades/unsynced.ts";
import { channelRefusal, labelledFaders } from "../labels/channels.ts";
import { listsRefusal } from "../lists/branch.ts";
import { shown } from "../shown.ts";
import type { State } from "../state.ts";
import { mayRefusal } from "../users/may.ts";
import {
  bounded,
  isFormerLeaf,
  isLeafDefinition,
  type NumberLeaf,
  type Ranges,
  takenValue,
  valueFault,
} from "./leaf.ts";
import { OPERATED } from "./operated.ts";
import { type Parts, partsBelow } from "./parts.ts";
import { noSuchPath } from "./resources.ts";
import {
  type Branch,
  find,
  formatPath,
  isBranch,
  type Leaf,
  merge,
  nest,
  parsePath,
  type Patch,
  type Path,
  type Tree,
  unlessEmpty,
} from "./tree.ts";
import { durableChange, type TreeChanged } from "./treechanged.ts";

/**
 * Sets one value, or many below a path by a nested object. The result is the values in force
 * afterwards, in the shape of the written ones. Refused as a whole: an unknown path (6), a
 * read-only member (7), a wrong type, a `sourceid` that the mixer does not have (3), external lists
 * without the license (9), a leaf that the user may not set (5, `operated.ts`). Numbers out of
 * range go to the nearest bound; setting a value that is set already makes no event. A branch that
 * older firmware knew as a leaf (`control/logics/{id}`) takes its bare `value`, too.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { createConsole, DEVICE, initialState, readConfiguration } from "faderd";
 *
 * const read = readConfiguration({ mixers: [{ faders: 8 }] });
 * if ("faults" in read) throw new Error("the configuration has faults");
 * const desk = createConsole({
 *   state: initialState(read.configuration),
 *   store: { append: () => Promise.resolve() },
 *   clock: { now: Date.now, monotonic: () => performance.now() },
 *   random: { bytes: (count) => crypto.getRandomValues(new Uint8Array(count)) },
 * });
 * const outcome = await desk.dispatch(
 *   set("/audio/mixers/0/faders/0", { on: true, fader: 99 }),
 *   DEVICE,
 * );
 * assertEquals(outcome, { result: { on: true, fader: 10 } });
 * ```
 */
export function set(path: string, value: unknown): Command<Leaf | Patch> {
  return (state, actor) => {
    const refusalOf = (what?: string) => mayRefusal(state.configuration, actor, "configure", what);
    const settable = refusalOf() === undefined ? true : OPERATED;
    const written = writeChange(state, parsePath(path), value, settable);
    if (isRefusal(written)) return written;
    const { events, inForce, beyond } = written;
    return beyond === undefined ? { events, result: inForce } : refusalOf(formatPath(beyond))!;
  };
}

/** The effect of a write. */
export interface WriteChange {
  readonly events: readonly TreeChanged[];
  /** The values in force after the write, in the shape of the written ones. */
  readonly inForce: Leaf | Patch;
  /** The path of the first leaf that is not `settable`; undefined if there is none. */
  readonly beyond?: Path | undefined;
}

/**
 * Computes the change that a write at a path makes. It refuses what `set` refuses, except for
 * missing rights: for these it returns the first leaf that is not `settable`.
 */
export function writeChange(
  state: State,
  path: Path,
  value: unknown,
  settable: Parts = true,
): WriteChange | Refusal {
  const { configuration, tree, unsynced } = state;
  const judged = judge(state, path, value, settable);
  if (isRefusal(judged)) return listsRefusal(configuration, nest(path, value as Leaf)) ?? judged;
  const { written, changed, inForce, beyond } = judged;
  const patch = unsynced.size === 0 ? changed : withUnsyncedFaders(unsynced, written, changed);
  const labelled = labelledFaders(patch ?? {});
  const refused = labelled.size === 0 ? undefined : channelRefusal(state, labelled, written);
  if (refused !== undefined) return refused;
  const events = durableChange(state, patch, written, labelled);
  if (labelled.size === 0) return { events, inForce, beyond };
  // Labels follow their channels, so the values in force may differ from the written ones.
  const [event] = events;
  const after = event === undefined ? tree : merge(tree, event.patch);
  return { events, inForce: valuesIn(inForce, find(after, path)!), beyond };
}

/** Returns the values of a tree in the shape of the written ones. */
function valuesIn(written: Leaf | Patch, tree: Tree): Leaf | Patch {
  if (!isBranch(tree)) return tree as Leaf;
  if (!isBranch(written)) return written;
  const values = Object.entries(written as Patch)
    .map(([member, value]) => [member, valuesIn(value, tree[member]!)] as const);
  return Object.fromEntries(values);
}

/** A write whose path and values have been checked. */
interface JudgedWrite extends Omit<WriteChange, "events"> {
  /** The accepted values, nested from the root. */
  readonly written: Patch;
  /** The values that differ from before, nested from the root; undefined if there are none. */
  readonly changed: Patch | undefined;
}

function judge(
  { tree, ranges }: State,
  path: Path,
  value: unknown,
  settable: Parts,
): JudgedWrite | Refusal {
  const found = find(tree, path);
  if (found === undefined) return noSuchPath(path);
  // A leaf is written as a member of its branch.
  const leaf = isBranch(found) ? undefined : path.at(-1)!;
  const at = leaf === undefined ? path : path.slice(0, -1);
  const place = {
    path: at,
    node: (leaf === undefined ? found : find(tree, at)) as Branch,
    ranges: (find(ranges as Branch, at) ?? {}) as Ranges,
    settable: at.reduce<Parts | undefined>(partsBelow, settable),
  };
  const judged = judgeBranch(place, leaf === undefined ? value : { [leaf]: value });
  if (isRefusal(judged)) return judged;
  const { changed, inForce, beyond } = judged;
  return {
    written: nest(at, inForce) as Patch,
    changed: changed && nest(at, changed) as Patch,
    inForce: leaf === undefined ? inForce : (inForce as Patch)[leaf]!,
    beyond,
  };
}

/** A branch of the tree, and the values written in it. */
interface Place {
  readonly path: Path;
  readonly node: Branch;
  readonly ranges: Ranges;
  readonly settable: Parts | undefined;
}

/** The checked write in one branch, nested from that branch. */
interface JudgedBranch extends Pick<JudgedWrite, "changed" | "beyond"> {
  readonly inForce: Leaf | Patch;
}

function judgeBranch(
  { path, node, ranges, settable }: Place,
  written: unknown,
): JudgedBranch | Refusal {
  if (!isBranch(written)) {
    if (isFormerLeaf(ranges)) {
      const inner = judgeBranch({ path, node, ranges, settable }, { value: written });
      return isRefusal(inner) ? inner : { ...inner, inForce: (inner.inForce as Patch).value! };
    }
    const expected = `expected an object, got ${shown(written)}`;
    return refuse("invalidParameter", `${formatPath(path)}: ${expected}`);
  }
  const changed: Record<string, Patch[string]> = {};
  // The written object is copied only if the values in force differ from the written ones.
  let inForce = written as Patch;
  const putInForce = (member: string, value: Patch[string]) => {
    if (value === inForce[member]) return;
    if (inForce === written) inForce = { ...written } as Patch;
    (inForce as Record<string, Patch[string]>)[member] = value;
  };
  let beyond: Path | undefined;
  let increments: [string, NumberLeaf, number][] | undefined;
  let twins: [string, string][] | undefined;
  for (const member of Object.keys(written)) {
    const value = written[member];
    if (!Object.hasOwn(node, member)) return noSuchPath([...path, member]);
    if (!Object.hasOwn(ranges, member)) {
      return refuse("readOnly", `read-only: ${formatPath([...path, member])}`);
    }
    const definition = ranges[member]!;
    const below = partsBelow(settable, member);
    if (!isLeafDefinition(definition)) {
      const branch = node[member] as Branch;
      const inside = { path: [...path, member], node: branch, ranges: definition, settable: below };
      const inner = judgeBranch(inside, value);
      if (isRefusal(inner)) return inner;
      if (inner.changed !== undefined) changed[member] = inner.changed;
      putInForce(member, inner.inForce);
      beyond ??= inner.beyond;
      continue;
    }
    if (below !== true) beyond ??= [...path, member];
    // A value in force was accepted before, so it need not be checked again.
    if (value === node[member]) continue;
    const accepted = takenValue(definition, value);
    if (accepted === undefined) {
      const fault = valueFault(definition, value);
      return refuse("invalidParameter", `${formatPath([...path, member])}: ${fault}`);
    }
    putInForce(member, accepted);
    if (definition.type === "number" && definition.adds !== undefined) {
      (increments ??= []).push([member, definition, accepted as number]);
    } else if (accepted !== node[member]) {
      changed[member] = accepted;
      if (definition.type === "number" && definition.same !== undefined) {
        changed[definition.same] = accepted;
        (twins ??= []).push([member, definition.same]);
      }
    }
  }
  for (const both of twins ?? []) {
    for (const member of both) {
      if (Object.hasOwn(written, member)) putInForce(member, changed[member]!);
    }
  }
  for (const [member, { adds }, increment] of increments ?? []) {
    const sum = ((changed[adds!] ?? node[adds!]) as number) + increment;
    const value = bounded(ranges[adds!] as NumberLeaf, sum);
    putInForce(member, node[member] as number);
    if (Object.hasOwn(written, adds!)) putInForce(adds!, value);
    if (value !== node[adds!]) changed[adds!] = value;
    else delete changed[adds!];
  }
  return { changed: unlessEmpty(changed), inForce, beyond };
}
