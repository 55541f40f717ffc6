/**
 * A copy of a bucket of the ledger in this hub: it follows the changes of other hubs, and has the
 * changes of this hub at once.
 *
 * @module
 */
import type { Json } from "../../core/json.ts";
import { isBranch } from "../../core/tree/tree.ts";
import type { Bucket, Entry, Ledger } from "./ledger.ts";

/** A followed bucket. */
export interface FollowedBucket<Value> {
  readonly values: ReadonlyMap<string, Value>;
  /** The revision of a key; 0 for a missing key. */
  revision(key: string): number;
  /**
   * Says whether the ledger has the same revision of a key at present; rejects as {@link
   * Ledger.revision} does. A hub may hear of the changes of one bucket later than of another's.
   */
  isCurrent(key: string): Promise<boolean>;
  /** Stores a value; returns its revision, and rejects as {@link Ledger.put} does. */
  put(key: string, value: Value, expect?: number): Promise<number>;
  /** Removes a key, and rejects as {@link Ledger.remove} does. */
  remove(key: string, expect?: number): Promise<void>;
}

/**
 * Follows a bucket; resolves once its whole content is known. `read` reads a value, and returns
 * undefined for an invalid value, which is ignored. `changed` is called with each change from then
 * on, with the value before it.
 */
export async function followBucket<Value extends object>(
  ledger: Ledger,
  bucket: Bucket,
  read: (value: Json) => Value | undefined,
  changed: (key: string, before: Value | undefined) => void = () => {},
): Promise<FollowedBucket<Value>> {
  const values = new Map<string, Value>();
  const revisions = new Map<string, number>();
  /** The revisions of the values that this version cannot read. */
  const unread = new Map<string, number>();
  /**
   * The last revisions of keys that were removed here, until the ledger has reported the removal.
   */
  const removed = new Map<string, number>();
  /**
   * The keys with puts of this hub that are not acknowledged, with the number of these puts and the
   * revision of the last removal since the first of them.
   */
  const putting = new Map<string, { puts: number; removedAt: number }>();
  const current = Promise.withResolvers<void>();
  let isCurrent = false;

  function apply({ key, value, revision }: Entry): void {
    if (revision <= Math.max(revisions.get(key) ?? 0, removed.get(key) ?? 0)) return;
    removed.delete(key);
    const known = isBranch(value) ? read(value) : undefined;
    if (known === undefined && value !== undefined) unread.set(key, revision);
    else unread.delete(key);
    const before = values.get(key);
    if (known === undefined) {
      values.delete(key);
      revisions.delete(key);
      const puts = putting.get(key);
      if (puts !== undefined) puts.removedAt = revision;
    } else {
      values.set(key, known);
      revisions.set(key, revision);
    }
    if (isCurrent && (known ?? before) !== undefined) changed(key, before);
  }

  async function follow(): Promise<void> {
    for await (const entry of ledger.watch(bucket)) {
      if (entry !== "current") apply(entry);
      else {
        isCurrent = true;
        current.resolve();
      }
    }
  }

  follow().catch(current.reject);
  await current.promise;

  return {
    values,
    revision: (key) => revisions.get(key) ?? 0,
    async isCurrent(key) {
      const known = revisions.get(key) ?? unread.get(key) ?? 0;
      return await ledger.revision(bucket, key) === known;
    },
    async put(key, value, expect) {
      const puts = putting.get(key) ?? { puts: 0, removedAt: 0 };
      putting.set(key, puts);
      puts.puts++;
      try {
        const revision = await ledger.put(bucket, key, value as unknown as Json, expect);
        // Another hub may have removed the value before its late acknowledgement came.
        if (revision > puts.removedAt) apply({ key, value: value as unknown as Json, revision });
        return revision;
      } finally {
        if (--puts.puts === 0) putting.delete(key);
      }
    },
    async remove(key, expect) {
      const before = values.get(key);
      const revision = revisions.get(key) ?? 0;
      await ledger.remove(bucket, key, expect);
      if (revisions.get(key) !== revision) return;
      removed.set(key, revision);
      values.delete(key);
      revisions.delete(key);
      if (before !== undefined) changed(key, before);
    },
  };
}
