/**
 * The source of the plots: all meters of the console, sampled ten times a second.
 *
 * @module
 */
import type { Level, Loudness, Numbered } from "../../../client/control-tree.ts";
import { type Branch, merge, type Patch } from "../../../core/tree/tree.ts";
import { link, meters } from "../../state/live.ts";
import { whileSeen } from "../../while-seen.ts";
import { SLOT_MS } from "./trace.ts";

/** The present meters of the console; empty while there is no connection. */
export interface Measured {
  readonly levels?: Numbered<Level>;
  readonly loudness?: Numbered<Loudness>;
}

/** Called for each slot. */
export type OnSlot = (slot: number, measured: Measured) => void;

/**
 * Calls `listener` with the meters of each time slot while the page is visible; the returned
 * function ends that.
 */
export function followSlots(listener: OnSlot): () => void {
  return whileSeen(() => start(listener));
}

function start(listener: OnSlot): () => void {
  const now: Record<string, Branch> = {};
  const feed = (name: "levels" | "loudness") =>
    meters(`/audio/${name}`, (change) => {
      now[name] = merge(now[name] ?? {}, change as unknown as Patch) as Branch;
    }, { interval: SLOT_MS });
  const ends = [feed("levels"), feed("loudness")];
  const timer = setInterval(() => {
    const measured = link.peek().state === "open" ? now as unknown as Measured : {};
    listener(Math.floor(performance.now() / SLOT_MS), measured);
  }, SLOT_MS);
  return () => {
    clearInterval(timer);
    for (const end of ends) end();
  };
}
