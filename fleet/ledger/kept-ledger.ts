/**
 * A ledger of one hub: its whole content is in memory, and each change is a record of a store,
 * which is in memory or in files.
 *
 * @module
 */
import { reasonOf } from "../../core/errors.ts";
import type { Json } from "../../core/json.ts";
import type { Store } from "../../core/ports.ts";
import { newestOf } from "./audit-order.ts";
import { type Bucket, BUCKETS, type Entry, type FleetAuditEntry, LedgerError } from "./ledger.ts";
import type { Ledger } from "./ledger.ts";
import { createTurns } from "../hub/turns.ts";
import { StorageError } from "../../storage/storage-error.ts";

/**
 * Number of the newest entries of the audit trail that are kept: of those of the hub itself, and of
 * those that consoles have told.
 */
export const AUDIT_ENTRIES = 5000;

/** A record of the store. */
type LedgerRecord =
  | {
    readonly bucket: Bucket;
    readonly key: string;
    /** Undefined where the key was removed. */
    readonly value?: Json;
    readonly revision: number;
  }
  | { readonly audit: FleetAuditEntry };

/** The content of a ledger. */
export interface LedgerContent {
  /** Takes a record that was read from the store; throws if it is not valid. */
  read(record: Uint8Array): void;
  /** Returns records that make the content at the moment of the call. */
  checkpoint(): Iterable<Uint8Array>;
}

interface Kept extends LedgerContent {
  entry(bucket: Bucket, key: string): Entry | undefined;
  entries(bucket: Bucket): readonly Entry[];
  apply(record: LedgerRecord): void;
  nextRevision(): number;
  newest(most: number): readonly FleetAuditEntry[];
}

/** Receives each change of a bucket for a watcher; undefined when the ledger is closed. */
type Told = (entry: Entry | undefined) => void;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

function encode(record: LedgerRecord): Uint8Array {
  return encoder.encode(JSON.stringify(record));
}

/** The entries of one kind, the oldest first. */
function createEntries() {
  let entries: FleetAuditEntry[] = [];
  return {
    add(entry: FleetAuditEntry): void {
      entries.push(entry);
      // Half of the entries are dropped at a time, so that not every entry costs a copy of all.
      if (entries.length >= 2 * AUDIT_ENTRIES) entries = entries.slice(-AUDIT_ENTRIES);
    },
    kept: (): readonly FleetAuditEntry[] => entries.slice(-AUDIT_ENTRIES),
  };
}

function createContent(): Kept {
  const buckets = new Map(BUCKETS.map((bucket) => [bucket, new Map<string, Entry>()]));
  const own = createEntries();
  const told = createEntries();
  let revision = 0;

  function apply(record: LedgerRecord): void {
    if ("audit" in record) {
      return (record.audit.console === undefined ? own : told).add(record.audit);
    }
    const { bucket, key, value } = record;
    const entries = buckets.get(bucket)!;
    revision = Math.max(revision, record.revision);
    if (value === undefined) entries.delete(key);
    else entries.set(key, { key, value, revision: record.revision });
  }

  return {
    entry: (bucket, key) => buckets.get(bucket)!.get(key),
    entries: (bucket) => [...buckets.get(bucket)!.values()],
    apply,
    nextRevision: () => ++revision,
    newest: (most) => newestOf(own.kept(), told.kept(), most),
    read: (record) => apply(JSON.parse(decoder.decode(record))),
    checkpoint() {
      const records: LedgerRecord[] = [];
      for (const [bucket, entries] of buckets) {
        for (const { key, value, revision } of entries.values()) {
          records.push({ bucket, key, revision, ...(value === undefined ? {} : { value }) });
        }
      }
      for (const audit of [...own.kept(), ...told.kept()]) records.push({ audit });
      // The entries are immutable, so they can be encoded while the ledger goes on.
      return (function* () {
        for (const record of records) yield encode(record);
      })();
    },
  };
}

/** The store of the records of a ledger. */
export interface LedgerStore extends Store {
  close(): Promise<void>;
}

/**
 * Makes a ledger with a store, which `open` opens for its content. Changes of one key are made one
 * after the other; changes of several keys share a write.
 */
export async function createKeptLedger(
  open: (content: LedgerContent) => Promise<LedgerStore>,
): Promise<Ledger> {
  const content = createContent();
  const store = await open(content);
  const turns = createTurns();
  const watchers = new Map(BUCKETS.map((bucket) => [bucket, new Set<Told>()]));
  let isClosed = false;

  async function keep(record: LedgerRecord): Promise<void> {
    if (isClosed) {
      throw new LedgerError("unavailable", "the change could not be stored: the ledger is closed");
    }
    try {
      await store.append(encode(record));
    } catch (cause) {
      const reason = reasonOf(cause);
      // A failed write that could not be undone may be found after a restart.
      const isCertain = !(cause instanceof StorageError) || cause.certain;
      throw new LedgerError(isCertain ? "unavailable" : "unanswered", reason, { cause });
    }
    content.apply(record);
  }

  async function change(
    bucket: Bucket,
    key: string,
    value: Json | undefined,
    expect: number | undefined,
  ): Promise<number> {
    const found = content.entry(bucket, key)?.revision ?? 0;
    if (expect !== undefined && expect !== found) {
      const message = `expected revision ${expect} of ${bucket}/${key}, there is ${found}`;
      throw new LedgerError("conflict", message);
    }
    if (value === undefined && found === 0) return 0;
    const revision = content.nextRevision();
    await keep({ bucket, key, revision, ...(value === undefined ? {} : { value }) });
    for (const tell of watchers.get(bucket)!) tell({ key, value, revision });
    return revision;
  }

  async function* watch(bucket: Bucket): AsyncGenerator<Entry | "current", void> {
    const pending: (Entry | "current" | undefined)[] = [...content.entries(bucket), "current"];
    let wake = () => {};
    const tell: Told = (entry) => {
      pending.push(entry);
      wake();
    };
    watchers.get(bucket)!.add(tell);
    if (isClosed) tell(undefined);
    try {
      while (true) {
        for (const entry of pending.splice(0)) {
          if (entry === undefined) return;
          yield entry;
        }
        if (pending.length === 0) await new Promise<void>((resolve) => wake = resolve);
      }
    } finally {
      watchers.get(bucket)!.delete(tell);
    }
  }

  return {
    put: (bucket, key, value, expect) =>
      turns.take(`${bucket}/${key}`, () => change(bucket, key, value, expect)),
    async remove(bucket, key, expect) {
      await turns.take(`${bucket}/${key}`, () => change(bucket, key, undefined, expect));
    },
    revision: (bucket, key) => Promise.resolve(content.entry(bucket, key)?.revision ?? 0),
    watch,
    append: (entry) => keep({ audit: entry }),
    audit: (most) => Promise.resolve(content.newest(most)),
    async close() {
      if (isClosed) return;
      await turns.settled();
      isClosed = true;
      for (const tells of watchers.values()) for (const tell of tells) tell(undefined);
      await store.close();
    },
  };
}
