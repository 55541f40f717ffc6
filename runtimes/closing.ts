/**
 * The end of a WebSocket by the service, in every runtime.
 *
 * @module
 */
import { after, type Timer } from "../core/ports.ts";

/** Time in ms within which a client has to answer the close of its connection. */
const LINGER_MS = 1000;

/** The end of a connection. */
export interface Closing {
  /** The connection is being closed; `fault` is the reason if the service itself has failed. */
  begin(fault?: unknown): void;
  /** The connection has ended. */
  end(): void;
}

/** Calls `drop` for a connection whose client does not answer the close in time. */
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
