/**
 * One check of `faderd doctor`.
 *
 * @module
 */
import type { Configuration, ReadConfiguration } from "../../core/configuration/configuration.ts";
import type { State } from "../../core/state.ts";
import type { Recovered } from "../../storage/recovery.ts";
import type { Address } from "../../transport/server.ts";

/** The finding of a check: all is well, a fact to know, or a problem that has to be solved. */
export interface Finding {
  readonly state: "well" | "note" | "wrong";
  /** The finding, in one sentence. */
  readonly says: string;
  /** The advice, in one sentence. */
  readonly advice?: string | undefined;
}

/** A console as its checks see it. */
export interface Patient {
  readonly data: string;
  /** The configuration file; undefined for the demo console. */
  readonly source: string | undefined;
  /** Whether somebody named that file, so that it need not be the file that was restored. */
  readonly isNamed: boolean;
  readonly read: ReadConfiguration;
  /** The configuration in force; if the file has faults, the configuration of the demo console. */
  readonly configuration: Configuration;
  readonly listen: Address;
  readonly listenTls: Address | undefined;
  /** The programs that the unit lets the service run; undefined if any, or if no unit was found. */
  readonly mayRun: readonly string[] | undefined;
  /** The health that the service reports; undefined if no service answers. */
  readonly health: Readonly<Record<string, unknown>> | undefined;
  /** The content of the data folder, if it exists and no service uses it. */
  readonly stored:
    | { readonly log: Recovered; readonly state: State; readonly unread: number }
    | undefined;
  /** The reason for which it could not be read. */
  readonly unstored: string | undefined;
  /** Whether a process has the data folder. */
  readonly isInUse: boolean;
}

/** Checks one part of a console. */
export type Check = (patient: Patient) => Finding | Promise<Finding>;

/** Makes the finding that all is well. */
export function well(says: string): Finding {
  return { state: "well", says };
}

/** Makes a finding for information; the console works all the same. */
export function note(says: string, advice?: string): Finding {
  return { state: "note", says, advice };
}

/** Makes the finding of a problem that has to be solved. */
export function wrong(says: string, advice?: string): Finding {
  return { state: "wrong", says, advice };
}
