/**
 * Bodies of large answers. The platform holds a body that it was given whole until the client has
 * read it, and does not report that; so a large body is given piece by piece, as it is read.
 *
 * @module
 */
import { UNREAD_MS } from "../core/limits.ts";
import type { Timer } from "../core/ports.ts";
import { cutOff } from "./cut-off.ts";
import type { MemoryQuota } from "./memory-quota.ts";

/** Makes the body of an answer to an address from its content: a stream if that is large. */
export type AnswerBody = (content: string | Uint8Array<ArrayBuffer>, address: string) => BodyInit;

/**
 * Size of the pieces of an answer; an answer of up to this many bytes or characters is given whole.
 */
const ANSWER_PIECE_BYTES = 64 * 1024;

/**
 * The same for an answer to a stream of HTTP/2; a connection may have 200 streams. Up to this many
 * bytes or characters it is given whole, because a stream doubles the cost of a small answer.
 */
export const STREAM_WHOLE_BYTES = 1024;

/**
 * Makes the function that makes bodies. An unread body counts for the quota: a text, which was
 * written for one client, with all of its bytes; bytes, which all clients share, with one piece. A
 * client that reads too slowly, or is evicted, is cut off. Up to `wholeBytes` a body is given
 * whole.
 */
export function createAnswerBody(
  sendBuffers: MemoryQuota,
  timer: Timer,
  wholeBytes = ANSWER_PIECE_BYTES,
): AnswerBody {
  return (content, address) => {
    if (content.length <= wholeBytes) return content;
    const isText = typeof content === "string";
    const bytes = isText ? new TextEncoder().encode(content) : content;
    return cutOff(inPieces(bytes, isText, address, sendBuffers), UNREAD_MS, timer);
  };
}

/**
 * A stream of bytes. It releases bytes that are only for this client when it is cut off: the
 * platform may keep the stream for as long as the client keeps the connection.
 */
function inPieces(
  content: Uint8Array<ArrayBuffer>,
  isOwn: boolean,
  address: string,
  sendBuffers: MemoryQuota,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  let bytes = content;
  let at = 0;
  let leave = () => {};

  function letGo(): void {
    leave();
    bytes = NOTHING;
  }

  return new ReadableStream({
    start(controller) {
      const own = isOwn ? bytes.length : ANSWER_PIECE_BYTES;
      const admission = sendBuffers({
        address,
        held: () => own,
        evict() {
          letGo();
          controller.error(new Error("other answers needed the memory"));
        },
      });
      leave = admission.leave;
      admission.grew(own);
    },
    pull(controller) {
      const from = at;
      at += ANSWER_PIECE_BYTES;
      if (from < bytes.length) {
        // A part of its own bytes would keep all of them in memory until it is sent.
        controller.enqueue(isOwn ? bytes.slice(from, at) : bytes.subarray(from, at));
      } else {
        letGo();
        controller.close();
      }
    },
    cancel: letGo,
  }, { highWaterMark: 0 });
}

const NOTHING = new Uint8Array();
