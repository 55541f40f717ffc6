/**
 * The place of the console that a command means, and the options with which its service is started:
 * from the command line, or else from the unit of the Debian package.
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
  /** The named configuration file; undefined for the file in the data folder, if any. */
  readonly config: string | undefined;
  /** The unit, if one is meant. */
  readonly unit: UnitDefaults | undefined;
}

/**
 * Finds the console. The unit is meant if its file is named with `--defaults`, or if the command
 * line names nothing, there is no data here, and a package is installed.
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
