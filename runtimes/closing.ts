/**
 * The end of a WebSocket by the service, in every runtime.
 *
 * @module
 */
import { after, type Timer } from "../core/ports.ts";

/** How long a client may take to answer to the end of its connection, in ms. */
const LINGER_MS = 1000;

/** A connection that is to end. */
export interface Closing {
  /** The connection is being closed; `fault` is what failed where that was our own fault. */
  begin(fault?: unknown): void;
  /** The connection has ended. */
  end(): void;
}

/** Has `drop` let go of a connection where its client does not answer to its end in time. */
export function createClosing(
  timer: Timer,
  drop: () => void,
  onFault: (fault: unknown) => void,
): Closing {
  let stopWaiting = () => {};
  return {
    begin(fault) {
      stopWaiting();
      stopWaiting = after(timer, LINGER_MS, drop);
      if (fault !== undefined) onFault(fault);
    },
    end: () => stopWaiting(),
  };
}
