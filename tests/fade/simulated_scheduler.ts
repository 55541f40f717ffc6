import { createScheduler, type Step } from "../../fade/scheduler.ts";
import { simulatedTime } from "./simulated_time.ts";

/** A scheduler in simulated time that notes each call of `move`, with its time. */
export function simulated({ start = 0 } = {}) {
  const time = simulatedTime(start);
  const ticks: { at: number; steps: Step<string>[] }[] = [];
  let during = (_steps: Step<string>[]) => {};
  const scheduler = createScheduler<string>({
    timer: time.timer,
    move(steps) {
      ticks.push({ at: time.clock.monotonic(), steps });
      during(steps);
    },
  });
  return {
    time,
    ticks,
    scheduler,
    /** A further action of `move`, from now on. */
    inMove(act: (steps: Step<string>[]) => void) {
      during = act;
    },
  };
}
