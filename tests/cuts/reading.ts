/**
 * The state that the records of a log make. Most starts of a run find the same records as another,
 * so each state is computed once.
 *
 * @module
 */
import { crc32 } from "../../core/crc32.ts";
import { beginReplay } from "../../core/replay.ts";
import type { State } from "../../core/state.ts";
import { configuration } from "./asked.ts";
import { keptOf } from "./history.ts";

/** The state after a start. */
export interface Found {
  readonly state: State;
  /** The part of it that the log keeps, by {@link keptOf}. */
  readonly kept: string;
}

/** The states found before, by the lengths and sums of their records. */
export type Recalled = Map<string, Found>;

/** Reads one log. */
export interface Reading {
  read(record: Uint8Array): void;
  end(): Found;
}

/** Begins to read a log. */
export function beginReading(recalled: Recalled): Reading {
  const records: Uint8Array[] = [];
  const sums: string[] = [];
  return {
    read(record) {
      records.push(record.slice());
      sums.push(`${record.length}:${crc32(record)}`);
    },
    end() {
      const key = sums.join();
      const known = recalled.get(key);
      if (known !== undefined) return known;
      const replay = beginReplay(configuration);
      for (const record of records) replay.read(record);
      const state = replay.end();
      const found = { state, kept: keptOf(state) };
      recalled.set(key, found);
      return found;
    },
  };
}
