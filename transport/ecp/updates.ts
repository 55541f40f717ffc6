/**
 * The changes that one client of ECP is told of: changes of logics one by one, as they come,
 * because a pulse of 50 ms counts, too; and, if it has asked for levels, the last level of each
 * fader, at most 25 times a second. A client that lags is told later, with the values then in
 * force.
 *
 * @module
 */
import { TCP_UPDATE_MS } from "../../core/limits.ts";
import { after, type Timer } from "../../core/ports.ts";
import { type ByteOutput, RETRY_MS } from "../byte-output.ts";
import { createPace } from "../pace.ts";
import { type Block, writeBlocks } from "./block.ts";

/** The updates of one client. */
export interface Updates {
  /** Tells the value of `key` now; a client that lags is told only the last value. */
  now(key: string, block: Block): void;
  /**
   * Tells the value of `key` once the interval has passed; nothing if it does not exist any more.
   */
  soon(key: string, block: () => Block | undefined): void;
  close(): void;
}

/** Makes the updates of a client. */
export function createUpdates(output: ByteOutput, timer: Timer): Updates {
  const pending = new Map<string, () => Block | undefined>();
  const pace = createPace(timer, TCP_UPDATE_MS);
  let cancelFlush: (() => void) | undefined;

  function flush(): void {
    if (output.lags()) {
      cancelFlush = after(timer, RETRY_MS, flush);
      return;
    }
    cancelFlush = undefined;
    pace.begun();
    const blocks = [...pending.values()].map((block) => block());
    pending.clear();
    const there = blocks.filter((block) => block !== undefined);
    if (there.length > 0) output.send(writeBlocks(there));
  }

  function soon(key: string, block: () => Block | undefined): void {
    pending.set(key, block);
    cancelFlush ??= timer.at(pace.next(), flush);
  }

  return {
    now(key, block) {
      if (output.lags()) return soon(key, () => block);
      pending.delete(key);
      output.send(writeBlocks([block]));
    },
    soon,
    close() {
      cancelFlush?.();
      pending.clear();
    },
  };
}
