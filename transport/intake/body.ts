/**
 * Reads the body of a request without trusting it: not its length, not that it ends, not that
 * anything comes at all. A body over its limit is cut off (413), one that takes too long as well
 * (408), and neither fills the memory.
 *
 * @module
 */
import { after, type CooperativeScheduler, type Timer } from "../../core/ports.ts";
import type { MemoryQuota } from "../memory-quota.ts";
import type { Timeouts } from "./timeouts.ts";

/** What became of a body. */
export type BodyOutcome =
  /** Whole. A request without a body has no bytes. They count for the quota until `release`. */
  | { readonly outcome: "read"; readonly bytes: Uint8Array<ArrayBuffer>; release(): void }
  /** Over the limit, or said to be: status 413. */
  | { readonly outcome: "tooLarge" }
  /** Nothing came for {@linkcode SILENCE_MS}, or not all in time: status 408. */
  | { readonly outcome: "late" }
  /** The memory was needed for the bodies of others: status 503. */
  | { readonly outcome: "evicted" }
  /** The connection failed before its end: nobody is there to answer. */
  | { readonly outcome: "broken" };

/**
 * The longest wait for a next byte of a body, in ms (10 s). One that says it is small (at most
 * 64 KiB) has as long for the whole of it.
 */
export const SILENCE_MS = 10_000;

/** The longest that a whole body may take, in ms (60 s), however steadily it comes. */
export const WHOLE_BODY_MS = 60_000;

/** What reading bodies asks of the world. */
export interface BodyPorts {
  readonly timer: Timer;
  readonly scheduler: CooperativeScheduler;
  /** Timeouts of {@linkcode SILENCE_MS}. */
  readonly onSilence: Timeouts;
}

/**
 * Bytes up to which a body is read at once. To look at the stream of each took half as much CPU
 * again of what `deno task bench rpc` loads over HTTP.
 */
const SMALL_BODY_BYTES = 64 * 1024;

/** Once so many bytes have come, memory is asked for as a body says, or may, be long. */
const TRUSTED_BYTES = 128 * 1024;

/**
 * Reads the body of a request from an address, if it has at most `maxBytes`, and counts it for a
 * quota. A larger `Content-Length` is refused before anything is read. The stream of a body that is
 * not read to its end is let go of: whoever answers says `Connection: close`. Held at a time are at
 * most `maxBytes` and one chunk.
 */
export function readBody(
  request: Request,
  maxBytes: number,
  address: string,
  quota: MemoryQuota,
  ports: BodyPorts,
): Promise<BodyOutcome> {
  const said = Number(request.headers.get("content-length") ?? NaN);
  if (said > maxBytes) return Promise.resolve({ outcome: "tooLarge" });
  return new Promise((resolve) => {
    const begin = (onEnd?: (isWhole: boolean) => void) =>
      beginBody(address, quota, ports, resolve, onEnd);
    if (said <= SMALL_BODY_BYTES) return readAtOnce(request, said, maxBytes, begin());
    // To look at its stream makes one, which a small body does without.
    const { body } = request;
    if (body === null) return begin().end(new Uint8Array());
    readPieces(body, said > 0 ? said : undefined, maxBytes, address, ports, begin);
  });
}

/** A body on its way. */
interface Coming {
  readonly hasEnded: boolean;
  /** More bytes of it are held. */
  grew(bytes: number): void;
  /** Something has come: it may be silent as long again. */
  heard(): void;
  /** It has come whole, or became what is said instead. Nothing that happens later counts. */
  end(became: Uint8Array<ArrayBuffer> | Exclude<BodyOutcome["outcome"], "read">): void;
}

function beginBody(
  address: string,
  quota: MemoryQuota,
  { onSilence }: BodyPorts,
  resolve: (outcome: BodyOutcome) => void,
  onEnd: ((isWhole: boolean) => void) | undefined,
): Coming {
  let held = 0;
  let hasEnded = false;
  const admission = quota({ address, held: () => held, evict: () => coming.end("evicted") });
  // A timeout is known by its function, so each has one of its own.
  const waitForByte = () => onSilence(() => coming.end("late"));
  let stopSilence = waitForByte();
  const coming: Coming = {
    get hasEnded() {
      return hasEnded;
    },
    grew(bytes) {
      held += bytes;
      admission.grew(bytes);
    },
    heard() {
      stopSilence();
      stopSilence = waitForByte();
    },
    end(became) {
      if (hasEnded) return;
      hasEnded = true;
      stopSilence();
      const isWhole = became instanceof Uint8Array;
      onEnd?.(isWhole);
      if (isWhole) {
        admission.settle();
        resolve({ outcome: "read", bytes: became, release: admission.leave });
      } else {
        admission.leave();
        resolve({ outcome: became });
      }
    },
  };
  return coming;
}

function readAtOnce(request: Request, said: number, maxBytes: number, coming: Coming): void {
  coming.grew(said);
  request.arrayBuffer().then(
    (buffer) => coming.end(buffer.byteLength > maxBytes ? "tooLarge" : new Uint8Array(buffer)),
    () => coming.end("broken"),
  );
}

function readPieces(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  said: number | undefined,
  maxBytes: number,
  address: string,
  { timer, scheduler }: BodyPorts,
  begin: (onEnd: (isWhole: boolean) => void) => Coming,
): void {
  const reader = body.getReader();
  const coming = begin((isWhole) => {
    stopWhole();
    if (!isWhole) reader.releaseLock();
  });
  const stopWhole = after(timer, WHOLE_BODY_MS, () => coming.end("late"));

  async function read(): Promise<void> {
    let buffer = new Uint8Array();
    let length = 0;
    while (!coming.hasEnded) {
      const { done, value } = await reader.read();
      if (coming.hasEnded) return;
      if (done) return coming.end(buffer.subarray(0, length));
      if (value.length === 0) continue;
      const needed = length + value.length;
      if (needed > maxBytes) return coming.end("tooLarge");
      coming.heard();
      coming.grew(value.length);
      if (needed > buffer.length) {
        // Memory that is asked for is not taken before it is written to; still, no more than twice
        // of what has come is asked for before that is much.
        const whole = said !== undefined && said > buffer.length ? said : maxBytes;
        const size = length < TRUSTED_BYTES ? Math.min(2 * buffer.length, maxBytes) : whole;
        const come = buffer.subarray(0, length);
        buffer = new Uint8Array(Math.max(needed, size));
        buffer.set(come);
      }
      buffer.set(value, length);
      length = needed;
      // What has come already is given without a turn of the event loop in between. Of a chunked
      // body Deno moves all of that at each read: who falls behind makes it worse.
      if (said !== undefined) await scheduler.pause(address);
    }
  }

  read().catch(() => coming.end("broken"));
}
