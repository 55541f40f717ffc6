/**
 * HTTP over the socket of a ticket of kind `http`: exchanges one after the other. The hub sends a
 * text frame with the {@link RequestHead}, the body in binary frames, and a text frame {@link END}.
 * The console answers with a text frame with the {@link ResponseHead}, the body in binary frames,
 * and {@link END}. The socket of an exchange that went wrong is closed; the socket of a finished
 * exchange may be used again for {@link IDLE_MS}.
 *
 * A WebSocket has no backpressure for its reader. So the receiver of a part of a body sends a text
 * frame {@link TAKEN} once it has passed the part on, and the sender of a body waits while {@link
 * PARTS_AHEAD} parts are not taken. A console may answer before it has the whole body of the
 * request; then the hub closes the socket once it has the answer.
 *
 * @module
 */

/** The head of a request. */
export interface RequestHead {
  readonly method: string;
  /** Path and query, as the console itself would get them: without `/consoles/{id}`. */
  readonly target: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
}

/** The head of an answer. */
export interface ResponseHead {
  readonly status: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
}

/** The text frame behind a body. */
export const END = "end";

/** The text frame for a part of a body that was passed on. */
export const TAKEN = "taken";

/** Number of parts of a body that may be sent and not taken. */
export const PARTS_AHEAD = 8;

/** Time in ms for which a socket without an exchange stays open. */
export const IDLE_MS = 30_000;

/** Size of a binary frame of a body in bytes, at most. */
export const PART_BYTES = 64 * 1024;
