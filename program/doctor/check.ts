/**
 * One check of `faderd doctor`.
 *
 * @module
 */
import type { Configuration, ReadConfiguration } from "../../core/configuration/configuration.ts";
import type { State } from "../../core/state.ts";
import type { Recovered } from "../../storage/recovery.ts";
import type { Address } from "../../transport/server.ts";

/** What a check found: that all is well, something to know, or something that has to be solved. */
export interface Finding {
  readonly state: "well" | "note" | "wrong";
  /** One sentence, which says what was found. */
  readonly says: string;
  /** One sentence, which says what to do. */
  readonly advice?: string | undefined;
}

/** A console as its checks see it. */
export interface Patient {
  readonly data: string;
  /** The configuration file; undefined for the demo console. */
  readonly source: string | undefined;
  /** Whether somebody named that file, so that it need not be the one that was restored. */
  readonly isNamed: boolean;
  readonly read: ReadConfiguration;
  /** The configuration in force; where the file has faults, that of the demo console. */
  readonly configuration: Configuration;
  readonly listen: Address;
  readonly listenTls: Address | undefined;
  /** The programs that the unit lets the service run; undefined where no unit was found. */
  readonly mayRun: readonly string[] | undefined;
  /** What the service says of its health; undefined where none answers. */
  readonly health: Readonly<Record<string, unknown>> | undefined;
  /** The data folder as it was read, where it is there and no service has it. */
  readonly stored:
    | { readonly log: Recovered; readonly state: State; readonly unread: number }
    | undefined;
  /** Why it could not be read. */
  readonly unstored: string | undefined;
  /** Whether a process has the data folder. */
  readonly isInUse: boolean;
}

/** Looks at one part of a console. */
export type Check = (patient: Patient) => Finding | Promise<Finding>;

/** Makes the finding that all is well. */
export function well(says: string): Finding {
  return { state: "well", says };
}

/** Makes a finding that is good to know; the console works all the same. */
export function note(says: string, advice?: string): Finding {
  return { state: "note", says, advice };
}

/** Makes a finding that has to be solved. */
export function wrong(says: string, advice?: string): Finding {
  return { state: "wrong", says, advice };
}
