/**
 * Runs the fuzzers at length: `deno task fuzz`. It prints the seed with which it begins; a failure
 * prints the seed and the path that repeat it: `deno task fuzz --only messages --seed=S --path=P`.
 *
 * @module
 */
import { parseArgs } from "@std/cli/parse-args";
import { fuzz, type FuzzerName, fuzzers } from "../tests/fuzz/fuzzers.ts";

const CASES = 1_000_000;
/** Number of cases between two reports of progress, each with a seed of its own. */
const AT_ONCE = 20_000;

const options = parseArgs(Deno.args, { string: ["cases", "seed", "path", "only"] });
const cases = Number(options.cases ?? CASES);
const first = Number(options.seed ?? crypto.getRandomValues(new Int32Array(1))[0]);
const names = (Object.keys(fuzzers) as FuzzerName[])
  .filter((name) => options.only === undefined || options.only === name);

function print(line: string): void {
  Deno.stdout.writeSync(new TextEncoder().encode(`${line}\n`));
}

if (options.path !== undefined) {
  for (const name of names) await fuzz(name, cases, { seed: first, path: options.path });
  print("it does not fail any more");
} else {
  print(`${cases} cases from seed ${first} on`);
  const from = performance.now();
  for (let done = 0, seed = first; done < cases; done += AT_ONCE, seed = seed + 1 | 0) {
    for (const name of names) await fuzz(name, Math.min(AT_ONCE, cases - done), { seed });
    const seconds = Math.round((performance.now() - from) / 1000);
    print(`${Math.min(done + AT_ONCE, cases)} cases, seed ${seed}, ${seconds} s: nothing failed`);
  }
}
