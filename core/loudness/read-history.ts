/**
 * Reading the history of levels and loudness.
 *
 * @module
 */
import type { Console } from "../console.ts";
import { type Refusal, refuse } from "../errors.ts";
import { HISTORY_SECONDS } from "../limits.ts";
import { find } from "../tree/tree.ts";
import type { HistoryKind, LoudnessHistory } from "./history.ts";
import type { PointLists } from "./points.ts";

/** A query of the history of a meter. */
export interface HistoryQuery {
  /** The earliest time, in ms since 1970. */
  readonly since?: number | undefined;
  /** The length of a point in s. */
  readonly step: number;
}

/** A part of the history of a meter. The last point is that of the present second. */
export interface HistoryPart {
  /** Time at which the first point begins, in ISO 8601 and UTC. */
  readonly start: string;
  /** The length of a point in s. */
  readonly step: number;
  /** The values that have points, by their names in the control tree. */
  readonly members: PointLists;
}

const SECOND_MS = 1000;

/**
 * Reads a part of the history of a meter. Refuses a meter that does not exist (6). The part of a
 * meter without reports has no members.
 */
export function readHistory(
  { state, clock }: Console,
  history: LoudnessHistory,
  kind: HistoryKind,
  id: number,
  { since, step }: HistoryQuery,
): { readonly result: HistoryPart } | Refusal {
  if (find(state.tree, ["audio", kind, String(id)]) === undefined) {
    const parameter = kind === "levels" ? "level" : kind;
    return refuse("noSuchObject", `there is no /audio/${kind}/${id}`, parameter);
  }
  const now = clock.now();
  const present = history.second();
  const points = history.of(kind, id);
  const asked = since === undefined ? -Infinity : present - Math.floor((now - since) / SECOND_MS);
  const first = Math.max(asked, points?.first ?? present, present - HISTORY_SECONDS + 1);
  // A step covers the same seconds whenever it is read.
  const from = Math.floor(first / step) * step;
  const count = Math.max(0, Math.floor((present - from) / step) + 1);
  return {
    result: {
      start: new Date(now - (present - from) * SECOND_MS).toISOString(),
      step,
      members: points?.read(from, step, count) ?? {},
    },
  };
}
