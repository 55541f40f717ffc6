/**
 * Bodies of answers that a client must fetch: one that stops reading holds nothing for long.
 *
 * @module
 */
import { type WakeAfter, wakeByTimeout } from "../intake/body.ts";

/**
 * The same stream, which fails (and so ends the connection) and lets go of its source when nobody
 * reads on for `ms`.
 */
export function cutOff(
  source: ReadableStream<Uint8Array<ArrayBuffer>>,
  ms: number,
  wakeAfter: WakeAfter = wakeByTimeout,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const reader = source.getReader();
  let stopWaiting = () => {};

  return new ReadableStream({
    async pull(controller) {
      stopWaiting();
      const { done, value } = await reader.read();
      if (done) return controller.close();
      controller.enqueue(value);
      stopWaiting = wakeAfter(ms, () => {
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
