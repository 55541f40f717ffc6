/**
 * The streams of a ledger in JetStream: one for each bucket, laid out as a key-value bucket, so
 * that the command line of NATS (`nats kv`) shows it, and two for the audit trail: the entries of
 * the hubs, and the entries that consoles have told.
 *
 * @module
 */
import { type Bucket, BUCKETS } from "../ledger/ledger.ts";
import { organisationToken } from "../several-hubs/organisation-token.ts";
import {
  DiscardPolicy,
  JetStreamApiError,
  type JetStreamManager,
  RetentionPolicy,
  StorageType,
  type StreamConfig,
} from "./packages.ts";

/** Maximum number of entries of each stream of the audit trail. */
export const AUDIT_KEPT = 100_000;

/** Maximum time in ms for which results and batches are kept. */
const RESULTS_MS = 30 * 24 * 60 * 60_000;

/** The buckets whose entries are kept for that time. */
const AGING: readonly Bucket[] = ["results", "batches"];

const NANOSECONDS = 1_000_000;

/** JetStream's code where another hub has just made a stream with another layout. */
const NAME_IN_USE = 10058;

/** JetStream's codes where there are fewer servers than are to keep a stream. */
const TOO_FEW: readonly number[] = [10005, 10074];

/** The names of the streams of an organisation. */
export interface StreamNames {
  bucket(bucket: Bucket): string;
  /** The part of the subject of a key before its token. */
  subject(bucket: Bucket): string;
  readonly audit: string;
  readonly auditSubject: string;
  readonly told: string;
  readonly toldSubject: string;
}

/** Returns the names of the streams of an organisation. */
export function streamNames(organisation: string): StreamNames {
  const name = organisationToken(organisation);
  return {
    bucket: (bucket) => `KV_fd-${name}-${bucket}`,
    subject: (bucket) => `$KV.fd-${name}-${bucket}.`,
    audit: `fd-${name}-audit`,
    auditSubject: `fd.${name}.audit`,
    told: `fd-${name}-told`,
    toldSubject: `fd.${name}.told`,
  };
}

/** Makes the missing streams; existing streams keep their layout. */
export async function makeStreams(
  manager: JetStreamManager,
  names: StreamNames,
  replicas: number,
): Promise<void> {
  const shared: Partial<StreamConfig> = {
    num_replicas: replicas,
    storage: StorageType.File,
    retention: RetentionPolicy.Limits,
  };
  const buckets = BUCKETS.map((bucket) => ({
    ...shared,
    name: names.bucket(bucket),
    subjects: [`${names.subject(bucket)}>`],
    max_msgs_per_subject: 1,
    // A bucket that is full refuses; it forgets nothing.
    discard: DiscardPolicy.New,
    allow_rollup_hdrs: true,
    deny_delete: true,
    ...(AGING.includes(bucket) ? { max_age: RESULTS_MS * NANOSECONDS } : {}),
  }));
  const audit = { ...shared, discard: DiscardPolicy.Old, max_msgs: AUDIT_KEPT };
  const trail = [
    { ...audit, name: names.audit, subjects: [names.auditSubject] },
    { ...audit, name: names.told, subjects: [names.toldSubject] },
  ];
  await Promise.all([...buckets, ...trail].map((stream) => make(manager, stream)));
}

async function make(
  manager: JetStreamManager,
  stream: Partial<StreamConfig> & { readonly name: string },
): Promise<void> {
  try {
    await manager.streams.add(stream);
  } catch (fault) {
    if (!(fault instanceof JetStreamApiError)) throw fault;
    if (TOO_FEW.includes(fault.code)) {
      const sentence = `expected ${stream.num_replicas} servers that keep streams, found fewer`;
      throw new Error(`${sentence} ("replicas" says how many): ${fault.message}`, { cause: fault });
    }
    if (fault.code !== NAME_IN_USE) throw fault;
  }
}
