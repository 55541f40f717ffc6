/**
 * An owner of a log that can tell whether the log kept its word. Its state is the set of the
 * numbers of all records ever stored, so that compaction cannot hide a lost or a revived one.
 *
 * @module
 */
import { assert, assertEquals } from "@std/assert";
import { StorageError } from "../../storage/storage-error.ts";
import type { Log, LogOptions } from "../../storage/log.ts";
import type { Chance } from "./random.ts";

/** The largest random payload; some exceed a small segment. */
const longest = 900;
const perCheckpointRecord = 20;

/** What happened to each record, and what a log gave back. */
export interface Ledger {
  /** Options that make a log this ledger's; the numbers it gives back are checked on the way. */
  options(): Required<Pick<LogOptions, "replay" | "checkpoint">>;
  /** Appends one record with the next number; never rejects. */
  append(log: Log): Promise<void>;
  /** Asserts that what was replayed is exactly what it must be, and builds on it. */
  check(log: Log): void;
  readonly acknowledged: number;
  readonly refused: number;
}

/** Makes an empty ledger. `isDown` tells a refusal from a call that power cut off. */
export function createLedger(chance: Chance, isDown: () => boolean): Ledger {
  let next = 1;
  let stored = new Set<number>();
  let found: number[] = [];
  let acknowledged = new Set<number>();
  const refused = new Set<number>();
  const open = new Set<number>();

  function encode(kind: "event" | "state", numbers: readonly number[], padding: number) {
    const payload = new Uint8Array(2 + 4 * numbers.length + padding);
    const view = new DataView(payload.buffer);
    view.setUint8(0, kind === "event" ? 1 : 2);
    view.setUint8(1, numbers.length);
    numbers.forEach((number, index) => view.setUint32(2 + 4 * index, number));
    payload.fill(numbers[0]! & 0xff, 2 + 4 * numbers.length);
    return payload;
  }

  function decode(payload: Uint8Array): number[] {
    const view = new DataView(payload.buffer, payload.byteOffset, payload.length);
    const numbers = Array.from({ length: view.getUint8(1) }, (_, at) => view.getUint32(2 + 4 * at));
    const padding = payload.subarray(2 + 4 * numbers.length);
    assert(padding.every((byte) => byte === (numbers[0]! & 0xff)), "a payload came back changed");
    return numbers;
  }

  return {
    options() {
      found = [];
      return {
        replay: (record) => void found.push(...decode(record)),
        checkpoint: () => {
          const picture = [...stored].sort((a, b) => a - b);
          return Array.from(
            { length: Math.ceil(picture.length / perCheckpointRecord) },
            (_, part) => {
              const from = part * perCheckpointRecord;
              return encode("state", picture.slice(from, from + perCheckpointRecord), 0);
            },
          );
        },
      };
    },
    async append(log) {
      const number = next++;
      open.add(number);
      try {
        await log.append(
          encode("event", [number], chance.between(0, chance.hits(0.05) ? longest : 40)),
        );
        acknowledged.add(number);
        open.delete(number);
        for (let hops = chance.between(0, 9); hops > 0; hops--) await undefined;
        stored.add(number);
      } catch (fault) {
        if (!(fault instanceof StorageError)) throw fault;
        if (isDown()) return;
        open.delete(number);
        if (fault.certain) refused.add(number);
      }
    },
    check(log) {
      assertEquals(log.recovery.damage, undefined);
      assertEquals(found.toSorted((a, b) => a - b), found, "out of order");
      const back = new Set(found);
      assertEquals(back.size, found.length, "a record came back twice");
      for (const number of acknowledged) {
        assert(back.has(number), `${number} was acknowledged, lost`);
      }
      for (const number of refused) assert(!back.has(number), `${number} was refused, came back`);
      const last = found.at(-1) ?? 0;
      for (const number of open) {
        // Cut off by power: there or not, but none after a hole.
        if (number < last) assert(back.has(number), `${number} is missing before ${last}`);
      }
      if (log.condition.state === "ok") {
        acknowledged = back;
        stored = new Set(found);
        for (const number of open) if (!back.has(number)) refused.add(number);
        open.clear();
      }
    },
    get acknowledged() {
      return acknowledged.size;
    },
    get refused() {
      return refused.size;
    },
  };
}
