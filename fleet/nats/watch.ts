/**
 * Watches a bucket of the ledger in JetStream. After each doubt, such as a connection that was lost
 * or a server that fell silent, it reads the bucket again and reports the changes since, so that a
 * watcher misses nothing, whatever becomes of servers and links.
 *
 * @module
 */
import type { Json } from "../../core/json.ts";
import type { Entry } from "../ledger/ledger.ts";
import type { NatsLine } from "./connection.ts";
import { keyOf } from "./names.ts";
import {
  AckPolicy,
  createInbox,
  delay,
  DeliverPolicy,
  type JetStreamManager,
  type Msg,
} from "./packages.ts";
import { placeOf } from "./read.ts";

/**
 * Interval in ms of signs of life of a server that feeds a watcher, and the time without them after
 * which it counts as lost.
 */
const HEARTBEAT_MS = 1000;
const SILENT_MS = 3 * HEARTBEAT_MS;

/** Time in ms until the next attempt to read a bucket. */
const AGAIN_MS = 250;

/** Time in ms after which a server removes the consumer of a watcher that is gone. */
const FORGOTTEN_MS = 10_000;

const NANOSECONDS = 1_000_000;

/** The header of a message that removes a key. */
export const OPERATION = "KV-Operation";

/** The bucket to watch. */
export interface Watched {
  readonly line: NatsLine;
  readonly manager: JetStreamManager;
  /** The stream of the bucket, and the part of the subject of a key before its token. */
  readonly stream: string;
  readonly subject: string;
  /** Aborted when the ledger closes. */
  readonly closed: AbortSignal;
}

/** One reading of a bucket, from its last values on. */
interface Reading {
  /** The last entry of each key at the beginning, the oldest first. */
  readonly content: Map<string, Entry>;
  /** Returns the next entry since; undefined at the end. */
  next(): Promise<Entry | undefined>;
  stop(): void;
}

/** Watches a bucket as {@link Ledger.watch} says. */
export async function* watchBucket(watched: Watched): AsyncGenerator<Entry | "current", void> {
  const { closed } = watched;
  const known = new Map<string, number>();
  let wasCurrent = false;

  function isNews({ key, value, revision }: Entry): boolean {
    if (revision <= (known.get(key) ?? 0)) return false;
    if (value !== undefined) known.set(key, revision);
    // This hub may have put a value that no reading brought: its removal counts all the same.
    else if (!known.delete(key) && !wasCurrent) return false;
    return true;
  }

  while (!closed.aborted) {
    let reading: Reading;
    try {
      reading = await read(watched);
    } catch {
      await delay(AGAIN_MS);
      continue;
    }
    const { content } = reading;
    try {
      for (const entry of content.values()) if (isNews(entry)) yield entry;
      for (const [key, revision] of [...known]) {
        if (content.has(key)) continue;
        known.delete(key);
        yield { key, value: undefined, revision: revision + 1 };
      }
      // The values are not needed any more, and the reading may go on for weeks.
      content.clear();
      if (!wasCurrent) yield "current";
      wasCurrent = true;
      while (true) {
        const entry = await reading.next();
        if (entry === undefined) break;
        if (isNews(entry)) yield entry;
      }
    } finally {
      reading.stop();
    }
  }
}

/** Returns the value of a message; undefined if it is not JSON, and so was stored by no hub. */
function valueOf(message: Msg): Json | undefined {
  try {
    return message.json<Json>();
  } catch {
    return undefined;
  }
}

/**
 * Begins to read a bucket; resolves once the whole content has come, and rejects if it may not have
 * come whole. The reading is over when it may have missed something.
 *
 * JetStream reads on any server of the stream, which may lack what the others have stored while it
 * was down. So the content is whole only with the last message of the server that leads the stream.
 */
async function read({ line, manager, stream, subject, closed }: Watched): Promise<Reading> {
  const inbox = createInbox();
  const content = new Map<string, Entry>();
  const whole = Promise.withResolvers<void>();
  const pending: (Entry | undefined)[] = [];
  let wake = () => {};
  let heardAt = performance.now();
  let sequence = 0;
  let newest = 0;
  let wanted = 0;
  let isWhole = false;

  function tell(entry: Entry | undefined): void {
    pending.push(entry);
    wake();
  }
  function end(): void {
    whole.reject(new Error("the reading may have missed something"));
    tell(undefined);
  }
  /** Takes the content as whole, unless the server lacks a part of it. */
  function caughtUp(): void {
    if (newest < wanted) return;
    isWhole = true;
    whole.resolve();
  }

  const subscription = line.connection.subscribe(inbox, {
    callback(fault, message) {
      if (fault !== null) return end();
      heardAt = performance.now();
      const place = placeOf(message.reply);
      if (place === undefined) {
        // A sign of life: nothing waits.
        const isMissed = Number(message.headers?.get("Nats-Last-Consumer") ?? 0) !== sequence;
        if (isMissed || newest < wanted) end();
        else caughtUp();
        return;
      }
      const { revision, delivered, left } = place;
      if (delivered !== ++sequence) return end();
      newest = revision;
      const key = keyOf(message.subject.slice(subject.length));
      const isRemoved = message.headers?.has(OPERATION) === true;
      const entry = { key, value: isRemoved ? undefined : valueOf(message), revision };
      if (isWhole) return tell(entry);
      // A server that is catching up hands out an earlier value of the key first.
      content.delete(key);
      content.set(key, entry);
      if (left === 0) caughtUp();
    },
  });
  const watching = setInterval(() => {
    if (performance.now() - heardAt > SILENT_MS) end();
  }, HEARTBEAT_MS);
  const stopListening = line.onBack(end);
  closed.addEventListener("abort", end);

  function stop(): void {
    clearInterval(watching);
    stopListening();
    closed.removeEventListener("abort", end);
    subscription.unsubscribe();
  }

  try {
    // Nothing awaits this promise if the consumer cannot be made.
    whole.promise.catch(() => {});
    const last = await manager.streams.getMessage(stream, { last_by_subj: `${subject}>` });
    wanted = last?.seq ?? 0;
    heardAt = performance.now();
    const { num_pending } = await manager.consumers.add(stream, {
      deliver_subject: inbox,
      deliver_policy: DeliverPolicy.LastPerSubject,
      filter_subject: `${subject}>`,
      ack_policy: AckPolicy.None,
      max_deliver: 1,
      num_replicas: 1,
      mem_storage: true,
      idle_heartbeat: HEARTBEAT_MS * NANOSECONDS,
      inactive_threshold: FORGOTTEN_MS * NANOSECONDS,
    });
    if (num_pending === 0) caughtUp();
    await whole.promise;
  } catch (fault) {
    stop();
    throw fault;
  }

  return {
    content,
    async next() {
      while (pending.length === 0) await new Promise<void>((resolve) => wake = resolve);
      return pending.shift();
    },
    stop,
  };
}
