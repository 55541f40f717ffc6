/**
 * A Node process that appends numbered records, as `writer.ts` does in Deno.
 *
 * @module
 */
import { writeSync } from "node:fs";
import process from "node:process";
import { openLog } from "../storage/node-log.ts";
import { writeNumbers } from "./numbers.ts";

const STANDARD_OUTPUT = 1;

await writeNumbers(openLog, process.argv[2]!, (number) => {
  writeSync(STANDARD_OUTPUT, `${number}\n`);
});
