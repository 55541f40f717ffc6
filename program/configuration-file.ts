/**
 * The configuration that the command line names.
 *
 * @module
 */
import { type Configuration, readConfiguration } from "../core/configuration/configuration.ts";
import { demoConfiguration } from "../core/configuration/demo.ts";
import { Failure } from "./failure.ts";
import { reasonOf } from "./print.ts";

/** Reads a configuration file, or gives the demo console without one; throws {@link Failure}. */
export function loadConfiguration(file: string | undefined): Configuration {
  const read = readConfiguration(file === undefined ? demoConfiguration : parseFile(file));
  if ("configuration" in read) return read.configuration;
  const faults = read.faults.map(({ path, reason }) => `  ${path}: ${reason}`);
  throw new Failure(
    [`${file ?? "the demo console"} is no valid configuration:`, ...faults].join("\n"),
  );
}

function parseFile(file: string): unknown {
  let text: string;
  try {
    text = Deno.readTextFileSync(file).replace(/^\ufeff/, "");
  } catch (fault) {
    throw new Failure(`${file} cannot be read: ${reasonOf(fault)}`);
  }
  try {
    return JSON.parse(text);
  } catch (fault) {
    throw new Failure(`${file} is no JSON: ${reasonOf(fault)}`);
  }
}
