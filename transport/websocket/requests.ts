/**
 * The requests of one connection: answered in the order they came, whatever each has to wait for.
 * Until its turn a message waits as it came: it is read one message after the other, of all
 * addresses in turn, and what it is made of is not in memory before.
 *
 * Writes may overlap, and so share one write to the medium. Anything else waits for all before it,
 * and all after it wait for it: so a client reads what it wrote, and need not wait for the answer
 * to its write.
 *
 * @module
 */
import type { CooperativeScheduler } from "../../core/ports.ts";
import type { MemoryQuota } from "../memory-quota.ts";

/** How the requests of a connection are answered. */
export interface RequestsOptions<Raw, Message, Answer> {
  readonly scheduler: CooperativeScheduler;
  /** The client's address, as the scheduler takes turns. */
  readonly address: string;
  /** Makes a request of a message as it came. */
  read(raw: Raw): Message;
  /** Whether a request may start while others of which this is true are unanswered. */
  overlaps(message: Message): boolean;
  /** Answers a message, which came as `raw`. */
  answer(message: Message, raw: Raw): Answer | Promise<Answer>;
  send(answer: Answer): void;
  /** An answer failed, in its turn. Nothing after it is answered: the connection has to end. */
  onFault(fault: unknown): void;
  /** How much may be unanswered, in the measure of `push`. */
  readonly limit: number;
  /** For what all connections have unanswered together. */
  readonly quota: MemoryQuota;
  /** The connection is evicted from the quota: it has to end. */
  onEviction(): void;
}

/** The requests of one connection. */
export interface Requests<Raw> {
  /** Takes a message of a size; false when too much is unanswered, and then it is not taken. */
  push(raw: Raw, size: number): boolean;
  /** Whether every message so far is answered. */
  isIdle(): boolean;
  /** Forgets what has not started; there will be no more. */
  clear(): void;
}

/**
 * Bytes that a request counts for beside its own. It bounds the number of small ones that wait:
 * 5,461 of a connection. Others are held up by what an address has waiting.
 */
const OVERHEAD = 768;

/** Makes the queue of a connection's requests, empty at first. */
export function createRequests<Raw, Message, Answer>(
  options: RequestsOptions<Raw, Message, Answer>,
): Requests<Raw> {
  const { scheduler, address, read, overlaps, answer, send, onFault, limit, quota, onEviction } =
    options;
  const waiting: { readonly raw: Raw; readonly size: number }[] = [];
  let unanswered = 0;
  let starting = false;
  let failed = false;
  /** How many that overlap are under way, and when the last of them is answered. */
  let overlapping = 0;
  let lastAnswered: Promise<void> = Promise.resolve();
  const admission = quota({ address, held: () => unanswered, evict: onEviction });

  async function startAll(): Promise<void> {
    starting = true;
    try {
      for (let next = waiting[0]; next !== undefined; next = waiting[0]) {
        const { raw, size } = next;
        const pause = scheduler.pause(address);
        if (pause !== undefined) await pause;
        // All may have been forgotten meanwhile, here and below.
        if (waiting[0] !== next) break;
        const message = read(raw);
        if (overlapping > 0 && !overlaps(message)) await lastAnswered;
        if (waiting.shift() !== next) break;
        const given = answer(message, raw);
        if (overlapping > 0 || (given instanceof Promise && overlaps(message))) {
          sendInTurn(Promise.resolve(given), size);
        } else finish(given instanceof Promise ? await given : given, size);
      }
    } catch (fault) {
      fail(fault);
    }
    starting = false;
  }

  function sendInTurn(given: Promise<Answer>, size: number): void {
    overlapping++;
    // One that fails before its turn is heard only then, and must not count as unhandled until.
    given.catch(() => {});
    lastAnswered = lastAnswered.then(() => given).then((known) => {
      overlapping--;
      finish(known, size);
    });
    lastAnswered.catch(fail);
  }

  function finish(given: Answer, size: number): void {
    unanswered -= size;
    send(given);
  }

  function fail(fault: unknown): void {
    if (failed) return;
    failed = true;
    clear();
    onFault(fault);
  }

  function clear(): void {
    waiting.length = 0;
    admission.leave();
  }

  return {
    push(raw, ownSize) {
      const size = ownSize + OVERHEAD;
      // One alone is taken whatever its size: whoever gave it to us has looked at that.
      if (unanswered > 0 && unanswered + size > limit) return false;
      unanswered += size;
      waiting.push({ raw, size });
      admission.grew(size);
      if (!starting) startAll();
      return true;
    },
    isIdle: () => unanswered === 0,
    clear,
  };
}
