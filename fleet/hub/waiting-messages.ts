/**
 * The queue of the messages of one client that cannot be passed on at once: they wait for a session
 * on the console, or for the answer to a wrong token.
 *
 * @module
 */
import { WAITING_BYTES } from "./hub-limits.ts";

/** The queue of one client. */
export interface WaitingMessages {
  /** Whether a message is being taken: a further message has to wait behind it. */
  readonly isBusy: boolean;
  /**
   * Adds a message, which is taken after all earlier messages. Returns false if more than 1 MiB
   * waits now; a single message of any length may wait.
   */
  add(text: string): boolean;
  /** Drops all messages that wait. */
  clear(): void;
}

/**
 * Makes an empty queue. `take` takes one message at a time; if it fails, `failed` is called, and
 * the messages that still wait are not taken until another message is added.
 */
export function createWaitingMessages(
  take: (text: string) => Promise<void>,
  failed: (fault: unknown) => void,
): WaitingMessages {
  const waiting: string[] = [];
  let waitingBytes = 0;
  let isBusy = false;

  async function takeAll(): Promise<void> {
    isBusy = true;
    try {
      while (waiting.length > 0) {
        const text = waiting.shift()!;
        waitingBytes -= text.length;
        await take(text);
      }
    } catch (fault) {
      failed(fault);
    } finally {
      isBusy = false;
    }
  }

  return {
    get isBusy() {
      return isBusy;
    },
    add(text) {
      waiting.push(text);
      waitingBytes += text.length;
      if (waitingBytes > WAITING_BYTES && waiting.length > 1) return false;
      if (!isBusy) void takeAll();
      return true;
    },
    clear() {
      waiting.length = 0;
      waitingBytes = 0;
    },
  };
}
