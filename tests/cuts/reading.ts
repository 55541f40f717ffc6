/**
 * What the records of a log come to. Most starts of a run find what another has found, so it is
 * worked out once.
 *
 * @module
 */
import { crc32 } from "../../core/crc32.ts";
import { beginReplay } from "../../core/replay.ts";
import type { State } from "../../core/state.ts";
import { configuration } from "./asked.ts";
import { keptOf } from "./history.ts";

/** A state that a start came to. */
export interface Found {
  readonly state: State;
  /** All of it that the log keeps, by {@link keptOf}. */
  readonly kept: string;
}

/** What was found before, by the lengths and sums of the records. */
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
