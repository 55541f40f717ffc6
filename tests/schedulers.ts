import { withoutPauses } from "../core/cooperative-scheduler.ts";
import type { CooperativeScheduler, Steps } from "../core/ports.ts";

/** A scheduler that waits, before each step of work, for what `turn` answers; requests never wait. */
export function schedulerWith(turn: () => Promise<void>): CooperativeScheduler {
  async function run<Result>(work: Steps<Result>): Promise<Result> {
    for (let step = work.next();; step = work.next()) {
      if (step.done) return step.value;
      await turn();
    }
  }
  return { ...withoutPauses, run };
}

/** A scheduler that never waits, and counts what it was asked for: pauses, and steps of work. */
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

/** What work comes to, and in how many steps, for whoever has nothing else to do meanwhile. */
export function inSteps<Result>(work: Steps<Result>): { result: Result; steps: number } {
  for (let steps = 1;; steps++) {
    const { done, value } = work.next();
    if (done) return { result: value, steps };
  }
}
