/**
 * Kills a writing process 1,000 times with `kill -9` and checks after each that every acknowledged
 * record is there.
 *
 * ```sh
 * deno run --allow-read --allow-write --allow-run --allow-env bench/crash.ts [--json] [KILLS]
 * ```
 *
 * @module
 */
import { killWriters } from "../tests/crash/kills.ts";
import { print } from "./report.ts";
import { chanceOf, seedOfRun } from "../tests/storage/random.ts";

const count = Number(Deno.args.find((argument) => /^\d+$/.test(argument)) ?? 1000);
const seed = seedOfRun();
print(`FADERD_SEED=${seed}`);
const folder = await Deno.makeTempDir({ prefix: "crash-" });
try {
  const began = performance.now();
  const result = await killWriters(`${folder}/data`, count, chanceOf(seed));
  const seconds = (performance.now() - began) / 1000;
  print(`${result.kills} kills in ${seconds.toFixed(0)} s, nothing lost:`);
  print(`  ${result.acknowledged} records, the last one found after the last kill`);
  print(`  ${result.cut} torn ends cut, ${result.compacted} starts from a checkpoint`);
  if (Deno.args.includes("--json")) print(JSON.stringify({ seed, seconds, ...result }));
} finally {
  await Deno.remove(folder, { recursive: true });
}
