/**
 * Moves the faders of a console: it watches for fades that begin, and makes one change of the live
 * state every 20 ms for all faders.
 *
 * @module
 */
import { STEP_MS, stepsOf } from "../../fade/plan.ts";
import { createScheduler, type Step } from "../../fade/scheduler.ts";
import { changesConfiguration } from "../backup/restored.ts";
import type { Console } from "../console.ts";
import { isRefusal } from "../errors.ts";
import { isDurable } from "../events.ts";
import type { Timer } from "../ports.ts";
import type { FaderAddress } from "../tree/resources.ts";
import type { Patch } from "../tree/tree.ts";
import { fadeStep, volatileChange } from "../tree/treechanged.ts";
import { DEVICE } from "../users/user.ts";
import { keepLevels } from "./keeplevels.ts";
import { fadePatch, faderKey, faderOf, levelIn } from "./unsynced.ts";

/** The value of `fade` of a fader after a fade has ended. */
const OVER: Patch = { _time: 0 };

/** The fade driver moves the faders of a console. */
export interface FadeDriver {
  /** Ends all fades at their present levels; resolves when the levels are kept. */
  stop(): Promise<void>;
}

/** Moves the faders of a console from now on. */
export function createFadeDriver(console: Console, timer: Timer): FadeDriver {
  const scheduler = createScheduler<number>({ timer, move });
  let owesLevels = false;

  console.watch((event) => {
    if (event.type === "fadestarted") begin(event, event.value, event.seconds);
    else if (event.type !== "treechanged" || event.ofFades !== true) endSettled();
    if (owesLevels && isDurable(event)) keep();
  });

  function begin(fader: FaderAddress, value: number, seconds: number): void {
    const key = faderKey(fader);
    if (scheduler.levelOf(key) !== undefined) keep(key);
    const from = scheduler.start(key, levelIn(console.state.tree, fader)!, value, seconds);
    tell([fader], { _from: from, _to: value, _time: stepsOf(seconds) * STEP_MS / 1000 });
  }

  /**
   * A set or a load of a moving fader ends its fade, and so does a configuration without that
   * fader.
   */
  function endSettled(): void {
    end(scheduler.keys().filter((key) => console.state.unsynced.get(key) !== true));
  }

  function end(keys: readonly number[]): void {
    if (keys.length === 0) return;
    keys.forEach(scheduler.end);
    const faders = keys.map(faderOf);
    console.dispatch(() => ({ events: [{ type: "fadeended", faders }], result: {} }), DEVICE);
    tell(faders, OVER);
  }

  // This waits for a configuration that is being stored, because that may lack the faders, or be
  // refused; another fade may have begun by then.
  function tell(faders: readonly FaderAddress[], fade: Patch): void {
    console.dispatch(({ unsynced, tree }) => {
      const meant = faders.filter((fader) =>
        levelIn(tree, fader) !== undefined &&
        (fade !== OVER || unsynced.get(faderKey(fader)) !== true)
      );
      return {
        events: meant.length === 0 ? [] : volatileChange(fadePatch(meant, fade)),
        result: {},
        waitsFor: changesConfiguration,
      };
    }, DEVICE);
  }

  function move(steps: readonly Step<number>[], tick: number | undefined): void {
    const { tree } = console.state;
    const moved = steps.map(({ key, dB }) => ({ ...faderOf(key), dB }));
    const elsewhere = moved.filter((level) => levelIn(tree, level) !== level.dB);
    if (elsewhere.length > 0) {
      console.dispatch(() => ({ events: [fadeStep(elsewhere, tick)], result: {} }), DEVICE);
    }
    const rested = steps.filter(({ last }) => last).map(({ key }) => key);
    if (rested.length === 0) return;
    end(rested);
    keep();
  }

  // A set in flight may have superseded a level and then have failed, so the level is kept in a
  // second try. A level that cannot be stored stays in force, and is stored after the next
  // successful write.
  async function keep(replaced?: number): Promise<void> {
    owesLevels = false;
    for (let tries = 0; tries < 2; tries++) {
      if (!isRefusal(await console.dispatch(keepLevels(replaced), DEVICE))) return;
    }
    owesLevels = true;
  }

  return {
    async stop() {
      end(scheduler.keys());
      if (console.state.unsynced.size > 0) await keep();
    },
  };
}
