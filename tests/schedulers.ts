import { withoutPauses } from "../core/cooperative-scheduler.ts";
import type { CooperativeScheduler, Steps } from "../core/ports.ts";

/** A scheduler that awaits `turn` before each step of work; requests never wait. */
export function schedulerWith(turn: () => Promise<void>): CooperativeScheduler {
  async function run<Result>(work: Steps<Result>): Promise<Result> {
    for (let step = work.next();; step = work.next()) {
      if (step.done) return step.value;
      await turn();
    }
  }
  return { ...withoutPauses, run };
}

/** A scheduler that never waits, and counts the pauses and the steps of work. */
export function countingScheduler() {
  let turns = 0;
  const counted = () => {
    turns++;
    return Promise.resolve();
  };
  const scheduler: CooperativeScheduler = { ...schedulerWith(counted), pause: counted };
  return {
    scheduler,
    get turns() {
      return turns;
    },
  };
}

/** Runs work without pauses, and returns its result and the number of its steps. */
export function inSteps<Result>(work: Steps<Result>): { result: Result; steps: number } {
  for (let steps = 1;; steps++) {
    const { done, value } = work.next();
    if (done) return { result: value, steps };
  }
}
