import { type EventDefinition, nothing, plainJson, tellsNothing } from "../event.ts";
import type { State } from "../state.ts";

/**
 * The restored configuration was written to the configuration file, which is authoritative again.
 */
export interface ConfigurationWritten {
  readonly type: "configurationwritten";
}

/** The event is durable. */
export const configurationwritten: EventDefinition<ConfigurationWritten> = {
  reduce: (state): State => ({ ...state, replaces: undefined }),
  log: { ...plainJson, ifNotStored: "refused", checkpoint: nothing },
  tell: tellsNothing,
};
