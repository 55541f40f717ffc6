/**
 * Moves the faders of a console: it hears of fades that begin, and makes one change of the live
 * state every 20 ms for all of them.
 *
 * @module
 */
import { createScheduler, type Step } from "../../fade/scheduler.ts";
import { changesConfiguration } from "../backup/restored.ts";
import type { Command, Console } from "../console.ts";
import { isRefusal } from "../errors.ts";
import { isDurable } from "../state.ts";
import { levelIn } from "./adrift.ts";
import type { Clock, Timer } from "../ports.ts";
import type { Patch } from "../tree/patch.ts";
import { DEVICE } from "../users/user.ts";
import { type FadeEnded, type FaderLevel, levelsPatch, moves } from "./fade.ts";
import { type FaderAddress, itemOf, itemsOf } from "./fader-map.ts";

/** What moves the faders of a console. */
export interface Mover {
  /** Ends all fades where they are; resolves when the levels are kept. */
  stop(): Promise<void>;
}

/** Moves the faders of a console from now on. */
export function createMover(console: Console, clock: Clock, timer: Timer): Mover {
  const scheduler = createScheduler<string>({ clock, timer, move, limit: Infinity });
  const begun = new Map<string, FaderAddress>();
  let owesLevels = false;

  console.watch((event) => {
    if (event.type === "fadestarted") begin(event, event.value, event.seconds);
    else if (event.type === "treechanged" && event.ofFades !== true) endTouched(event.patch);
    else if (changesConfiguration(event)) endGone();
    if (owesLevels && isDurable(event) && event.type !== "fadersrested") keepOwed();
  });

  function begin({ mixer, fader }: FaderAddress, value: number, seconds: number): void {
    const address = { mixer, fader };
    const key = keyOf(address);
    const replaced = scheduler.levelOf(key);
    if (replaced !== undefined) keep([{ ...address, dB: replaced }]);
    begun.set(key, address);
    scheduler.start(key, levelIn(console.state.tree, address)!, value, seconds);
  }

  /** A fader that another configuration does not have moves no more. */
  function endGone(): void {
    for (const [key, address] of begun) {
      if (moves(console.state.moving, address)) continue;
      scheduler.end(key);
      begun.delete(key);
    }
  }

  function move(steps: readonly Step<string>[]): void {
    const moved = steps.map(({ key, dB, last }) => {
      const { mixer, fader } = begun.get(key)!;
      return { mixer, fader, dB, last };
    });
    const { tree } = console.state;
    const elsewhere = moved.filter((level) => levelIn(tree, level) !== level.dB);
    if (elsewhere.length > 0) console.dispatch(moveFaders(elsewhere), DEVICE);
    const rested = moved.filter(({ last }) => last);
    if (rested.length > 0) rest(rested);
  }

  /** Whoever sets or loads a moving fader has the last word: its fade ends. */
  function endTouched(patch: Patch): void {
    const { moving } = console.state;
    if (moving.size === 0) return;
    const touched = [...itemsOf(moving)].filter((address) => levelIn(patch, address) !== undefined);
    for (const address of touched) scheduler.end(keyOf(address));
    if (touched.length > 0) console.dispatch(endFades(touched), DEVICE);
  }

  function rest(levels: readonly FaderLevel[]): Promise<void> {
    console.dispatch(endFades(levels), DEVICE);
    return keep(levels);
  }

  // A set in flight may have made a level not worth keeping, and then not have landed: so once more.
  // A level that cannot be kept stays in force, and is kept when something else could be stored.
  async function keep(levels: readonly FaderLevel[]): Promise<void> {
    for (let tries = 0; tries < 2; tries++) {
      if (!isRefusal(await console.dispatch(keepLevels(levels), DEVICE))) return;
    }
    owesLevels = true;
  }

  function keepOwed(): Promise<void> {
    owesLevels = false;
    const { adrift, moving, tree } = console.state;
    const stranded = [...itemsOf(adrift)].filter((address) => !moves(moving, address));
    return keep(stranded.map((address) => {
      const { mixer, fader } = address;
      return { mixer, fader, dB: levelIn(tree, address)! };
    }));
  }

  return {
    async stop() {
      const { moving } = console.state;
      const addresses = [...itemsOf(moving)];
      for (const address of addresses) scheduler.end(keyOf(address));
      if (addresses.length > 0) console.dispatch(endFades(addresses), DEVICE);
      if (console.state.adrift.size > 0) await keepOwed();
    },
  };
}

/** What a fader is known by to the scheduler. */
function keyOf({ mixer, fader }: FaderAddress): string {
  return `${mixer}/${fader}`;
}

function moveFaders(levels: readonly FaderLevel[]): Command<Record<string, never>> {
  const patch = levelsPatch(levels);
  return () => ({
    events: [{ type: "treechanged", ofFades: true, patch }],
    result: {},
  });
}

function keepLevels(levels: readonly FaderLevel[]): Command<Record<string, never>> {
  return ({ adrift }) => {
    const loose = levels.filter((address) => itemOf(adrift, address) !== undefined);
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
