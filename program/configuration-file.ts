/**
 * The configuration that the command line names.
 *
 * @module
 */
import { reasonOf } from "../core/errors.ts";
import {
  type Configuration,
  type ReadConfiguration,
  readConfiguration,
} from "../core/configuration/configuration.ts";
import type { Fault } from "../core/configuration/faults.ts";
import { documentHash } from "../core/configuration/reconfigure.ts";
import { demoConfiguration } from "../core/configuration/demo.ts";
import { shown } from "../core/shown.ts";
import type { WrittenConfiguration } from "../core/configuration/schema.ts";
import { expectOwnData } from "../runtimes/whose-data.ts";
import { Failure } from "./failure.ts";
import { readText } from "./named-file.ts";
import { folderTexts, replaceText } from "./private-file.ts";

/** Advice for somebody who starts the demo console on the data of another console. */
export const NAME_IT = "name its configuration with --config";

/**
 * Reads a configuration file; without one, returns that of the demo console; throws {@link
 * Failure}.
 */
export function loadConfiguration(file: string | undefined): Configuration {
  return expectValid(file, read(file));
}

/**
 * Reads the configuration of a service that is to start, as {@link loadConfiguration} does; throws
 * {@link Failure} also if its program `hooks.applied` does not exist, or is not a program.
 */
export function loadToServe(file: string | undefined): Configuration {
  return expectValid(file, readToServe(file));
}

/** Reads the configuration of a service that is to start, or its faults. */
export function readToServe(file: string | undefined): ReadConfiguration {
  const found = read(file);
  if ("faults" in found) return found;
  const { applied } = found.configuration.hooks;
  const fault = applied === undefined ? undefined : programFault(applied);
  if (fault === undefined) return found;
  const reason = `expected the absolute path of a program that may be run, ${fault}`;
  return { faults: [{ path: "hooks.applied", reason }] };
}

/** Makes the failure of a configuration with faults, which names each. */
export function invalid(file: string | undefined, faults: readonly Fault[]): Failure {
  const named = faults.map(({ path, reason }) => `  ${path}: ${reason}`);
  return new Failure(
    [`${file ?? "the demo console"} is not a valid configuration:`, ...named].join("\n"),
  );
}

function read(file: string | undefined): ReadConfiguration {
  return readConfiguration(file === undefined ? demoConfiguration : parseFile(file));
}

function expectValid(file: string | undefined, read: ReadConfiguration): Configuration {
  if ("configuration" in read) return read.configuration;
  throw invalid(file, read.faults);
}

/** Returns the reason for which the file at a path cannot be run. */
function programFault(path: string): string | undefined {
  if (!path.startsWith("/")) return `got ${shown(path)}`;
  try {
    const { isFile, mode } = Deno.statSync(path);
    if (!isFile) return `${path} is not a file`;
    if (((mode ?? 0) & MAY_RUN) === 0) return `${path} has mode ${(mode! & MODE).toString(8)}`;
  } catch (fault) {
    if (fault instanceof Deno.errors.NotFound) return `${path} is not there`;
    // This process may be able to run a file that it may not read.
  }
  return undefined;
}

const MODE = 0o777;
const MAY_RUN = 0o111;

/**
 * Returns the path of the configuration of a data folder: the file that the command line names, or,
 * if a configuration was restored without such a file, `configuration.json` in the folder.
 */
export function configurationFile(named: string | undefined, data: string): string {
  return named ?? `${data}/configuration.json`;
}

/**
 * Returns the file that the configuration of a data folder is read from; undefined for the demo
 * console.
 */
export function configurationSource(named: string | undefined, data: string): string | undefined {
  const file = configurationFile(named, data);
  return named === undefined && !exists(file) ? undefined : file;
}

/** Reads the configuration of a data folder; throws {@link Failure}. */
export function configurationOf(named: string | undefined, data: string): Configuration {
  return loadConfiguration(configurationSource(named, data));
}

/**
 * Reads the configuration of a data folder as {@link configurationOf} does; throws {@link Failure}
 * also if that is the demo console, and the data is of another console.
 */
export async function ownConfigurationOf(
  named: string | undefined,
  data: string,
): Promise<Configuration> {
  const source = configurationSource(named, data);
  const configuration = loadConfiguration(source);
  if (source === undefined) await expectOwnData(folderTexts(data), configuration, NAME_IT);
  return configuration;
}

/**
 * Replaces the file by a configuration, atomically: at any moment either the old or the new file is
 * there. Rejects if it cannot be written.
 */
export function writeConfiguration(file: string, written: WrittenConfiguration): Promise<void> {
  return replaceText(file, `${JSON.stringify(written, null, 2)}\n`);
}

/** Says whether a file holds a document, in any layout. */
export function isIn(file: string, written: WrittenConfiguration): boolean {
  try {
    return documentHash(parseFile(file) as WrittenConfiguration) === documentHash(written);
  } catch {
    return false;
  }
}

/** Says whether a file is there. */
export function exists(file: string): boolean {
  try {
    return Deno.statSync(file).isFile;
  } catch {
    return false;
  }
}

function parseFile(file: string): unknown {
  const text = readText(file).replace(/^\ufeff/, "");
  try {
    return JSON.parse(text);
  } catch (fault) {
    throw new Failure(`${file} is not JSON: ${reasonOf(fault)}`);
  }
}
