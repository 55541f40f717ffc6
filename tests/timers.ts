import type { Timer } from "../core/ports.ts";
import { machineTimer } from "../runtimes/clock.ts";
import { simulatedTime } from "./fade/simulated_time.ts";

/** A timer with simulated time: `pass` advances it, and runs the callbacks that are due by then. */
export function passingTime() {
  const { timer, runTo, pending } = simulatedTime();
  const pass = (ms: number) => runTo(timer.monotonic() + ms);
  return { timer, pass, pending };
}

/** The timer of this machine, made faster by a factor. */
export function fasterTimer(times: number): Timer {
  return {
    monotonic: () => machineTimer.monotonic() * times,
    at: (due, wake) => machineTimer.at(due / times, wake),
  };
}
