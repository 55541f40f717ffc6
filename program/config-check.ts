/**
 * `faderd config check`: checks whether a configuration is valid, and lists every fault of it.
 *
 * @module
 */
import { remarksOn } from "../core/configuration/remarks.ts";
import type { Given } from "./command-line.ts";
import { invalid, readToServe } from "./configuration-file.ts";
import { print, printJson } from "./print.ts";

/**
 * Prints a summary of a configuration; throws {@link Failure} with the faults if it is not valid.
 */
export function checkConfiguration(given: Given): void {
  const file = given.get("file")!;
  const isJson = given.has("json");
  const read = readToServe(file);
  if ("faults" in read) {
    if (isJson) printJson({ file, valid: false, faults: read.faults });
    throw invalid(file, read.faults);
  }
  const { configuration } = read;
  const { device, mixers } = configuration;
  const faders = mixers.reduce((sum, mixer) => sum + mixer.faders.length, 0);
  const remarks = remarksOn(configuration);
  if (isJson) {
    const made = { device: device.name, mixers: mixers.length, faders };
    return printJson({ file, valid: true, faults: [], ...made, remarks });
  }
  print(`${file} is valid: device ${device.name}, mixers: ${mixers.length}, faders: ${faders}`);
  for (const remark of remarks) print(remark);
}
