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

/** An event of a reading: an entry, "all present entries were reported", or the end. */
type Told = Entry | "current" | undefined;

/** One reading of a bucket, from its last values on. */
interface Reading {
  next(): Promise<Told>;
  stop(): void;
}

/** Watches a bucket as {@link Ledger.watch} says. */
export async function* watchBucket(watched: Watched): AsyncGenerator<Entry | "current", void> {
  const { closed } = watched;
  const known = new Map<string, number>();
  let wasCurrent = false;

  while (!closed.aborted) {
    let reading: Reading;
    try {
      reading = await read(watched);
    } catch {
      await delay(AGAIN_MS);
      continue;
    }
    const seen = new Set<string>();
    let isWhole = false;
    try {
      while (true) {
        const told = await reading.next();
        if (told === undefined) break;
        if (told === "current") {
          isWhole = true;
          for (const [key, revision] of [...known]) {
            if (seen.has(key)) continue;
            known.delete(key);
            yield { key, value: undefined, revision: revision + 1 };
          }
          if (!wasCurrent) yield "current";
          wasCurrent = true;
          continue;
        }
        if (!isWhole && told.value !== undefined) seen.add(told.key);
        if (told.revision <= (known.get(told.key) ?? 0)) continue;
        if (told.value !== undefined) known.set(told.key, told.revision);
        // This hub may have put a value that no reading brought: its removal counts all the same.
        else if (!known.delete(told.key) && !wasCurrent) continue;
        yield told;
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

/** Begins to read a bucket. The reading is over when it may have missed something. */
async function read({ line, manager, stream, subject, closed }: Watched): Promise<Reading> {
  const { connection } = line;
  const inbox = createInbox();
  const pending: Told[] = [];
  let wake = () => {};
  let heardAt = performance.now();
  let sequence = 0;
  let isCurrent = false;

  function tell(...told: Told[]): void {
    pending.push(...told);
    wake();
  }
  const end = () => tell(undefined);

  const subscription = connection.subscribe(inbox, {
    callback(fault, message) {
      if (fault !== null) return end();
      heardAt = performance.now();
      const place = placeOf(message.reply);
      if (place === undefined) {
        // A sign of life: nothing waits.
        if (Number(message.headers?.get("Nats-Last-Consumer") ?? 0) !== sequence) end();
        else if (!isCurrent) current();
        return;
      }
      const { revision, delivered, left } = place;
      if (delivered !== ++sequence) return end();
      const isRemoved = message.headers?.has(OPERATION) === true;
      tell({
        key: keyOf(message.subject.slice(subject.length)),
        value: isRemoved ? undefined : valueOf(message),
        revision,
      });
      if (!isCurrent && left === 0) current();
    },
  });
  const current = () => {
    isCurrent = true;
    tell("current");
  };
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
    if (num_pending === 0 && !isCurrent && sequence === 0) current();
  } catch (fault) {
    stop();
    throw fault;
  }

  return {
    async next() {
      while (pending.length === 0) await new Promise<void>((resolve) => wake = resolve);
      return pending.shift();
    },
    stop,
  };
}
