/**
 * The values of a meter before the page was visible, from the history of the console.
 *
 * @module
 */
import { tryRpc } from "../../state/live.ts";
import type { Measured } from "./slots.ts";
import type { Trace } from "./trace.ts";

/** A part of the history of a meter. */
export interface Asked {
  readonly kind: keyof Measured;
  readonly id: number;
  /** The length of the range and of its slots, in ms. */
  readonly length: number;
  readonly slotMs: number;
}

/**
 * Fills the unknown slots of traces with the earlier values in the range. Without a history in the
 * console they stay as they are.
 */
export async function fillTraces(
  { kind, id, length, slotMs }: Asked,
  traces: ReadonlyMap<string, Trace>,
): Promise<void> {
  const step = Math.max(1, slotMs / 1000);
  const answer = kind === "loudness"
    ? tryRpc("getloudnesshistory", { loudness: id, step })
    : tryRpc("getlevelhistory", { level: id, step });
  const part = await answer.catch(() => undefined);
  if (part === undefined) return;
  // Its last point is the present second; clocks of consoles and of devices may differ.
  const now = performance.now();
  const pointMs = part.step * 1000;
  for (const [member, points] of Object.entries(part.members)) {
    const trace = traces.get(member);
    if (trace === undefined) continue;
    points.forEach((value, index) => {
      const end = now - (points.length - 1 - index) * pointMs;
      if (value === null || end < now - length) return;
      const last = Math.floor(end / slotMs);
      const first = Math.floor((end - pointMs) / slotMs) + 1;
      for (let slot = first; slot <= last; slot++) trace.fill(slot, value);
    });
  }
}
