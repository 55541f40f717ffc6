/**
 * Where the console is that a command means, and how its service is started: what the command line
 * says, else what the unit of the Debian package does.
 *
 * @module
 */
import type { Given } from "./command-line.ts";
import { type UnitDefaults, unitDefaults } from "./unit-defaults.ts";

/** The data folder where nothing else is said. */
const DATA = "./data";

/** Where a console is. */
export interface Place {
  readonly data: string;
  /** The configuration file that is named; undefined: the one in the data folder, if any. */
  readonly config: string | undefined;
  /** The unit that is meant, where one is. */
  readonly unit: UnitDefaults | undefined;
}

/**
 * Finds the console. The unit is meant where its file is named with `--defaults`, or where the
 * command line names nothing, there is no data here, and a package is installed.
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
