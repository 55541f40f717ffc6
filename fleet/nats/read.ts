/**
 * Reads the present content of a stream of JetStream.
 *
 * @module
 */
import type { NatsLine } from "./connection.ts";
import {
  AckPolicy,
  type ConsumerConfig,
  createInbox,
  type JetStreamManager,
  type Msg,
} from "./packages.ts";

/** Time in ms that the servers have for the whole content. */
const READ_MS = 10_000;

const NANOSECONDS = 1_000_000;

/** The place of a message in its stream. */
export interface Place {
  /** The number of the message in the stream, and the number of its delivery. */
  readonly revision: number;
  readonly delivered: number;
  /** When it was stored, in ms since 1970. */
  readonly time: number;
  /** Number of messages that wait behind it. */
  readonly left: number;
}

/** A message of a stream. */
export interface Stored extends Place {
  readonly message: Msg;
}

/**
 * Reads the messages that a consumer with the configuration `layout` receives; rejects if they do
 * not come in time.
 */
export async function readStream(
  { connection }: NatsLine,
  manager: JetStreamManager,
  stream: string,
  layout: Partial<ConsumerConfig>,
): Promise<readonly Stored[]> {
  const inbox = createInbox();
  const found: Stored[] = [];
  const whole = Promise.withResolvers<void>();
  const subscription = connection.subscribe(inbox, {
    callback(fault, message) {
      const place = placeOf(message?.reply);
      if (fault !== null) return whole.reject(fault);
      if (place === undefined) return;
      found.push({ ...place, message });
      if (place.left === 0) whole.resolve();
    },
  });
  const late = setTimeout(() => whole.reject(new Error("the servers did not answer")), READ_MS);
  try {
    const { num_pending } = await manager.consumers.add(stream, {
      ...layout,
      deliver_subject: inbox,
      ack_policy: AckPolicy.None,
      max_deliver: 1,
      num_replicas: 1,
      mem_storage: true,
    });
    if (num_pending > 0) await whole.promise;
    return found;
  } finally {
    clearTimeout(late);
    // Nothing awaits this promise if the consumer could not be made.
    whole.promise.catch(() => {});
    subscription.unsubscribe();
  }
}

/**
 * Returns the place of a message from its subject for an acknowledgement; undefined for a message
 * that brings no entry. Servers of one account leave the domain and the account out.
 */
export function placeOf(reply: string | undefined): Place | undefined {
  const tokens = reply?.split(".") ?? [];
  if (tokens[1] !== "ACK") return undefined;
  const [revision, delivered, nanoseconds, left] = tokens.slice(tokens.length > 9 ? 7 : 5)
    .map(Number);
  return {
    /** The number of the message in its stream, and the number of its delivery. */
    revision: revision!,
    delivered: delivered!,
    /** When it was stored, in ms since 1970. */
    time: nanoseconds! / NANOSECONDS,
    /** Number of messages that wait behind it. */
    left: left!,
  };
}
