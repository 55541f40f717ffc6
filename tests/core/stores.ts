/**
 * Stores for tests of the console: one in memory, and one that answers when the test says so.
 *
 * @module
 */
import { checkpointRecords } from "../../core/record.ts";
import type { Configuration } from "../../core/configuration/configuration.ts";
import type { Store } from "../../core/ports.ts";
import { beginReplay } from "../../core/replay.ts";
import { whole } from "../../storage/records.ts";
import type { State } from "../../core/state.ts";

/** A store in memory, whose records are on the medium at once. */
export interface RecordingStore extends Store {
  readonly records: readonly Uint8Array[];
}

/** Makes a {@link RecordingStore}. */
export function recordingStore(): RecordingStore {
  const records: Uint8Array[] = [];
  return {
    records,
    append(record) {
      records.push(whole(record));
      return Promise.resolve();
    },
  };
}

/** A store whose records wait until the test lets them land or fail. */
export interface StagedStore extends RecordingStore {
  /** The number of records that wait. */
  readonly waiting: number;
  /** Lets the oldest waiting record land: it is on the medium. */
  land(): Promise<void>;
  /** Lets all waiting records fail, one after the other, as the contract of a store has it. */
  fail(reason: string): Promise<void>;
  /** Lets all waiting records land, and from now on each new one at once. */
  release(): Promise<void>;
}

/** Makes a {@link StagedStore}; `held` false lets records land until `hold()` is called. */
export function stagedStore(): StagedStore & { hold(): void } {
  const records: Uint8Array[] = [];
  const waiting: { record: Uint8Array; land: () => void; fail: (fault: Error) => void }[] = [];
  let holding = false;

  async function land(): Promise<void> {
    const oldest = waiting.shift();
    if (oldest === undefined) return;
    records.push(oldest.record);
    oldest.land();
    await settled();
  }

  return {
    records,
    get waiting() {
      return waiting.length;
    },
    append(record) {
      if (!holding) {
        records.push(whole(record));
        return Promise.resolve();
      }
      return new Promise((land, fail) => waiting.push({ record: whole(record), land, fail }));
    },
    hold() {
      holding = true;
    },
    land,
    async fail(reason) {
      for (const { fail } of waiting.splice(0)) {
        fail(new Error(reason));
        await settled();
      }
    },
    async release() {
      holding = false;
      while (waiting.length > 0) await land();
    },
  };
}

/** Resolves once all code has run that awaited a settled promise. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 10; turn++) await Promise.resolve();
}

/** The state that a start replays from records. */
export function replayed(configuration: Configuration, records: Iterable<Uint8Array>): State {
  const replay = beginReplay(configuration);
  for (const record of records) replay.read(record);
  return replay.end();
}

/** The records of a checkpoint, as a store gives them back. */
export function checkpointOf(state: State): Uint8Array[] {
  return Array.from(checkpointRecords(state), whole);
}
