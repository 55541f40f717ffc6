/**
 * Cuts off answers that the client stops reading. Deno's server waits without end for a client that
 * does not read (denoland/deno#3515), and holds the source of the answer, such as a backup, for all
 * that time.
 *
 * @module
 */
import { after, type Timer } from "../core/ports.ts";

/**
 * Returns the same stream, which fails (and so ends the connection) and releases its source when
 * nobody reads from it for `ms`.
 */
export function cutOff(
  source: ReadableStream<Uint8Array<ArrayBuffer>>,
  ms: number,
  timer: Timer,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const reader = source.getReader();
  let stopWaiting = () => {};

  return new ReadableStream({
    start(controller) {
      // A fault of the source ends the stream even while nobody reads: otherwise the queued piece
      // would be held.
      reader.closed.catch((fault) => {
        stopWaiting();
        controller.error(fault);
      });
    },
    async pull(controller) {
      stopWaiting();
      const { done, value } = await reader.read();
      if (done) return controller.close();
      controller.enqueue(value);
      stopWaiting = after(timer, ms, () => {
        controller.error(new Error(`the client has read nothing for ${ms} ms`));
        reader.cancel().catch(() => {});
      });
    },
    cancel(reason) {
      stopWaiting();
      return reader.cancel(reason);
    },
  }, { highWaterMark: 1 });
}
