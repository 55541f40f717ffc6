/**
 * Reads the body of a request that says it is small. That is nearly every request, and to look at its
 * stream and to set a timer for it would cost more than to answer it.
 *
 * @module
 */

/** Bytes up to which a body is read at once. */
const SMALL_BODY_BYTES = 64 * 1024;

/** A small body, or why there is none; the same outcomes as of `readBody`. */
type SmallBody =
  | { readonly outcome: "read"; readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly outcome: "late" }
  | { readonly outcome: "broken" };

/** Whether a request says that it has a body of at most `bytes`, and a small one. */
export function saysSmall(request: Request, bytes: number): boolean {
  const length = request.headers.get("content-length");
  return length !== null && isSmall(length) && Number(length) <= bytes;
}

/** Whether a `Content-Length` is that of a body which is read at once. */
export function isSmall(length: string): boolean {
  return Number(length) <= SMALL_BODY_BYTES;
}

/** A timeout that all who wait share: one timer serves them, so each waits one to two periods. */
export interface SharedTimeout {
  /** Calls `expired` after one to two periods, unless the answer is called before. */
  start(expired: () => void): () => void;
}

/** A timeout with a period of `ms`, measured by `wakeAfter`. No timer runs while nobody waits. */
export function createSharedTimeout(
  ms: number,
  wakeAfter: (ms: number, wake: () => void) => unknown,
): SharedTimeout {
  let thisPeriod = new Set<() => void>();
  let lastPeriod = new Set<() => void>();
  let running = false;

  function periodOver(): void {
    for (const expired of lastPeriod) expired();
    lastPeriod = thisPeriod;
    thisPeriod = new Set();
    running = lastPeriod.size > 0;
    if (running) wakeAfter(ms, periodOver);
  }

  return {
    start(expired) {
      thisPeriod.add(expired);
      if (!running) {
        running = true;
        wakeAfter(ms, periodOver);
      }
      return () => {
        if (!thisPeriod.delete(expired)) lastPeriod.delete(expired);
      };
    },
  };
}

/** Reads the whole body, which has one to two periods of the timeout to come, however it comes. */
export function readSmallBody(request: Request, timeout: SharedTimeout): Promise<SmallBody> {
  return new Promise((resolve) => {
    const stop = timeout.start(() => resolve({ outcome: "late" }));
    request.bytes().then(
      (bytes) => {
        stop();
        resolve({ outcome: "read", bytes });
      },
      () => {
        stop();
        resolve({ outcome: "broken" });
      },
    );
  });
}
