import { unpaced } from "../core/pacer.ts";
import type { Pacer, Steps } from "../core/ports.ts";

/** A pacer that waits, before each step of work, for what `turn` answers; requests never wait. */
export function pacerWith(turn: () => Promise<void>): Pacer {
  async function run<Result>(work: Steps<Result>): Promise<Result> {
    for (let step = work.next();; step = work.next()) {
      if (step.done) return step.value;
      await turn();
    }
  }
  return { ...unpaced, run };
}

/** A pacer that never waits, and counts what it was asked for: pauses, and steps of work. */
export function countingPacer() {
  let turns = 0;
  const counted = () => {
    turns++;
    return Promise.resolve();
  };
  const pacer: Pacer = { ...pacerWith(counted), pause: counted };
  return {
    pacer,
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
