import { type EventDefinition, nothing, plainJson, tellsNothing } from "../event.ts";
import type { State } from "../state.ts";

/** The restored configuration is in the configuration file: from now on the file is right. */
export interface ConfigurationWritten {
  readonly type: "configurationwritten";
}

/** Durable. */
export const configurationwritten: EventDefinition<ConfigurationWritten> = {
  reduce: (state): State => ({ ...state, replaces: undefined }),
  log: { ...plainJson, ifNotStored: "refused", checkpoint: nothing },
  tell: tellsNothing,
};
