/**
 * What the honest client saw, in figures.
 *
 * @module
 */
import type { Seen } from "./witness.ts";

const STEP_MS = 20;
/** An update that comes a little before its time, as far as is known, is in time. */
const EARLY_MS = 1;

/** A stretch of time, in ms since 1970. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** Figures of one stretch, in ms. */
export interface Figures {
  readonly slowestRead: number;
  readonly p99Read: number;
  /** The longest until somebody new was let in and answered. */
  readonly slowestDoor: number;
  readonly lateP50: number;
  readonly lateP99: number;
  readonly lateMax: number;
}

/**
 * The figures of a stretch. A point of the grid is as late as the first update after it; `calm` is
 * when nothing was wrong, from which the grid is known.
 */
export function figuresOf({ reads, doors, updates }: Seen, span: Span, calm: Span): Figures {
  const grid = gridOf(updates.filter((at) => within(calm, at)));
  const late = latenessOf(updates, grid, span);
  const took = reads.filter(([at, ms]) => at + ms >= span.from && at <= span.to)
    .map(([, ms]) => ms);
  const doorsTook = doors.filter(([at, ms]) => at + ms >= span.from && at <= span.to);
  return {
    slowestRead: Math.max(0, ...took),
    p99Read: quantile(took, 0.99),
    slowestDoor: Math.max(0, ...doorsTook.map(([, ms]) => ms)),
    lateP50: quantile(late, 0.5),
    lateP99: quantile(late, 0.99),
    lateMax: quantile(late, 1),
  };
}

function within({ from, to }: Span, at: number): boolean {
  return at >= from && at <= to;
}

/** A point of the grid: where updates come earliest, but for a few that chance made early. */
function gridOf(updates: readonly number[]): number {
  const first = updates[0] ?? 0;
  const phases = updates.map((at) => (at - first + STEP_MS * 1.5) % STEP_MS - STEP_MS / 2);
  return first + quantile(phases, 0.02);
}

function latenessOf(updates: readonly number[], grid: number, { from, to }: Span): number[] {
  const late: number[] = [];
  let next = 0;
  for (let due = grid + Math.ceil((from - grid) / STEP_MS) * STEP_MS; due < to; due += STEP_MS) {
    while (next < updates.length && updates[next]! < due - EARLY_MS) next++;
    late.push(Math.max(0, (updates[next] ?? to) - due));
  }
  return late;
}

/** The least value that a share of all are not over; 0 where there are none. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((left, right) => left - right);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0;
}
