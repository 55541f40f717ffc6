/**
 * The source of the plots: all meters of the console, sampled ten times a second.
 *
 * @module
 */
import type { Level, Loudness, Numbered } from "../../../client/control-tree.ts";
import { type Branch, merge, type Patch } from "../../../core/tree/tree.ts";
import { link, meters, onOpen } from "../../state/live.ts";
import { whileSeen } from "../../while-seen.ts";

/** The present meters of the console; empty while there is no connection. */
export interface Measured {
  readonly levels?: Numbered<Level>;
  readonly loudness?: Numbered<Loudness>;
}

/** A listener to the meters. */
export interface Listener {
  /** Called for each sample, with the present time in ms by `performance.now`. */
  sample(now: number, measured: Measured): void;
  /** Called when samples begin after a time without any. */
  begin(): void;
}

/** Interval of the samples in ms. */
const SAMPLE_MS = 100;

/** Samples the meters while the page is visible; the returned function ends that. */
export function followSamples(listener: Listener): () => void {
  return whileSeen(() => start(listener));
}

function start(listener: Listener): () => void {
  const now: Record<string, Branch> = {};
  const feed = (name: "levels" | "loudness") =>
    meters(`/audio/${name}`, (change) => {
      now[name] = merge(now[name] ?? {}, change as unknown as Patch) as Branch;
    }, { interval: SAMPLE_MS });
  const ends = [feed("levels"), feed("loudness"), onOpen(listener.begin)];
  const timer = setInterval(() => {
    const measured = link.peek().state === "open" ? now as unknown as Measured : {};
    listener.sample(performance.now(), measured);
  }, SAMPLE_MS);
  return () => {
    clearInterval(timer);
    for (const end of ends) end();
  };
}
