/**
 * Reads the body of a request that says it is small. That is nearly every request, and to look at its
 * stream and to set a timer for it would cost more than to answer it.
 *
 * @module
 */

/** Bytes up to which a body is read at once. */
export const SMALL_BODY_BYTES = 64 * 1024;

/** A small body, or why there is none; the same outcomes as of `readBody`. */
export type SmallBody =
  | { readonly outcome: "read"; readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly outcome: "silent" }
  | { readonly outcome: "broken" };

/** Whether a request says that it has a body of at most `bytes`, and a small one. */
export function saysSmall(request: Request, bytes: number): boolean {
  const length = request.headers.get("content-length");
  return length !== null && Number(length) <= Math.min(bytes, SMALL_BODY_BYTES);
}

/** Calls back what has waited for one to two periods; one timer serves all that wait. */
export interface Patience {
  /** The answer takes `giveUp` back. */
  wait(giveUp: () => void): () => void;
}

/** Patience of `ms`, measured by `wakeAfter`. No timer is pending while nobody waits. */
export function createPatience(
  ms: number,
  wakeAfter: (ms: number, wake: () => void) => unknown,
): Patience {
  let younger = new Set<() => void>();
  let older = new Set<() => void>();
  let armed = false;

  function wake(): void {
    for (const giveUp of older) giveUp();
    older = younger;
    younger = new Set();
    armed = older.size > 0;
    if (armed) wakeAfter(ms, wake);
  }

  return {
    wait(giveUp) {
      younger.add(giveUp);
      if (!armed) {
        armed = true;
        wakeAfter(ms, wake);
      }
      return () => {
        if (!younger.delete(giveUp)) older.delete(giveUp);
      };
    },
  };
}

/** Reads the whole body; it has one to two times the patience's period to come. */
export function readSmallBody(request: Request, patience: Patience): Promise<SmallBody> {
  return new Promise((resolve) => {
    const stopWaiting = patience.wait(() => resolve({ outcome: "silent" }));
    request.bytes().then(
      (bytes) => {
        stopWaiting();
        resolve({ outcome: "read", bytes });
      },
      () => {
        stopWaiting();
        resolve({ outcome: "broken" });
      },
    );
  });
}
