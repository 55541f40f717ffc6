/**
 * A store of your own: a console that keeps its records in whatever has keys and values, such as the
 * database that your program has already. Where the log in a folder will do, take `data` of
 * `startConsole` (docs/library.md): it also bounds its space and survives a medium that lies.
 *
 * @module
 */
import {
  beginReplay,
  type Configuration,
  type Console,
  createConsole,
  type RecordBytes,
  type Store,
} from "../../mod.ts"; // in a project of yours: "faderd"

/** The medium. */
export interface KeyValues {
  /** Resolves once the value survives a power cut; rejects where it is not stored. */
  put(key: string, value: Uint8Array): Promise<void>;
  /** All values in the order of their keys. */
  values(): AsyncIterable<Uint8Array>;
}

/**
 * Makes the store that a console asks for: records reach the medium in the order of the calls, and
 * when one fails all that were appended behind it fail, too. `stored` is the number of those before,
 * and is the next key: a record that failed leaves no gap.
 */
function createStore(medium: KeyValues, stored: number): Store {
  let last = Promise.resolve();
  return {
    append(record) {
      const own = last.then(async () => {
        await medium.put(String(stored).padStart(16, "0"), wholeOf(record));
        stored++;
      });
      last = own;
      // Once the failure of the last one is reported, the next record is tried afresh.
      own.catch(() => {
        if (last === own) last = Promise.resolve();
      });
      return own;
    },
  };
}

/**
 * Opens the console that a medium holds. It refuses each change that the medium refuses: to play on
 * without the medium, the store would have to take checkpoints, as a log does (docs/library.md).
 */
export async function openConsole(
  configuration: Configuration,
  medium: KeyValues,
): Promise<Console> {
  const { onFault } = configuration.storage;
  if (onFault !== "refuse") {
    throw new Error(`storage.onFault: expected "refuse", got "${onFault}"`);
  }
  const replay = beginReplay(configuration);
  let stored = 0;
  for await (const record of medium.values()) {
    replay.read(record);
    stored++;
  }
  return createConsole({
    state: replay.end(),
    store: createStore(medium, stored),
    clock: { now: Date.now, monotonic: () => performance.now() },
    random: { bytes: (count) => crypto.getRandomValues(new Uint8Array(count)) },
  });
}

/** A record in one piece: a large one comes in parts. */
function wholeOf(record: RecordBytes): Uint8Array {
  if (record instanceof Uint8Array) return record;
  const whole = new Uint8Array(record.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of record) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
