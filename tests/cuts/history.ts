/**
 * The records and answers of a console, to check the state that a later start finds. It has to hold
 * every acknowledged record, no refused record, and of the records without an answer those that
 * were stored before the power cut.
 *
 * @module
 */
import { reduce } from "../../core/events.ts";
import { crc32 } from "../../core/crc32.ts";
import { checkpointRecords, decodeRecord } from "../../core/record.ts";
import { initialState, type State } from "../../core/state.ts";
import { whole } from "../../storage/records.ts";
import { configuration } from "./asked.ts";

/** The part of a state that the log keeps, as text: equal states have equal texts. */
export function keptOf(state: State): string {
  const records = checkpointRecords({ ...state, staged: new Map() });
  const decoder = new TextDecoder();
  const texts = Array.from(records, (record) => {
    const [json, _, ...bytes] = record instanceof Uint8Array ? [record] : record;
    return decoder.decode(json) + bytes.map((part) => crc32(part)).join();
  });
  return texts.sort().join("\n");
}

/** One record that a console gave to its log. */
interface Entry {
  readonly record: Uint8Array;
  /**
   * Records of a group are stored one after the other: no stored record follows on a missing one.
   */
  readonly group: number;
  /** Number of events of the medium when it was appended, and when it was stored or refused. */
  readonly appended: number;
  settled: number;
  stored: boolean;
  /** Whether it was refused and may be stored all the same. */
  isDoubtful: boolean;
}

/** The states that a start may find, by {@link keptOf}, each with its records. */
export type Allowed = ReadonlyMap<string, ReadonlySet<number>>;

/** The records of one run, with the outcome of each. `now` is a number of events of the medium. */
export interface History {
  /** Returns the number of the record. */
  append(record: Uint8Array | readonly Uint8Array[], now: number): number;
  acknowledged(entry: number, now: number): void;
  /** The record was refused; without `certain` it may be stored all the same. */
  refused(entry: number, certain: boolean, now: number): void;
  /** The process has ended. Records in flight get no answer any more. */
  ended(): void;
  /** A start has found these records. */
  began(found: ReadonlySet<number>): void;
  /** The records that the last start found are stored for good, all others are not. */
  confirmed(now: number): void;
  /** The states that a start may find when power is cut after a number of events of the medium. */
  allowedAt(now: number): Allowed;
  /** Number of groups with records whose outcome is not known yet. */
  readonly openGroups: number;
  readonly records: number;
}

/** Begins a history with a console to which nothing has happened yet. */
export function beginHistory(): History {
  const entries: Entry[] = [];
  const states = new Map<string, State>([["", initialState(configuration)]]);
  const kept = new Map<string, string>();
  const known = new Map<number, Allowed>();
  let group = 0;
  /** The records that the last start found, and the number of records then; until confirmed. */
  let found: { readonly records: number; readonly among: ReadonlySet<number> } | undefined;

  function stateOf(included: readonly number[]): State {
    const key = included.join();
    const made = states.get(key);
    if (made !== undefined) return made;
    const before = stateOf(included.slice(0, -1));
    const state = decodeRecord(entries[included.at(-1)!]!.record).reduce(reduce, before);
    states.set(key, state);
    return state;
  }

  function keptAfter(included: readonly number[]): string {
    const key = included.join();
    const text = kept.get(key) ?? keptOf(stateOf(included));
    kept.set(key, text);
    return text;
  }

  function allowedAt(now: number): Allowed {
    let choices: number[][] = [[]];
    for (let at = 0; at < entries.length;) {
      const { group } = entries[at]!;
      const begins = at;
      while (entries[at]?.group === group) at++;
      const members = entries.slice(begins, at).map((entry, index) => ({
        entry,
        at: begins + index,
      }));
      choices = choices.flatMap((chosen) => storedOf(members, now).map((of) => [...chosen, ...of]));
    }
    return new Map(choices.map((included) => [keptAfter(included), new Set(included)]));
  }

  const open = () => entries.filter(({ settled }) => settled === Infinity);
  const settle = (entry: Entry, stored: boolean, now: number) => {
    entry.settled = now;
    entry.stored = stored;
    known.clear();
  };

  function confirmed(now: number): void {
    for (const [at, entry] of entries.slice(0, found?.records ?? 0).entries()) {
      if (entry.settled !== Infinity) continue;
      // A doubtful record stays doubtful until a record behind it is stored.
      const stored = found!.among.has(at);
      if (stored || !entry.isDoubtful) settle(entry, stored, now);
    }
    found = undefined;
  }

  return {
    append(record, now) {
      const made = { record: whole(record), group, appended: now, isDoubtful: false };
      entries.push({ ...made, settled: Infinity, stored: false });
      known.clear();
      return entries.length - 1;
    },
    acknowledged(entry, now) {
      confirmed(now);
      for (const one of open()) if (one.isDoubtful) settle(one, false, now);
      settle(entries[entry]!, true, now);
    },
    refused(entry, certain, now) {
      group++;
      if (certain) settle(entries[entry]!, false, now);
      else entries[entry]!.isDoubtful = true;
    },
    ended() {
      group++;
      found = undefined;
    },
    began(among) {
      found = { records: entries.length, among };
    },
    confirmed,
    allowedAt(now) {
      const allowed = known.get(now) ?? allowedAt(now);
      known.set(now, allowed);
      return allowed;
    },
    get openGroups() {
      return new Set(open().map((entry) => entry.group)).size;
    },
    get records() {
      return entries.length;
    },
  };
}

/** The possible sets of stored records of a group at that time. */
function storedOf(
  members: readonly { readonly entry: Entry; readonly at: number }[],
  now: number,
): number[][] {
  const appended = members.filter(({ entry }) => entry.appended <= now);
  const ways: number[][] = [];
  for (let count = 0; count <= appended.length; count++) {
    const isPossible = appended.every(({ entry: { settled, stored } }, index) =>
      settled > now || stored === (index < count)
    );
    if (isPossible) ways.push(appended.slice(0, count).map(({ at }) => at));
  }
  return ways;
}
