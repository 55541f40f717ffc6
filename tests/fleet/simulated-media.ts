/**
 * The media of a simulated fleet: a write takes time and may fail, and a random part of the writes
 * of a killed program is stored.
 *
 * @module
 */
import type { Store, Timer } from "../../core/ports.ts";
import { type Ledger, LedgerError } from "../../fleet/ledger/ledger.ts";
import { whole } from "../../storage/records.ts";
import type { Chance } from "../storage/random.ts";

/** Maximum time in ms that a write takes. */
const WRITE_MS = 20;

/** A program that writes. */
interface Writer {
  readonly isDead: boolean;
  run(work: () => void): void;
}

/** A medium. */
export interface SimulatedMedium {
  /** Whether all writes fail. */
  fails: boolean;
  /** Whether writes are stored, and their acknowledgements lost. */
  losesAnswers: boolean;
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
    write(writer, write) {
      if (writer.isDead) return new Promise(() => {});
      nextAt = Math.max(nextAt, timer.monotonic() + chance.between(0, WRITE_MS));
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

/** A ledger whose writes go through a medium, once `isThere` returns true. */
export function ledgerOn(
  medium: SimulatedMedium,
  writer: Writer,
  ledger: Ledger,
  isThere: () => boolean,
): Ledger {
  const written = async <Value>(write: () => Promise<Value>): Promise<Value> => {
    if (!isThere()) return await write();
    let value: Value | undefined;
    let isUnanswered = false;
    try {
      await medium.write(writer, async () => {
        isUnanswered = medium.losesAnswers;
        value = await write();
      });
      if (isUnanswered) throw new LedgerError("unanswered", "no answer in time");
    } catch (fault) {
      if (fault instanceof LedgerError) throw fault;
      throw new LedgerError("unavailable", String(fault));
    }
    return value as Value;
  };
  return {
    ...ledger,
    put: (...given) => written(() => ledger.put(...given)),
    remove: (...given) => written(() => ledger.remove(...given)),
    append: (entry) => written(() => ledger.append(entry)),
    close: () => Promise.resolve(),
  };
}
