/**
 * One scheduler for all fades. It keeps a grid of points 20 ms apart, counted from one origin, and
 * so does not drift: point n is origin + n * 20 ms, however late the points before it came.
 *
 * **Where a fade starts.** The origin is the start of the first fade, in a whole number of ms, so
 * that all points are exact. A fade that is started between two points starts at the later one. So
 * all fades step together (one tick makes one patch, one update per subscriber, one wake-up, with
 * 512 fades as with one), each fade keeps "step k is at start + k * 20 ms" to the letter, and it
 * never ends before the requested duration, and ends less than 20 ms after it. If each fade had a
 * grid of its own, it would begin up to 20 ms sooner, but 20 ms could have up to 20 patches. When
 * no fade moves, no timer is pending, and the next fade makes a new origin: a lone fade starts at
 * once.
 *
 * **When a wake-up is late,** each fader goes to the step that is due at the latest point passed;
 * the points missed are gone.
 *
 * **When a fade is replaced,** the new one starts from the level that the old one has when the new
 * one starts: the old one goes on until then. So the fader does not halt in between, and a client
 * that sends a new fade every few ms still moves it.
 *
 * @module
 */
import { levelAt, type Plan, planFade, STEP_MS, stepAt } from "./plan.ts";

/** A tick moves each of its faders by one step. */
export interface Step<Key> {
  /** The fader, as it was given to `start`. */
  readonly key: Key;
  /** Its level from now on, -160..10 dB. */
  readonly dB: number;
  /** Whether the fade has ended with this step; `dB` is then its target, exactly. */
  readonly last: boolean;
}

/** The ports of a scheduler. */
export interface SchedulerPorts<Key> {
  /**
   * Tells monotonic time, in ms, and calls `wake` once, at `due` or as soon as possible after it,
   * never inside the call itself; the returned function cancels it.
   */
  readonly timer: { monotonic(): number; at(due: number, wake: () => void): () => void };
  /**
   * Takes the faders that moved: called once per tick with all of them, each once, and at once for
   * a fade of duration 0, which has no `tick`. The list is new each time and may be kept. `tick` is
   * the number of the point on the grid: one more for each 20 ms, also from one run of fades to the
   * next, where some may be left out.
   *
   * It may call the scheduler. The tick is over by then: each fade named in the list stands at its
   * `dB`, those with `last` no longer move and may be started again from there. A fault in it
   * reaches the caller of `wake` or `start`, and stops no fade.
   */
  readonly move: (steps: Step<Key>[], tick: number | undefined) => void;
}

/** A scheduler holds all fades of a console. {@linkcode createScheduler} makes one. */
export interface Scheduler<Key> {
  /**
   * Fades one fader, and returns the level from which it starts, in dB. If the fader moves already,
   * the new fade replaces the running one and starts from the level that the running one has when
   * the new one starts; `from` is ignored then. A duration that rounds to 0 sets at once: it ends a
   * running fade, and calls `move` before it returns.
   *
   * @param from present level of the fader, -160..10 dB
   * @param to target, -160..10 dB
   * @param seconds duration, 0..30, rounded to the nearest 0.020 s
   * @throws {RangeError} when a value is outside its range; nothing has changed then
   */
  start(key: Key, from: number, to: number, seconds: number): number;
  /** Ends the fade of a fader, if there is one, at its present level, without a call of `move`. */
  end(key: Key): void;
  /**
   * Returns the level that a moving fader was last given, in dB; undefined when it does not move.
   */
  levelOf(key: Key): number | undefined;
  /** Lists the faders that move. */
  keys(): Key[];
}

/** Makes a scheduler. Keys are compared as a Map does; their meaning is up to the caller. */
export function createScheduler<Key>(ports: SchedulerPorts<Key>): Scheduler<Key> {
  const { timer, move } = ports;
  const fades = new Map<Key, { readonly key: Key; readonly plan: Plan; dB: number }>();
  // Defined from the start of the first fade until no fade moves; a wake-up is pending all that
  // time.
  let run: { readonly origin: number; cancel: () => void } | undefined;

  function wake(): void {
    if (run === undefined) return;
    const passed = Math.floor((timer.monotonic() - run.origin) / STEP_MS);
    const point = run.origin + passed * STEP_MS;
    const steps: Step<Key>[] = [];
    for (const fade of fades.values()) {
      const k = stepAt(fade.plan, point);
      if (k < 0) continue;
      const dB = levelAt(fade.plan, k);
      const last = k === fade.plan.steps;
      if (last) fades.delete(fade.key);
      else if (dB === fade.dB) continue;
      fade.dB = dB;
      steps.push({ key: fade.key, dB, last });
    }
    // Before `move`, so that a call from inside it, or a fault in it, finds all settled.
    if (fades.size === 0) run = undefined;
    else run.cancel = timer.at(point + STEP_MS, wake);
    if (steps.length > 0) move(steps, Math.floor(point / STEP_MS));
  }

  function end(key: Key): void {
    fades.delete(key);
    if (fades.size > 0 || run === undefined) return;
    run.cancel();
    run = undefined;
  }

  function start(key: Key, from: number, to: number, seconds: number): number {
    const now = timer.monotonic();
    const origin = run?.origin ?? Math.ceil(now);
    const begin = origin + Math.ceil((now - origin) / STEP_MS) * STEP_MS;
    const running = fades.get(key);
    const plan = planFade(
      running === undefined ? from : levelAt(running.plan, stepAt(running.plan, begin)),
      to,
      begin,
      seconds,
    );
    if (plan.steps === 0) {
      end(key);
      move([{ key, dB: to, last: true }], undefined);
    } else {
      fades.set(key, { key, plan, dB: running?.dB ?? from });
      run ??= { origin, cancel: timer.at(origin + STEP_MS, wake) };
    }
    return plan.from;
  }

  return {
    start,
    end,
    levelOf: (key) => fades.get(key)?.dB,
    keys: () => [...fades.keys()],
  };
}
