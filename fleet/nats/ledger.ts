/**
 * The ledger of several hubs, in JetStream. An acknowledged change is on the media of a majority of
 * the servers. A change that was not acknowledged may have been stored all the same, once.
 *
 * @module
 */
import { reasonOf } from "../../core/errors.ts";
import type { Json } from "../../core/json.ts";
import { newestOf } from "../ledger/audit-order.ts";
import {
  type Bucket,
  BUCKETS,
  type FleetAuditEntry,
  type Ledger,
  LedgerError,
} from "../ledger/ledger.ts";
import { createTurns } from "../hub/turns.ts";
import type { NatsLine } from "./connection.ts";
import { tokenOf } from "./names.ts";
import {
  delay,
  DeliverPolicy,
  headers,
  InvalidArgumentError,
  jetstream,
  JetStreamApiError,
  type JetStreamClient,
  type JetStreamManager,
  jetstreamManager,
  type MsgHdrs,
  RequestError,
} from "./packages.ts";
import { readStream } from "./read.ts";
import { makeStreams, type StreamNames, streamNames } from "./streams.ts";
import { OPERATION, watchBucket } from "./watch.ts";

/**
 * Time in ms that the servers have for a change: for all attempts together, and for one attempt.
 */
export const LEDGER_MS = 5000;
const ATTEMPT_MS = 2000;

/** Maximum time in ms for which the close of the ledger waits for changes under way. */
const CLOSE_MS = 1000;

/** Time in ms between two attempts. */
const AGAIN_MS = 100;

/**
 * Time in ms for which servers remember that a key was removed, and the interval at which they are
 * made to forget older removals.
 */
const REMOVED_MS = 60 * 60_000;

/** JetStream's codes: another revision is there; the stream is full; the value is too long. */
const WRONG_REVISION = 10071;
const NEVER: readonly number[] = [10077, 10054, 10047, 10122];

/** JetStream's code for a missing message or stream. */
const NOT_FOUND = 10037;

/** The header by which the servers recognise a message that was sent twice. */
const MESSAGE_ID = "Nats-Msg-Id";

/** The entry of a key: the last message of its subject. */
interface Last {
  readonly revision: number;
  readonly isRemoved: boolean;
  readonly id: string;
}

/** The options of a ledger in JetStream. */
export interface NatsLedgerOptions {
  readonly organisation: string;
  /** Number of servers that keep each stream; it counts when the stream is made. */
  readonly replicas: number;
}

/** Opens the ledger of an organisation; rejects if the servers have no JetStream for it. */
export async function openNatsLedger(
  line: NatsLine,
  { organisation, replicas }: NatsLedgerOptions,
): Promise<Ledger> {
  const { connection } = line;
  const names = streamNames(organisation);
  const manager = await jetstreamManager(connection, { timeout: LEDGER_MS });
  await makeStreams(manager, names, replicas);
  const closed = new AbortController();
  const store = createStore(line, jetstream(connection), manager, closed.signal);
  const turns = createTurns();
  const forgetting = setInterval(() => {
    forgetRemoved(line, manager, names).catch(() => {});
  }, REMOVED_MS);

  async function change(
    bucket: Bucket,
    key: string,
    value: Json | undefined,
    expect: number | undefined,
  ): Promise<number> {
    if (closed.signal.aborted) throw unavailable(CLOSED);
    const subject = names.subject(bucket) + tokenOf(key);
    const told = headers();
    if (value === undefined) told.set(OPERATION, "DEL");
    const data = value === undefined ? "" : JSON.stringify(value);
    const revision = await store(names.bucket(bucket), subject, data, told, expect);
    if (revision !== undefined) return revision;
    throw new LedgerError("conflict", `another revision of ${bucket}/${key} is there`);
  }

  return {
    put: (bucket, key, value, expect) =>
      turns.take(`${bucket}/${key}`, () => change(bucket, key, value, expect)),
    async remove(bucket, key, expect) {
      await turns.take(`${bucket}/${key}`, () => change(bucket, key, undefined, expect));
    },
    async revision(bucket, key) {
      if (!line.isConnected()) throw unavailable("no server is connected");
      const subject = names.subject(bucket) + tokenOf(key);
      try {
        const { revision, isRemoved } = await last(manager, names.bucket(bucket), subject);
        return isRemoved ? 0 : revision;
      } catch (fault) {
        throw unavailable(fault);
      }
    },
    watch: (bucket) =>
      watchBucket({
        line,
        manager,
        stream: names.bucket(bucket),
        subject: names.subject(bucket),
        closed: closed.signal,
      }),
    async append(entry) {
      if (closed.signal.aborted) throw unavailable(CLOSED);
      const [stream, subject] = entry.console === undefined
        ? [names.audit, names.auditSubject]
        : [names.told, names.toldSubject];
      await store(stream, subject, JSON.stringify(entry), headers(), undefined);
    },
    async audit(most) {
      const streams = [names.audit, names.told];
      const [own, told] = await Promise.all(
        streams.map((stream) => newest(line, manager, stream, most)),
      );
      return newestOf(own!, told!, most);
    },
    isConnected: line.isConnected,
    async close() {
      if (closed.signal.aborted) return;
      clearInterval(forgetting);
      // Without a connection nothing is stored any more, and the hub would only end later.
      if (line.isConnected()) await Promise.race([turns.settled(), delay(CLOSE_MS)]);
      closed.abort();
    },
  };
}

/**
 * Makes the function that stores a message; it resolves with the revision of the message, or with
 * undefined if the present revision is not the expected one. It tries again until the time is up or
 * the ledger is closed: by the id of a message the servers store it once.
 */
function createStore(
  line: NatsLine,
  client: JetStreamClient,
  manager: JetStreamManager,
  closed: AbortSignal,
) {
  return async function store(
    stream: string,
    subject: string,
    data: string,
    told: MsgHdrs,
    expect: number | undefined,
  ): Promise<number | undefined> {
    const msgID = crypto.randomUUID();
    const until = performance.now() + LEDGER_MS;
    let expected = expect;
    let mayBeStored = false;
    let why: unknown = "no server is connected";
    for (; until - performance.now() > AGAIN_MS; await delay(AGAIN_MS)) {
      if (closed.aborted) throw mayBeStored ? unanswered(CLOSED) : unavailable(CLOSED);
      // A message sent without a connection would be stored once nobody waits for it any more.
      if (!line.isConnected()) continue;
      const ms = Math.min(ATTEMPT_MS, until - performance.now());
      try {
        const lastSubjectSequence = expected === undefined
          ? {}
          : { expect: { lastSubjectSequence: expected } };
        const options = { msgID, headers: told, timeout: ms, retries: 1, ...lastSubjectSequence };
        return (await client.publish(subject, data, options)).seq;
      } catch (fault) {
        why = fault;
        if (fault instanceof InvalidArgumentError) {
          why = TOO_LONG;
          break;
        }
        if (!(fault instanceof JetStreamApiError)) {
          if (isUnheard(fault)) why = UNHEARD;
          else mayBeStored = true;
          continue;
        }
        if (NEVER.includes(fault.code)) break;
        if (fault.code !== WRONG_REVISION) continue;
      }
      try {
        const there = await last(manager, stream, subject);
        // An attempt before this one was stored, and its acknowledgement lost.
        if (there.id === msgID) return there.revision;
        const isThere = expect === 0 ? !there.isRemoved : there.revision !== expect;
        if (isThere) return undefined;
        expected = there.revision;
      } catch (fault) {
        why = fault;
      }
    }
    throw mayBeStored ? unanswered(why) : unavailable(why);
  };
}

/** Reads the last message of a subject, from the server that leads its stream. */
async function last(manager: JetStreamManager, stream: string, subject: string): Promise<Last> {
  try {
    const message = await manager.streams.getMessage(stream, { last_by_subj: subject });
    if (message === null) return NOTHING;
    const { seq, header } = message;
    return { revision: seq, isRemoved: header.has(OPERATION), id: header.get(MESSAGE_ID) };
  } catch (fault) {
    if (fault instanceof JetStreamApiError && fault.code === NOT_FOUND) return NOTHING;
    throw fault;
  }
}

/** Says whether a message reached no server that keeps the stream. */
function isUnheard(fault: unknown): boolean {
  const cause = fault instanceof Error ? fault.cause : undefined;
  return cause instanceof RequestError && cause.isNoResponders();
}

const CLOSED = "the ledger is closed";
const UNHEARD = "no server leads this part of the ledger now, or it has no such stream";
const TOO_LONG = "it is longer than the servers of NATS take (max_payload)";

const NOTHING: Last = { revision: 0, isRemoved: true, id: "" };

function unavailable(why: unknown): LedgerError {
  return new LedgerError("unavailable", `the ledger did not take it: ${reasonOf(why)}`, {
    cause: why,
  });
}

function unanswered(why: unknown): LedgerError {
  const message = `the ledger did not answer, and may have taken it: ${reasonOf(why)}`;
  return new LedgerError("unanswered", message, { cause: why });
}

/** Makes the servers forget the keys that were removed long ago. */
async function forgetRemoved(
  line: NatsLine,
  manager: JetStreamManager,
  names: StreamNames,
): Promise<void> {
  const before = Date.now() - REMOVED_MS;
  for (const bucket of BUCKETS) {
    const stream = names.bucket(bucket);
    const options = { deliver_policy: DeliverPolicy.LastPerSubject, headers_only: true };
    for (const { message, revision, time } of await readStream(line, manager, stream, options)) {
      if (message.headers?.has(OPERATION) !== true || time > before) continue;
      // A value that was stored under the key meanwhile has a larger revision, and stays.
      await manager.streams.purge(stream, { filter: message.subject, seq: revision + 1 });
    }
  }
}

/** Returns the newest entries of a stream of the audit trail, the newest last. */
async function newest(
  line: NatsLine,
  manager: JetStreamManager,
  audit: string,
  most: number,
): Promise<readonly FleetAuditEntry[]> {
  if (most <= 0) return [];
  const until = performance.now() + LEDGER_MS;
  try {
    while (true) {
      const { state } = await manager.streams.info(audit);
      const read = await readStream(line, manager, audit, {
        deliver_policy: DeliverPolicy.StartSequence,
        opt_start_seq: Math.max(1, state.last_seq - most + 1),
      });
      // The server that was asked may lack what the others have stored while it was down.
      const isWhole = state.messages === 0 || (read.at(-1)?.revision ?? 0) >= state.last_seq;
      if (isWhole || performance.now() > until) {
        return read.map(({ message }) => message.json<FleetAuditEntry>()).slice(-most);
      }
      await delay(AGAIN_MS);
    }
  } catch (fault) {
    const message = `the ledger did not answer: ${reasonOf(fault)}`;
    throw new LedgerError("unavailable", message, { cause: fault });
  }
}
