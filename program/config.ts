/**
 * `faderd config check|schema`.
 *
 * @module
 */
import { configurationSchema } from "../core/configuration/schema.ts";
import { loadConfiguration } from "./configuration-file.ts";
import { print } from "./print.ts";

/** Says what a configuration file describes, or throws with every fault of it. */
export function configCheck(file: string): void {
  const { device, mixers } = loadConfiguration(file);
  const faders = mixers.reduce((sum, mixer) => sum + mixer.faders.length, 0);
  print(`${file} is valid: device ${device.name}, mixers: ${mixers.length}, faders: ${faders}`);
}

/** Prints the JSON Schema of configuration files. */
export async function configSchema(): Promise<void> {
  const { toJsonSchema } = await import("@valibot/to-json-schema");
  const schema = toJsonSchema(configurationSchema, { typeMode: "input", errorMode: "ignore" });
  print(JSON.stringify({ title: "faderd configuration", ...schema }, null, 2));
}
