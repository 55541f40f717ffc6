/**
 * The records of the log. All durable events of a command are stored in one record, so that a power
 * cut leaves all of them or none.
 *
 * A record is the JSON of a list of events. If an event has bytes (a picture), they follow the JSON
 * unchanged, after a zero byte.
 *
 * A checkpoint is a list of records that rebuild a state without its history. The log asks for one
 * when it consists mostly of history.
 *
 * @module
 */
import { type ConsoleEvent, events, isDurable } from "./events.ts";
import type { RecordBytes } from "./ports.ts";
import type { State } from "./state.ts";

/** The byte between the JSON of a record and its bytes; it cannot occur in JSON. */
const END_OF_JSON = 0;

/** Shared, because making one for each of a million records takes a second. */
const decoder = new TextDecoder();

/**
 * Encodes a record of the durable events among `all`. The bytes of pictures are parts of the
 * record, without a copy.
 */
export function encodeRecord(all: readonly ConsoleEvent[]): RecordBytes {
  const written = all.filter(isDurable).map((event) => events.get(event.type)!.log!.write(event));
  const json = new TextEncoder().encode(`[${written.map(({ json }) => json).join()}]`);
  const attached = written.flatMap(({ bytes }) => bytes ?? []);
  return attached.length === 0 ? json : [json, Uint8Array.of(END_OF_JSON), ...attached];
}

/**
 * Yields the records of a state, all of them small: one for each user, snapshot and picture, and
 * one for each branch of the tree with stored values. Under every configuration their replay has
 * the same result as that of the history which they replace. The state is immutable, so the records
 * are consistent while the console goes on.
 */
export function* checkpointRecords(state: State): Generator<RecordBytes> {
  for (const { log } of events.values()) {
    for (const event of log?.checkpoint(state) ?? []) yield encodeRecord([event]);
  }
}

/**
 * Returns the events of a record in the form of its JSON. Throws an `Error` with the reason if it
 * is not a record of this program.
 */
export function eventsIn(record: Uint8Array): readonly ConsoleEvent[] {
  const end = record.indexOf(END_OF_JSON);
  const json = decoder.decode(end === -1 ? record : record.subarray(0, end));
  let written: unknown;
  try {
    written = JSON.parse(json);
  } catch {
    throw new Error("a record is not JSON");
  }
  if (!Array.isArray(written)) throw new Error("a record is not a list of events");
  return written;
}

/**
 * Returns the events of a record. Throws an `Error` with the reason if this version cannot read it,
 * because a later version wrote it, or because it is not a record of this program.
 */
export function decodeRecord(record: Uint8Array): ConsoleEvent[] {
  let next = record.indexOf(END_OF_JSON) + 1;
  // A copy, because a view would keep the whole buffer that was read in memory.
  const bytes = (count: number) => record.slice(next, next += count);
  return eventsIn(record).map((written) => {
    const log = events.get(written.type)?.log;
    if (log !== undefined) return log.read(written, bytes) as ConsoleEvent;
    throw new Error(`a record holds "${written.type}", which this version does not know`);
  });
}
