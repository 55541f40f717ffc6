/**
 * Where the console is that a command of the command line refers to: from the options of the
 * command line, or else from the systemd unit of the Debian package, which also has the options
 * with which the service is started.
 *
 * @module
 */
import type { Given } from "./command-line.ts";
import { type UnitDefaults, unitDefaults } from "./unit-defaults.ts";

/** The default data folder. */
const DATA = "./data";

/** The place of a console. */
export interface Place {
  readonly data: string;
  /**
   * The configuration file that an option or the unit names; undefined to use the one in the data
   * folder, if there is one.
   */
  readonly config: string | undefined;
  /** The settings of the systemd unit, if the command refers to its console. */
  readonly unit: UnitDefaults | undefined;
}

/**
 * Finds the console. The settings of the systemd unit are used if `--defaults` names their file, or
 * if neither `--data` nor `--config` is given, the folder `./data` does not exist, and the Debian
 * package is installed (`/etc/default/faderd` exists).
 */
export function placeOf(given: Given): Place {
  const unit = unitOf(given);
  const data = given.get("data") ?? unit?.data ?? DATA;
  return { data, config: given.get("config") ?? unit?.config, unit };
}

function unitOf(given: Given): UnitDefaults | undefined {
  const named = given.get("defaults");
  if (named !== undefined) return unitDefaults(named);
  return given.has("data") || given.has("config") || isFolder(DATA) ? undefined : unitDefaults();
}

/** Says whether a folder is there. */
export function isFolder(path: string): boolean {
  try {
    return Deno.statSync(path).isDirectory;
  } catch {
    return false;
  }
}
