/**
 * The changes that loading a snapshot makes, leaf by leaf, as the service fits it.
 *
 * @module
 */
import { fitContent } from "../../../core/tree/fit.ts";
import type { LeafDefinition, Ranges } from "../../../core/tree/leaf.ts";
import { type Branch, find, isBranch, type Leaf, type Patch } from "../../../core/tree/tree.ts";
import { type Difference, isTold } from "../../parts/difference.ts";

/**
 * Returns the values of `node` that change when `content` is loaded there: values that do not fit
 * are skipped, and so are channels that are not among `channels`, with their labels; numbers go to
 * their bounds.
 */
export function differences(
  node: Branch,
  ranges: Ranges,
  content: Branch,
  channels: readonly number[],
): Difference[] {
  const own = withOwnChannel(content, channels);
  const fitting = isBranch(own.faders)
    ? { ...own, faders: mapped(own.faders, (fader) => withOwnChannel(fader, channels)) }
    : own;
  const found: Difference[] = [];
  collect(fitContent(node, ranges, fitting) ?? {}, []);
  return found;

  function collect(patch: Patch, above: readonly string[]): void {
    const members = Object.entries(patch);
    // In order of interest: a level before the block of a processing.
    for (const [member, to] of members) {
      if (isBranch(to) || !isTold(member)) continue;
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
