/**
 * The part of its state that a console reports to a hub, and how that has changed.
 *
 * @module
 */
import type { State } from "../../core/state.ts";
import type { Branch } from "../../core/tree/tree.ts";
import type { FromConsole } from "../wire.ts";
import type { Digests } from "./digests.ts";
import { alarmsOf, type Extent, REPLACED, shownChange } from "./summary.ts";

type Change = Extract<FromConsole, { readonly type: "change" }>;

/** A state that was reported, or is about to be. */
export interface ReportedState {
  readonly name: string;
  readonly tree: Branch;
  readonly alarms: readonly string[];
  readonly extent: Extent;
  readonly digests: Digests["current"];
}

/** Returns the part of a state that is reported. */
export function reportedOf(
  state: State,
  extent: Extent,
  digests: Digests["current"],
): ReportedState {
  const { name } = state.configuration.device;
  return { name, tree: state.tree, alarms: alarmsOf(state, extent), extent, digests };
}

/**
 * Returns the members of a frame `change` that leads from one reported state to another; undefined
 * if they are equal, and {@link REPLACED} if only a birth can report the other.
 */
export function changeSince(
  before: ReportedState,
  { name, tree, alarms, extent, digests }: ReportedState,
): Pick<Change, "summary" | "digests"> | typeof REPLACED | undefined {
  const patch = shownChange(before.tree, tree, extent);
  if (patch === REPLACED) return REPLACED;
  const summary = {
    ...(name === before.name ? {} : { name }),
    ...(isSame(alarms, before.alarms) ? {} : { alarms }),
    ...(patch === undefined ? {} : { tree: patch }),
  };
  const isSummary = Object.keys(summary).length > 0;
  const isDigests = digests !== before.digests;
  if (!isSummary && !isDigests) return undefined;
  return { ...(isSummary ? { summary } : {}), ...(isDigests ? { digests } : {}) };
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((sentence, at) => sentence === other[at]);
}
