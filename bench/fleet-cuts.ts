/**
 * Runs commands of a simulated fleet at length, while its links are cut and its parts killed and
 * stopped: `deno task fleet-cuts` (`--states N`, `--seed S --run R` for one run again).
 *
 * @module
 */
import { parseArgs } from "@std/cli/parse-args";
import { runCommands, STATES } from "../tests/fleet/simulated-commands.ts";
import { print } from "./report.ts";

const given = parseArgs(Deno.args, { string: ["states", "seed", "run"] });
const seed = Number(given.seed ?? crypto.getRandomValues(new Uint16Array(1))[0]);
const runs = Math.ceil(Number(given.states ?? 100_000) / STATES);
const [from, to] = given.run === undefined ? [0, runs] : [Number(given.run), Number(given.run) + 1];

let commands = 0;
for (let run = from; run < to; run++) {
  try {
    commands += await runCommands(seed, run);
  } catch (fault) {
    print(`wrong: deno task fleet-cuts --seed ${seed} --run ${run}`);
    throw fault;
  }
}
print(
  `${commands} commands in ${(to - from) * STATES} states of seed ${seed}: none lost, none twice`,
);
