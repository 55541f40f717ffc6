/**
 * The media of a simulated fleet: a write takes time and may fail, and a random part of the writes
 * of a killed program is stored. Where hubs share a ledger, the changes of the other hubs take time
 * on their way, too.
 *
 * @module
 */
import { after, type Store, type Timer } from "../../core/ports.ts";
import { type Bucket, type Entry, type Ledger, LedgerError } from "../../fleet/ledger/ledger.ts";
import { whole } from "../../storage/records.ts";
import type { Chance } from "../storage/random.ts";

/** Maximum time in ms that a write takes: usually, and while the medium is slow. */
const WRITE_MS = 20;
const SLOW_MS = 4000;

/**
 * Maximum time in ms after which a write is made whose program was told before that nobody knows
 * whether it is made.
 */
const LATE_MS = 5000;

/** A program that writes. */
interface Writer {
  readonly isDead: boolean;
  run(work: () => void): void;
}

/** A medium. */
export interface SimulatedMedium {
  /** Whether all writes fail. */
  fails: boolean;
  /** Whether the acknowledgements of writes are lost: the writes are stored, now or later. */
  losesAnswers: boolean;
  /** Whether writes take seconds. */
  isSlow: boolean;
  /** Calls `write` in its turn; resolves in the program once it is done. */
  write(writer: Writer, write: () => Promise<unknown> | void): Promise<void>;
  /** A program was killed: its writes in flight are stored up to a random one. */
  died(writer: Writer): void;
}

/** A write that is on its way. */
interface Write {
  readonly writer: Writer;
  land(): Promise<void>;
  fail(): void;
}

/** Makes a medium. */
export function simulatedMedium(timer: Timer, chance: Chance): SimulatedMedium {
  let nextAt = 0;
  const writes = new Set<Write>();
  const failing = new Set<Writer>();

  /** Fails a write and all later ones of its program, as the contract of a store requires. */
  function failAfter({ writer }: Write): void {
    for (const one of [...writes]) {
      if (one.writer !== writer) continue;
      writes.delete(one);
      one.fail();
    }
  }

  const medium: SimulatedMedium = {
    fails: false,
    losesAnswers: false,
    isSlow: false,
    write(writer, write) {
      if (writer.isDead) return new Promise(() => {});
      const most = medium.isSlow ? SLOW_MS : WRITE_MS;
      nextAt = Math.max(nextAt, timer.monotonic() + chance.between(0, most));
      return new Promise((resolve, reject) => {
        const one: Write = {
          writer,
          fail() {
            failing.add(writer);
            writer.run(() => {
              reject(new Error("no space left"));
              // The program knows once the promises that follow from this are settled.
              setImmediate(() => failing.delete(writer));
            });
          },
          async land() {
            if (!writes.has(one)) return;
            if (medium.fails) return failAfter(one);
            writes.delete(one);
            try {
              await write();
            } catch (fault) {
              return writer.run(() => reject(fault));
            }
            writer.run(resolve);
          },
        };
        // Until a program knows of a failure, its further writes fail with it.
        if (failing.has(writer)) return one.fail();
        writes.add(one);
        timer.at(nextAt, one.land);
      });
    },
    died(writer) {
      let isTorn = false;
      for (const one of [...writes]) {
        if (one.writer !== writer) continue;
        isTorn ||= chance.hits(0.5);
        if (isTorn) writes.delete(one);
        else one.land();
      }
    },
  };
  return medium;
}

/** Makes the store of a program on a medium; `begun` is called with each appended record. */
export function storeOn(
  medium: SimulatedMedium,
  writer: Writer,
  records: Uint8Array[],
  begun: (record: Uint8Array) => void,
): Store {
  return {
    append(record) {
      const bytes = whole(record);
      begun(bytes);
      return medium.write(writer, () => void records.push(bytes));
    },
  };
}

/** The way of a hub to the ledger. */
export interface LedgerWay {
  /** The medium of the writes of this hub. */
  readonly medium: SimulatedMedium;
  /** Has the changes that others make wait, or passes on the last change of each key. */
  hold(isHeld: boolean): void;
  /** Makes the ledger of a program at this end; it passes all on at once until `isThere`. */
  ledger(writer: Writer, ledger: Ledger, isThere: () => boolean): Ledger;
}

/**
 * Makes the way of a hub to the ledger. Without `isShared` the ledger is in the program of the hub,
 * which then hears of each change at once.
 */
export function ledgerWay(timer: Timer, chance: Chance, isShared: boolean): LedgerWay {
  const medium = simulatedMedium(timer, chance);
  /** The changes that wait, by bucket and key. */
  const held = new Map<string, () => void>();
  let isHeld = false;
  let arrivesAt = 0;

  /** Passes a change on after its time on the way, in the order of the changes. */
  function bring(writer: Writer, key: string, work: () => void): void {
    arrivesAt = Math.max(arrivesAt, timer.monotonic() + chance.between(0, WRITE_MS));
    timer.at(arrivesAt, () => {
      const inTurn = () => writer.run(work);
      if (!isHeld) return inTurn();
      held.delete(key);
      held.set(key, inTurn);
    });
  }

  function ledgerOf(writer: Writer, ledger: Ledger, isThere: () => boolean): Ledger {
    async function written<Value>(write: () => Promise<Value>): Promise<Value> {
      if (!isThere()) return await write();
      let value: Value | undefined;
      let isUnanswered = false;
      try {
        await medium.write(writer, async () => {
          isUnanswered = medium.losesAnswers;
          if (!isUnanswered || chance.hits(0.5)) value = await write();
          else after(timer, chance.between(0, LATE_MS), () => void write().catch(() => {}));
        });
        if (isUnanswered) throw new LedgerError("unanswered", "no answer in time");
      } catch (fault) {
        if (fault instanceof LedgerError) throw fault;
        throw new LedgerError("unavailable", String(fault));
      }
      return value as Value;
    }

    async function* watch(bucket: Bucket): AsyncGenerator<Entry | "current", void> {
      const arrived: (Entry | "current")[] = [];
      let wake = () => {};
      let isCurrent = false;
      async function follow(): Promise<void> {
        for await (const entry of ledger.watch(bucket)) {
          const tell = () => {
            arrived.push(entry);
            wake();
          };
          if (writer.isDead) return;
          if (!isCurrent || entry === "current" || !isThere()) tell();
          else bring(writer, `${bucket}/${entry.key}`, tell);
          isCurrent ||= entry === "current";
        }
      }
      void follow();
      while (true) {
        yield* arrived.splice(0);
        if (arrived.length === 0) await new Promise<void>((resolve) => wake = resolve);
      }
    }

    return {
      ...ledger,
      put: (...given) => written(() => ledger.put(...given)),
      remove: (...given) => written(() => ledger.remove(...given)),
      append: (entry) => written(() => ledger.append(entry)),
      revision: isShared ? (...given) => written(() => ledger.revision(...given)) : ledger.revision,
      watch: isShared ? watch : ledger.watch,
      // The ledger outlives each hub.
      close: () => Promise.resolve(),
    };
  }

  return {
    medium,
    hold(isNowHeld) {
      isHeld = isNowHeld;
      if (isHeld) return;
      const waiting = [...held.values()];
      held.clear();
      for (const inTurn of waiting) inTurn();
    },
    ledger: ledgerOf,
  };
}
