/// <reference lib="dom" />
/**
 * A send takes a signal to a bus when it is open. Closed, it is not in the graph.
 *
 * @module
 */
import { createPlace } from "./place.ts";
import type { Stage } from "./stage.ts";

/** A send has one of several signals, or none. {@linkcode createSend} makes one. */
export interface Send {
  /** Takes this signal to the bus from a time on; undefined closes it. */
  open(from: AudioNode | undefined, when: number): void;
}

/** Makes a send to a bus, open from the beginning where a signal is given. */
export function createSend(stage: Stage, bus: AudioNode, first: AudioNode | undefined): Send {
  const place = createPlace(stage, bus, first && { output: first });
  let taken = first;
  return {
    open(from, when) {
      if (from === taken) return;
      taken = from;
      place.put(from && { output: from }, when);
    },
  };
}
