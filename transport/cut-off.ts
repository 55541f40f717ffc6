/**
 * Answers that a client must fetch. Deno's server waits without end for a client that does not read
 * (denoland/deno#3515), and holds the source of the answer, such as a backup, for as long as the
 * client likes.
 *
 * @module
 */
import { after, type Timer } from "../core/ports.ts";

/**
 * The same stream, which fails (and so ends the connection) and lets go of its source when nobody
 * reads on for `ms`.
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
        controller.error(new Error(`nobody has read for ${ms} ms`));
        reader.cancel().catch(() => {});
      });
    },
    cancel(reason) {
      stopWaiting();
      return reader.cancel(reason);
    },
  }, { highWaterMark: 1 });
}
