/**
 * The log keeps of a command one record of all its durable events, so that a power cut leaves all
 * of them or none.
 *
 * A record is the JSON of a list of events. Where an event has bytes (a picture), they follow the
 * JSON, after a zero byte, as they are.
 *
 * A checkpoint is the records that rebuild a state, with nothing of how it came about. The log asks
 * for one when most of it is history.
 *
 * @module
 */
import { type ConsoleEvent, events, isDurable } from "./events.ts";
import type { RecordBytes } from "./ports.ts";
import type { State } from "./state.ts";

/**
 * This byte stands between the JSON of a record and the bytes that belong to it; in JSON it cannot
 * stand.
 */
const END_OF_JSON = 0;

/** To make one for each of a million records takes a second. */
const decoder = new TextDecoder();

/**
 * Writes a record of events, without the volatile ones. The bytes of pictures are parts of it as
 * they are.
 */
export function encodeRecord(all: readonly ConsoleEvent[]): RecordBytes {
  const written = all.filter(isDurable).map((event) => events.get(event.type)!.log!.write(event));
  const json = new TextEncoder().encode(`[${written.map(({ json }) => json).join()}]`);
  const attached = written.flatMap(({ bytes }) => bytes ?? []);
  return attached.length === 0 ? json : [json, Uint8Array.of(END_OF_JSON), ...attached];
}

/**
 * Makes the records of a state bit by bit, each small: one for each user, snapshot and picture, one
 * for each branch of the tree of which values are kept. Under every configuration they come to the
 * same as the history that they stand for. The state is a value, so they are of one moment while
 * the console goes on.
 */
export function* checkpointRecords(state: State): Generator<RecordBytes> {
  for (const { log } of events.values()) {
    for (const event of log?.checkpoint(state) ?? []) yield encodeRecord([event]);
  }
}

/**
 * Returns the events of a record as they stand in it, in JSON. Throws an `Error` that says why
 * where it is not a record of ours.
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
 * Returns the events that a record brings. Throws an `Error` that says why where this version
 * cannot read it, because a later one wrote it, or because it is none of ours.
 */
export function decodeRecord(record: Uint8Array): ConsoleEvent[] {
  let next = record.indexOf(END_OF_JSON) + 1;
  // It is a copy, since a view would keep all that was read of the log together with it.
  const bytes = (count: number) => record.slice(next, next += count);
  return eventsIn(record).map((written) => {
    const log = events.get(written.type)?.log;
    if (log !== undefined) return log.read(written, bytes) as ConsoleEvent;
    throw new Error(`a record holds "${written.type}", which this version does not know`);
  });
}
