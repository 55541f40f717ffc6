/**
 * Long work on the main thread, cut in pieces: between them everything else has its turn. Nothing may
 * hold the event loop for over 2 ms.
 *
 * @module
 */

/**
 * The most bytes that are searched, summed or copied at a stretch: 128 KiB, in 0.1 ms, or 0.6 ms while
 * the code is cold.
 */
export const PIECE_BYTES = 128 * 1024;

/**
 * One turn of the event loop, in which timers and the network have theirs. A timeout of 0 would do, but
 * takes 2 ms.
 */
export function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
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
