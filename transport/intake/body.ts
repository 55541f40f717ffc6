/**
 * Reads the body of a request without trusting it: not its length, not that it ends, not that
 * anything comes at all. A body over its limit is cut off (413), one that takes too long as well
 * (408), and neither fills the memory.
 *
 * @module
 */
import { after, type CooperativeScheduler, type Timer } from "../../core/ports.ts";
import type { Guest } from "./room.ts";
import type { Timeouts } from "./timeouts.ts";

/** What became of a body. */
export type BodyOutcome =
  /** Whole. A request without a body has no bytes. */
  | { readonly outcome: "read"; readonly bytes: Uint8Array<ArrayBuffer> }
  /** Over the limit, or said to be: status 413. */
  | { readonly outcome: "tooLarge" }
  /** Nothing came for {@linkcode SILENCE_MS}, or not all in time: status 408. */
  | { readonly outcome: "late" }
  /** Its room was needed for the bodies of others: status 503. */
  | { readonly outcome: "displaced" }
  /** The connection failed before its end: nobody is there to answer. */
  | { readonly outcome: "broken" };

/**
 * The longest wait for a next byte of a body, in ms (10 s). One that says it is small (at most
 * 64 KiB) has as long for the whole of it.
 */
export const SILENCE_MS = 10_000;

/** The longest that a whole body may take, in ms (60 s), however steadily it comes. */
export const WHOLE_BODY_MS = 60_000;

/** What reading a body asks of the world. */
export interface BodyPorts {
  readonly timer: Timer;
  readonly scheduler: CooperativeScheduler;
  /** The client's address, as the scheduler takes turns. */
  readonly address?: string;
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
 * Reads the body of `request`, if it has at most `maxBytes`. A larger `Content-Length` is refused
 * before anything is read. The stream of a body that is not read to its end is let go of: whoever
 * answers says `Connection: close`. Held at a time are at most `maxBytes` and one chunk.
 */
export async function readBody(
  request: Request,
  maxBytes: number,
  ports: BodyPorts,
  guest: Guest,
): Promise<BodyOutcome> {
  const said = Number(request.headers.get("content-length") ?? NaN);
  if (said > maxBytes) return { outcome: "tooLarge" };
  if (said <= SMALL_BODY_BYTES) return await readSmallBody(request, said, maxBytes, ports, guest);
  // To look at its stream makes one, which a small body does without.
  const { body } = request;
  if (body === null) return { outcome: "read", bytes: new Uint8Array() };
  return await readStream(body, said > 0 ? said : undefined, maxBytes, ports, guest);
}

function readSmallBody(
  request: Request,
  said: number,
  maxBytes: number,
  { onSilence }: BodyPorts,
  guest: Guest,
): Promise<BodyOutcome> {
  return new Promise((resolve) => {
    const stopSilence = onSilence(() => resolve({ outcome: "late" }));
    const end = (body: BodyOutcome) => {
      stopSilence();
      resolve(body);
    };
    guest.displaced.then(() => end({ outcome: "displaced" }));
    guest.hold(said);
    request.arrayBuffer().then(
      (buffer) => {
        const bytes = new Uint8Array(buffer);
        end(bytes.length > maxBytes ? { outcome: "tooLarge" } : { outcome: "read", bytes });
      },
      () => end({ outcome: "broken" }),
    );
  });
}

function readStream(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  said: number | undefined,
  maxBytes: number,
  { timer, scheduler, address, onSilence }: BodyPorts,
  guest: Guest,
): Promise<BodyOutcome> {
  const reader = body.getReader();
  return new Promise((resolve) => {
    let ended = false;
    const end = (body: BodyOutcome) => {
      if (ended) return;
      ended = true;
      stopSilence();
      stopWhole();
      if (body.outcome === "read") guest.settle();
      else reader.releaseLock();
      resolve(body);
    };
    // A timeout is known by its function, so each has one of its own.
    const waitForByte = () => onSilence(() => end({ outcome: "late" }));
    let stopSilence = waitForByte();
    const stopWhole = after(timer, WHOLE_BODY_MS, () => end({ outcome: "late" }));
    guest.displaced.then(() => end({ outcome: "displaced" }));

    const read = async () => {
      let buffer = new Uint8Array();
      let length = 0;
      while (!ended) {
        const { done, value } = await reader.read();
        if (ended) return;
        if (done) return end({ outcome: "read", bytes: buffer.subarray(0, length) });
        if (value.length === 0) continue;
        if (length + value.length > maxBytes) return end({ outcome: "tooLarge" });
        stopSilence();
        stopSilence = waitForByte();
        guest.hold(value.length);
        if (length + value.length > buffer.length) {
          // Memory that is asked for is not taken before it is written to; still, no more than
          // twice of what has come is asked for before that is much.
          const whole = said !== undefined && said > buffer.length ? said : maxBytes;
          const room = length < TRUSTED_BYTES ? Math.min(2 * buffer.length, maxBytes) : whole;
          const come = buffer.subarray(0, length);
          buffer = new Uint8Array(Math.max(length + value.length, room));
          buffer.set(come);
        }
        buffer.set(value, length);
        length += value.length;
        // What has come already is given without a turn of the event loop in between. Of a chunked
        // body Deno moves all of that at each read: who falls behind makes it worse.
        if (said !== undefined) await scheduler.pause(address);
      }
    };
    read().catch(() => end({ outcome: "broken" }));
  });
}
