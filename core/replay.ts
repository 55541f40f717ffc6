/**
 * Replays the records of a store at a start, to get the state that they result in.
 *
 * @module
 */
import type { Configuration } from "./configuration/configuration.ts";
import { demoConfiguration } from "./configuration/demo.ts";
import { documentHash, reconfigured, withStored } from "./configuration/reconfigure.ts";
import type { Own } from "./event.ts";
import { type ConsoleEvent, events, reduce } from "./events.ts";
import { hourmeterOf } from "./general.ts";
import { atOnce } from "./cooperative-scheduler.ts";
import { createRecordReader } from "./record-reader.ts";
import { initialState, type State } from "./state.ts";
import { prepareConfiguration } from "./tree/build.ts";

/** A replay reads records into a state. */
export interface Replay {
  /**
   * Reads the next record, the oldest first; its bytes are not held afterwards. Throws an `Error`
   * with the reason if this version cannot read it.
   */
  read(record: Uint8Array): void;
  /** Returns the state after all records. */
  end(): State;
}

/**
 * Begins to replay a store under a configuration, record by record, so that a long log is never in
 * memory as a whole.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { initialState, openMemoryLog, readConfiguration } from "faderd";
 *
 * const read = readConfiguration({ mixers: [{ faders: 8 }] });
 * if ("faults" in read) throw new Error("the configuration has faults");
 *
 * const replay = beginReplay(read.configuration);
 * await openMemoryLog({ replay: (record) => replay.read(record) });
 * assertEquals(replay.end(), initialState(read.configuration)); // nothing has happened yet
 * ```
 */
export function beginReplay(configuration: Configuration): Replay {
  let state = initialState(configuration);
  let own = ownOf(state);
  state = { ...state, ...own };

  const eventsIn = createRecordReader();

  function read(event: ConsoleEvent): void {
    const { change } = events.get(event.type)!;
    if (change !== undefined) return change(own, event);
    state = reduce(state, event);
    if (state.snapshots === own.snapshots && state.stored === own.stored) return;
    own = ownOf(state);
    state = { ...state, ...own };
  }

  return {
    read: (record) => eventsIn(record).forEach(read),
    end() {
      state = withConfiguration(state, configuration);
      return { ...state, hours: hourmeterOf(state), staged: new Map() };
    },
  };
}

/**
 * Returns copies of the parts that the replay changes in place: nobody else sees them until the
 * end.
 */
function ownOf({ snapshots, stored }: State): Own {
  return { snapshots: new Map(snapshots), stored: structuredClone(stored) };
}

/**
 * Decides which configuration a start has. The file is authoritative, unless a restored
 * configuration was to replace it and could not, because the program was cut off or the file could
 * not be written. The demo console has no file, so a restored configuration takes precedence over
 * it.
 */
function withConfiguration(state: State, file: Configuration): State {
  const { configuration, replaces } = state;
  if (configuration === file) return withStored(state);
  const hash = documentHash(file.written);
  const waits = replaces !== undefined &&
    [...replaces, documentHash(demoConfiguration)].includes(hash);
  return waits || documentHash(configuration.written) === hash
    ? withStored(state)
    : { ...reconfigured(state, atOnce(prepareConfiguration(file))), replaces: undefined };
}
