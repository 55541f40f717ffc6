/**
 * What a meter has shown before the page was seen, as the console holds it.
 *
 * @module
 */
import { tryRpc } from "../../state/live.ts";
import type { Measured } from "./slots.ts";
import type { Trace } from "./trace.ts";

/** Which part of the history of which meter. */
export interface Asked {
  readonly kind: keyof Measured;
  readonly id: number;
  /** The length of the range and that of its slots, in ms. */
  readonly length: number;
  readonly slotMs: number;
}

/**
 * Fills the traces of values with what they were in the range before now, where nothing is known.
 * A console that has no history leaves them as they are.
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
  // Its last point is the present one; clocks of consoles and of devices may differ.
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
