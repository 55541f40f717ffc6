/**
 * Long work on the main thread, cut in pieces: between them everything else has its turn. Nothing may
 * hold the event loop for over 2 ms.
 *
 * @module
 */
import { PIECE_BYTES } from "../core/limits.ts";

const waiting: (() => void)[] = [];

/**
 * One turn of the event loop, in which timers and the network have theirs. Of all who wait for one, one
 * goes on in each, so that many together hold the loop no longer than one does.
 */
export function turn(): Promise<void> {
  return new Promise((resolve) => {
    // A timeout of 0 would do, but takes 2 ms.
    if (waiting.push(resolve) === 1) setImmediate(letNextGoOn);
  });
}

function letNextGoOn(): void {
  waiting.shift()!();
  if (waiting.length > 0) setImmediate(letNextGoOn);
}

/** Requests between two looks at the clock. */
const REQUESTS_OF_LOOK = 32;
/** How long requests may be taken without a turn of the event loop, in ms. */
const LONGEST_MS = 1.5;

let requests = 0;
let lastTurn = 0;
let resting = false;
const held: (() => void)[] = [];

/**
 * Whether a request may be taken now, asked before each. Many that come together are given to us without
 * a turn of the event loop between: then it has to wait for one, by {@linkcode takeLater}.
 */
export function mayTake(): boolean {
  if (resting) return false;
  if (++requests % REQUESTS_OF_LOOK > 0 || performance.now() - lastTurn < LONGEST_MS) return true;
  resting = true;
  setImmediate(takeHeld);
  return false;
}

/**
 * Calls `take` when a request may be taken: one, before it asks again. Who waits longest is called
 * first, so that nobody who sends without end keeps others out.
 */
export function takeLater(take: () => void): void {
  held.push(take);
}

function takeHeld(): void {
  lastTurn = performance.now();
  for (let taken = 1; held.length > 0; taken++) {
    held.shift()!();
    if (taken % REQUESTS_OF_LOOK > 0 || performance.now() - lastTurn < LONGEST_MS) continue;
    setImmediate(takeHeld);
    return;
  }
  resting = false;
}

let lastDone: Promise<unknown> = Promise.resolve();

/**
 * Does what takes many turns and much memory, once all is done that was asked for so before: for a
 * hundred clients who want everything at once it is not made a hundred times at once.
 */
export function oneByOne<Result>(work: () => Promise<Result>): Promise<Result> {
  const done = lastDone.then(work);
  lastDone = done.catch(() => {});
  return done;
}

/**
 * Does `work` to its end. It gives how many bytes each of its pieces had; after every
 * {@linkcode PIECE_BYTES} the event loop has a turn.
 */
export async function inTurns<Result>(work: Generator<number, Result>): Promise<Result> {
  let atAStretch = 0;
  let step = work.next();
  while (!step.done) {
    atAStretch += step.value;
    if (atAStretch >= PIECE_BYTES) {
      atAStretch = 0;
      await turn();
    }
    step = work.next();
  }
  return step.value;
}

/** Copies `from` to the beginning of `to`, in pieces, and gives how many bytes each had. */
export function* copyInPieces(from: Uint8Array, to: Uint8Array): Generator<number, void> {
  for (let at = 0; at < from.length; at += PIECE_BYTES) {
    const piece = from.subarray(at, at + PIECE_BYTES);
    to.set(piece, at);
    yield piece.length;
  }
}
