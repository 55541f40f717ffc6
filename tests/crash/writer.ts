/**
 * A process of Deno that appends numbered records, prints each number once it is acknowledged, and
 * goes on until it is killed: `writer.ts FOLDER`.
 *
 * @module
 */
import { openLog } from "../../runtimes/deno/log.ts";
import { writeNumbers } from "./numbers.ts";

const encoder = new TextEncoder();

await writeNumbers(openLog, Deno.args[0]!, (number) => {
  Deno.stdout.writeSync(encoder.encode(`${number}\n`));
});
