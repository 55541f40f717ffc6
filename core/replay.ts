/**
 * What a start finds: the state that the records of a store come to.
 *
 * @module
 */
import type { Configuration } from "./configuration/configuration.ts";
import { documentHash, liveValues, reconfigured } from "./configuration/reconfigure.ts";
import { hourmeterOf } from "./general.ts";
import { decodeRecord, fitEvent } from "./record.ts";
import { initialState, reduce, type State } from "./state.ts";
import { allSourceLabels, treeChanged } from "./tree/change.ts";

/** Records on their way into a state. */
export interface Replay {
  /**
   * Takes the next record, oldest first; nothing of its bytes is held afterwards. Throws an `Error`
   * that says why where this version cannot read it.
   */
  take(record: Uint8Array): void;
  /** The state that all records came to. */
  end(): State;
}

/**
 * Begins to replay a store under a configuration, record by record, so that a long log is never in
 * memory as a whole.
 *
 * @example
 * ```ts
 * const replay = beginReplay(configuration);
 * for (const record of records) replay.take(record);
 * const console = createConsole({ ...ports, state: replay.end() });
 * ```
 */
export function beginReplay(configuration: Configuration): Replay {
  let state = initialState(configuration);
  return {
    take(record) {
      for (const event of decodeRecord(record)) state = reduce(state, fitEvent(state, event));
    },
    end() {
      state = withConfiguration(state, configuration);
      const labels = allSourceLabels(state);
      if (labels !== undefined) state = reduce(state, treeChanged(state, labels, false));
      const hours = hourmeterOf(state);
      return { ...state, hours: { before: hours, kept: hours }, staged: new Map() };
    },
  };
}

/**
 * The file of a start is right, unless it is one that a restored configuration was to replace
 * and could not, as the program was cut off or the file could not be written.
 */
function withConfiguration(state: State, file: Configuration): State {
  const hash = documentHash(file.written);
  const inForce = state.configuration;
  if (state.unwritten?.replaces.includes(hash) || documentHash(inForce.written) === hash) {
    return state;
  }
  return { ...reconfigured(state, file, liveValues(state)), unwritten: undefined };
}
