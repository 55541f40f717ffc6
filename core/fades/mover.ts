/**
 * Moves the faders of a console: it hears of fades that begin, and makes one change of the live
 * state every 20 ms for all of them.
 *
 * @module
 */
import { createScheduler, type Step } from "../../fade/scheduler.ts";
import type { Command, Console } from "../console.ts";
import { isRefusal } from "../errors.ts";
import type { Clock, Timer } from "../ports.ts";
import type { Branch, Patch } from "../tree/patch.ts";
import { find } from "../tree/path.ts";
import { DEVICE } from "../users/user.ts";
import {
  type FadeEnded,
  type FaderAddress,
  faderKey,
  type FaderLevel,
  levelPath,
  levelsPatch,
} from "./fade.ts";

/** What moves the faders of a console. */
export interface Mover {
  /** Ends all fades where they are; resolves when the levels are kept. */
  stop(): Promise<void>;
}

/** Moves the faders of a console from now on. */
export function createMover(console: Console, clock: Clock, timer: Timer): Mover {
  const scheduler = createScheduler<string>({ clock, timer, move, limit: Infinity });
  const begun = new Set<string>();

  console.watch((event) => {
    if (event.type === "fadestarted") begin(event, event.value, event.seconds);
    else if (event.type === "treechanged" && event.ofFades !== true) endTouched(event.patch);
    else if (event.type === "restored" && event.configuration !== undefined) endGone();
  });

  function begin(address: FaderAddress, value: number, seconds: number): void {
    const key = faderKey(address);
    const replaced = scheduler.levelOf(key);
    if (replaced !== undefined) keep([{ ...address, dB: replaced }]);
    const from = find(console.state.tree, levelPath(address)) as number;
    begun.add(key);
    scheduler.start(key, from, value, seconds);
  }

  /** A fader that another configuration does not have moves no more. */
  function endGone(): void {
    for (const key of begun) {
      if (console.state.moving.has(key)) continue;
      scheduler.end(key);
      begun.delete(key);
    }
  }

  function move(steps: readonly Step<string>[]): void {
    const moved = steps.map(({ key, dB, last }) => ({
      ...console.state.moving.get(key)!,
      dB,
      last,
    }));
    console.dispatch(moveFaders(moved), DEVICE);
    const rested = moved.filter(({ last }) => last);
    if (rested.length > 0) rest(rested);
  }

  /** Whoever sets or loads a moving fader has the last word: its fade ends. */
  function endTouched(patch: Patch): void {
    const { moving } = console.state;
    if (moving.size === 0) return;
    const touched = [...moving.values()]
      .filter((address) => find(patch as unknown as Branch, levelPath(address)) !== undefined);
    for (const address of touched) scheduler.end(faderKey(address));
    if (touched.length > 0) console.dispatch(endFades(touched), DEVICE);
  }

  function rest(levels: readonly FaderLevel[]): Promise<void> {
    console.dispatch(endFades(levels), DEVICE);
    return keep(levels);
  }

  // A set in flight may have made a level not worth keeping, and then not have landed: so once more.
  // A level that cannot be kept stays in force, and adrift; the store says so itself.
  async function keep(levels: readonly FaderLevel[]): Promise<void> {
    const outcome = await console.dispatch(keepLevels(levels), DEVICE);
    if (isRefusal(outcome)) await console.dispatch(keepLevels(levels), DEVICE);
  }

  return {
    stop() {
      const levels = [...console.state.moving.values()].map((address) => ({
        ...address,
        dB: scheduler.levelOf(faderKey(address))!,
      }));
      for (const address of levels) scheduler.end(faderKey(address));
      return levels.length === 0 ? Promise.resolve() : rest(levels);
    },
  };
}

function moveFaders(levels: readonly FaderLevel[]): Command<Record<string, never>> {
  const patch = levelsPatch(levels);
  return () => ({
    events: [{ type: "treechanged", durable: false, ofFades: true, patch }],
    result: {},
  });
}

function keepLevels(levels: readonly FaderLevel[]): Command<Record<string, never>> {
  return ({ adrift }) => {
    const loose = levels.filter((address) => adrift.has(faderKey(address)));
    return {
      events: loose.length === 0 ? [] : [{ type: "fadersrested", levels: loose }],
      result: {},
    };
  };
}

function endFades(faders: readonly FaderAddress[]): Command<Record<string, never>> {
  const ended: FadeEnded = {
    type: "fadeended",
    faders: faders.map(({ mixer, fader }) => ({ mixer, fader })),
  };
  return () => ({ events: [ended], result: {} });
}
