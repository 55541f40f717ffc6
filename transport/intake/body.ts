/**
 * Reads the body of a request without trusting that its declared length is right, that it ends, or
 * that anything comes at all. A body over its limit is cut off (413), and so is a body that takes
 * too long (408); neither fills the memory.
 *
 * @module
 */
import { after, type CooperativeScheduler, type Timer } from "../../core/ports.ts";
import type { Budget } from "../budget.ts";
import type { MemoryQuota } from "../memory-quota.ts";
import { createTimeouts, type Timeouts } from "./timeouts.ts";

/** The outcome of reading a body. */
export type BodyOutcome =
  /** Whole. A request without a body has no bytes. They count for the quota until `release`. */
  | { readonly outcome: "read"; readonly bytes: Uint8Array<ArrayBuffer>; release(): void }
  /** Over the limit, or declared to be: status 413. */
  | { readonly outcome: "tooLarge" }
  /** Nothing came for {@linkcode SILENCE_MS}, or the body was not complete in time: status 408. */
  | { readonly outcome: "late" }
  /** The memory was needed for the bodies of others: status 503. */
  | { readonly outcome: "evicted" }
  /** The connection failed before its end, so no answer can be sent. */
  | { readonly outcome: "broken" };

/**
 * Maximum wait for the next byte of a body, in ms (10 s), which is enforced up to a second later. A
 * body that is declared small (at most 64 KiB) has the same time for the whole body.
 */
export const SILENCE_MS = 10_000;

/** Maximum time for a whole body, in ms (60 s), however steadily it comes. */
export const WHOLE_BODY_MS = 60_000;

interface BodyPorts {
  readonly timer: Timer;
  readonly scheduler: CooperativeScheduler;
  /** Timeouts of {@linkcode SILENCE_MS}. */
  readonly onSilence: Timeouts;
}

/**
 * Bytes up to which a body is read in one piece. Opening the stream of each small body took 50 %
 * more CPU under the load of `deno task bench rpc` over HTTP.
 */
const SMALL_BODY_BYTES = 64 * 1024;

/**
 * Number of received bytes from which on memory is allocated for the declared or maximum length of
 * a body.
 */
const TRUSTED_BYTES = 128 * 1024;

/**
 * Reads the body of a request from an address, if it has at most `maxBytes`. It counts for the
 * quota of all bodies, unless another quota is given.
 */
export type BodyReader = (
  request: Request,
  maxBytes: number,
  address: string,
  quota?: MemoryQuota,
) => Promise<BodyOutcome>;

/**
 * Makes the reader of bodies, with a quota for all of them. Small bodies are read in one piece and
 * do not count for it, as long as they have few bytes in all. A `Content-Length` over the limit is
 * refused before anything is read. The stream of a body that is not read to its end is released:
 * the answer has to say `Connection: close`. At most `maxBytes` and one chunk are held at a time.
 */
export function createBodyReader(
  timer: Timer,
  scheduler: CooperativeScheduler,
  { bodies, bodiesAtOnce }: Pick<Budget, "bodies" | "bodiesAtOnce">,
): BodyReader {
  const ports = { timer, scheduler, onSilence: createTimeouts(timer, SILENCE_MS) };
  /** Bytes of all bodies that are being read in one piece. */
  let inOnePiece = 0;

  function readInOnePiece(request: Request, said: number, maxBytes: number): Promise<BodyOutcome> {
    inOnePiece += said;
    return new Promise((resolve) => {
      const end = (outcome: BodyOutcome) => {
        inOnePiece -= said;
        resolve(outcome);
      };
      const stopSilence = ports.onSilence(() => end({ outcome: "late" }));
      request.arrayBuffer().then(
        (buffer) => {
          if (!stopSilence()) return;
          const bytes = new Uint8Array(buffer);
          end(bytes.length > maxBytes ? TOO_LARGE : { outcome: "read", bytes, release() {} });
        },
        () => stopSilence() && end({ outcome: "broken" }),
      );
    });
  }

  return (request, maxBytes, address, quota = bodies) => {
    const said = Number(request.headers.get("content-length") ?? NaN);
    if (said > maxBytes) return Promise.resolve(TOO_LARGE);
    if (said >= 0 && said <= SMALL_BODY_BYTES && inOnePiece + said <= bodiesAtOnce()) {
      return readInOnePiece(request, said, maxBytes);
    }
    // Access to its stream creates the stream, which is not needed to read a body in one piece.
    const { body } = request;
    if (body === null) return Promise.resolve(EMPTY);
    return readPieces(body, said > 0 ? said : undefined, maxBytes, address, quota, ports);
  };
}

const TOO_LARGE: BodyOutcome = { outcome: "tooLarge" };
const EMPTY: BodyOutcome = { outcome: "read", bytes: new Uint8Array(), release() {} };

/** The outcome of a body that is not read. */
type Unread = Exclude<BodyOutcome["outcome"], "read">;

function readPieces(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  said: number | undefined,
  maxBytes: number,
  address: string,
  quota: MemoryQuota,
  { timer, scheduler, onSilence }: BodyPorts,
): Promise<BodyOutcome> {
  const reader = body.getReader();
  return new Promise((resolve) => {
    let buffer = new Uint8Array();
    let length = 0;
    let hasEnded = false;
    const admission = quota({ address, held: () => length, evict: () => fail("evicted") });
    const giveUp = () => fail("late");
    let stopSilence = onSilence(giveUp);
    const wholeMs = said !== undefined && said <= SMALL_BODY_BYTES ? SILENCE_MS : WHOLE_BODY_MS;
    const stopWhole = after(timer, wholeMs, giveUp);

    function end(outcome: BodyOutcome): void {
      hasEnded = true;
      stopSilence();
      stopWhole();
      resolve(outcome);
    }

    function fail(outcome: Unread): void {
      if (hasEnded) return;
      admission.leave();
      reader.releaseLock();
      end({ outcome });
    }

    async function read(): Promise<void> {
      for (;;) {
        const { done, value } = await reader.read();
        if (hasEnded) return;
        if (done) break;
        if (value.length === 0) continue;
        const needed = length + value.length;
        if (needed > maxBytes) return fail("tooLarge");
        stopSilence();
        stopSilence = onSilence(giveUp);
        if (needed > buffer.length) {
          // The system takes allocated memory only when it is written to; still, up to the limit
          // above no more than twice the received bytes are allocated.
          const whole = said !== undefined && said > buffer.length ? said : maxBytes;
          const size = length < TRUSTED_BYTES ? Math.min(2 * buffer.length, maxBytes) : whole;
          const come = buffer.subarray(0, length);
          buffer = new Uint8Array(Math.max(needed, size));
          buffer.set(come);
        }
        buffer.set(value, length);
        length = needed;
        admission.grew(value.length);
        // Chunks that have arrived are delivered without a turn of the event loop in between. With
        // a chunked body, Deno moves all of them at each read, so a pause would make that worse.
        if (said !== undefined) await scheduler.pause(address);
      }
      admission.settle();
      end({ outcome: "read", bytes: buffer.subarray(0, length), release: admission.leave });
    }

    read().catch(() => fail("broken"));
  });
}
