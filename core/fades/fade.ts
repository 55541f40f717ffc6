/**
 * Timed fades (service.md, `fadetovalue`): the events by which a fader begins to move, stops moving
 * and comes to rest. While it moves its level is volatile; where it comes to rest is durable.
 *
 * @module
 */
import type { Patch } from "../tree/patch.ts";
import { nest } from "../tree/path.ts";
import { changedItems, type FaderAddress, type FaderMap, itemOf, withItem } from "./fader-map.ts";

/** A fader began to move, or to move elsewhere. */
export interface FadeStarted extends FaderAddress {
  readonly type: "fadestarted";
  /** Target, -160..10 dB. */
  readonly value: number;
  /** Duration, in s. */
  readonly seconds: number;
}

/** A fader moves no longer. */
export interface FadeEnded {
  readonly type: "fadeended";
  readonly faders: readonly FaderAddress[];
}

/**
 * The levels at which faders came to rest are to be kept. They are in force already, so this event
 * changes nothing but what a restart finds.
 */
export interface FadersRested {
  readonly type: "fadersrested";
  readonly levels: readonly FaderLevel[];
}

/** The faders that move. */
export type Moving = FaderMap<FaderAddress>;

/** The path of a fader's level in the control tree. */
export function levelPath({ mixer, fader }: FaderAddress): string[] {
  return ["audio", "mixers", String(mixer), "faders", String(fader), "fader"];
}

/** Whether a fader moves. */
export function moves(moving: Moving, address: FaderAddress): boolean {
  return itemOf(moving, address) !== undefined;
}

/** The faders that move after an event. */
export function reduceMoving(moving: Moving, event: FadeStarted | FadeEnded): Moving {
  if (event.type === "fadestarted") {
    const { mixer, fader } = event;
    return withItem(moving, { mixer, fader });
  }
  return changedItems(moving, event.faders, () => undefined);
}

/** One fader and a level for it. */
export interface FaderLevel extends FaderAddress {
  readonly dB: number;
}

/** The patch that puts each fader at its level. */
export function levelsPatch(levels: readonly FaderLevel[]): Patch {
  const mixers: Record<string, { faders: Record<string, Patch> }> = {};
  for (const { mixer, fader, dB } of levels) {
    const { faders } = mixers[mixer] ??= { faders: {} };
    faders[fader] = { fader: dB };
  }
  return nest(["audio"], { mixers }) as Patch;
}
