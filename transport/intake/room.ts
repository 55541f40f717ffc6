/**
 * Room in memory for the large bodies that are on their way to an action.
 *
 * @module
 */
import { LINGER_MS, type WakeAfter, wakeByTimeout } from "./body.ts";

/** A request whose body comes through a room. */
export interface Guest {
  /** The request, to be read instead of the one that entered. */
  readonly request: Request;
  /** Whether its body was let go of for others, and so has failed. */
  readonly displaced: boolean;
  /** Gives up its room: what came of its body is held no more. */
  leave(): void;
}

/** Lets the body of a request in. */
export type BodyRoom = (request: Request) => Guest;

/**
 * A room for `bytes` of bodies together. Where more comes, of the bodies that have not come whole the
 * one that began first is let go of: so nobody is kept out by those who send slowly, or never end. An
 * answer to whom was displaced must say `Connection: close`.
 */
export function createBodyRoom(bytes: number, wakeAfter: WakeAfter = wakeByTimeout): BodyRoom {
  const unfinished = new Set<() => void>();
  let taken = 0;

  return (request) => {
    const { body } = request;
    let held = 0;
    let left = false;
    let displaced = false;
    let displace = () => {};

    function leave(): void {
      left = true;
      unfinished.delete(displace);
      taken -= held;
      held = 0;
    }

    function take(count: number): void {
      held += count;
      taken += count;
      // One that is too large alone is not let go of for others: whoever reads it refuses it.
      if (held > bytes) return;
      for (const first of unfinished) {
        if (taken <= bytes) return;
        first();
      }
    }

    function through(body: ReadableStream<Uint8Array<ArrayBuffer>>) {
      const reader = body.getReader();
      return new ReadableStream<Uint8Array<ArrayBuffer>>({
        start(controller) {
          displace = () => {
            displaced = true;
            leave();
            controller.error(new Error("its room was needed for others"));
            wakeAfter(LINGER_MS, () => void reader.cancel().catch(() => {}));
          };
          unfinished.add(displace);
        },
        async pull(controller) {
          const { done, value } = await reader.read();
          if (left) return;
          if (done) {
            unfinished.delete(displace);
            return controller.close();
          }
          take(value.length);
          if (!left) controller.enqueue(value);
        },
        cancel: (reason) => reader.cancel(reason),
      }, { highWaterMark: 0 });
    }

    const { url, method, headers } = request;
    return {
      request: body === null ? request : new Request(url, { method, headers, body: through(body) }),
      get displaced() {
        return displaced;
      },
      leave,
    };
  };
}
