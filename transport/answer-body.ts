/**
 * Bodies of large answers. Whatever is given to the platform as a whole it holds until the client
 * has read it, and tells nobody; so what is large is given piece by piece, as it is read.
 *
 * @module
 */
import { UNREAD_MS } from "../core/limits.ts";
import type { Timer } from "../core/ports.ts";
import { cutOff } from "./cut-off.ts";
import type { Share } from "./share.ts";

/** Makes the body of an answer of its content. */
export type AnswerBody = (content: string | Uint8Array<ArrayBuffer>) => BodyInit;

/** An answer is given in pieces of this size; up to it, in bytes or characters, as a whole. */
const ANSWER_PIECE_BYTES = 64 * 1024;

/**
 * Makes a maker of bodies. What was written for one client alone, a text, takes from the share of
 * what is unread until the client has read it; bytes are somebody else's, and take nothing. Who
 * reads too slowly, or holds most of the share when that is used up, is cut off.
 */
export function createAnswerBody(unread: Share, timer: Timer): AnswerBody {
  return (content) => {
    if (content.length <= ANSWER_PIECE_BYTES) return content;
    const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
    return cutOff(inPieces(bytes, typeof content === "string" ? unread : free), UNREAD_MS, timer);
  };
}

/** A share of which there is always enough. */
const free: Share = () => ({ grew() {}, leave() {} });

function inPieces(
  bytes: Uint8Array<ArrayBuffer>,
  unread: Share,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  let at = 0;
  let leave = () => {};
  return new ReadableStream({
    start(controller) {
      const giveUp = () => controller.error(new Error("other answers needed the memory"));
      const held = unread({ held: () => at < bytes.length ? bytes.length : 0, giveUp });
      leave = held.leave;
      held.grew(bytes.length);
    },
    pull(controller) {
      controller.enqueue(bytes.subarray(at, at + ANSWER_PIECE_BYTES));
      at += ANSWER_PIECE_BYTES;
      if (at < bytes.length) return;
      leave();
      controller.close();
    },
    cancel: () => leave(),
  }, { highWaterMark: 0 });
}
