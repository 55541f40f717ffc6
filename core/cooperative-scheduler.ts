/**
 * The cooperative scheduler lets long work share the one thread: such work comes in steps, and the
 * scheduler is asked before each of them.
 *
 * @module
 */
import type { Clock, CooperativeScheduler, Steps } from "./ports.ts";

/** Time slice in ms after which everything else has its turn. */
export const SLICE_MS = 1;

/** Maximum interval in ms between two polls of the network while work is waiting. */
export const NETWORK_MS = 8;

/**
 * Makes a cooperative scheduler. A time slice begins with the first step after the event loop came
 * round, so a single asker never waits. `afterOthers` calls back when the event loop has come round
 * once more, and timers and the network had their turn. `afterNetwork` calls back once the network
 * was polled, which an event loop that is always busy may put off. Waiting askers are served round
 * robin, the steps of one asker in the order of their arrival.
 */
export function createCooperativeScheduler(
  clock: Pick<Clock, "monotonic">,
  afterOthers: (goOn: () => void) => void,
  afterNetwork: (goOn: () => void) => void = afterOthers,
): CooperativeScheduler {
  /** The waiting steps of each asker. The first asker is the next. */
  const waiting = new Map<string, (() => void)[]>();
  /** The asker whose step was started last in this time slice. */
  let current: string | undefined;
  let isRunning = false;
  let began = 0;
  let polledAt = 0;

  function beginSlice(): void {
    isRunning = true;
    began = clock.monotonic();
    if (waiting.size === 0) polledAt = began;
    if (began - polledAt < NETWORK_MS) return afterOthers(endSlice);
    afterNetwork(() => {
      polledAt = clock.monotonic();
      endSlice();
    });
  }

  function endSlice(): void {
    isRunning = false;
    current = undefined;
    if (waiting.size === 0) return;
    beginSlice();
    startNext();
  }

  function isSliceOver(): boolean {
    return clock.monotonic() - began >= SLICE_MS;
  }

  function startNext(): void {
    if (waiting.size === 0 || isSliceOver()) return;
    const [asker, steps] = waiting.entries().next().value!;
    current = asker;
    const goOn = steps.shift()!;
    if (steps.length === 0) waiting.delete(asker);
    else if (waiting.size > 1) {
      waiting.delete(asker);
      waiting.set(asker, steps);
    }
    goOn();
    // The resumed step runs before this, because its promise was resolved first.
    Promise.resolve().then(startNext);
  }

  function pause(asker = ""): Promise<void> | undefined {
    if (!isRunning) beginSlice();
    if ((waiting.size === 0 || asker === current) && !isSliceOver()) return undefined;
    return new Promise((resolve) => addTo(waiting, asker, resolve));
  }

  return {
    pause,
    async run(work, asker) {
      let step = work.next();
      while (!step.done) {
        const turn = pause(asker);
        if (turn !== undefined) await turn;
        step = work.next();
      }
      return step.value;
    },
    withMutex: createMutex(),
  };
}

/** Makes a mutex that serves waiting askers round robin. */
function createMutex(): CooperativeScheduler["withMutex"] {
  /** The waiting work of each asker. The first asker is the next. */
  const waiting = new Map<string, (() => Promise<unknown>)[]>();
  let isLocked = false;

  async function runAll(): Promise<void> {
    isLocked = true;
    for (const [asker, [next, ...later]] of waiting) {
      // An asker with further work moves to the end: iterating a map reaches entries added
      // meanwhile.
      waiting.delete(asker);
      if (later.length > 0) waiting.set(asker, later);
      await next!();
    }
    isLocked = false;
  }

  return (asker = "", work) =>
    new Promise((resolve, reject) => {
      addTo(waiting, asker, () => Promise.resolve().then(work).then(resolve, reject));
      if (!isLocked) runAll();
    });
}

function addTo<Item>(lists: Map<string, Item[]>, asker: string, item: Item): void {
  const items = lists.get(asker);
  if (items === undefined) lists.set(asker, [item]);
  else items.push(item);
}

/** A scheduler that never pauses, for a program that has nothing else to do meanwhile. */
export const withoutPauses: CooperativeScheduler = createCooperativeScheduler(
  { monotonic: () => 0 },
  () => {},
);

/** Takes all steps of a piece of work in one go, as at a start, when nothing else runs yet. */
export function atOnce<Result>(work: Steps<Result>): Result {
  let step = work.next();
  while (!step.done) step = work.next();
  return step.value;
}
