/**
 * Runs commands of a simulated fleet at length, with one hub and with two in turn, while its links
 * are cut and its parts killed and stopped: `deno task fleet-cuts` (`--states N`, `--seed S --run R`
 * for one run again, `--mutants` for fleets that are wrong on purpose).
 *
 * @module
 */
import { parseArgs } from "@std/cli/parse-args";
import { MUTANTS, tryMutant } from "../tests/fleet/command-mutants.ts";
import { runCommands, STATES } from "../tests/fleet/simulated-commands.ts";
import { print } from "./report.ts";

const given = parseArgs(Deno.args, { string: ["states", "seed", "run"], boolean: ["mutants"] });
const seed = Number(given.seed ?? crypto.getRandomValues(new Uint16Array(1))[0]);
const runs = Math.ceil(Number(given.states ?? 100_000) / STATES);
const [from, to] = given.run === undefined ? [0, runs] : [Number(given.run), Number(given.run) + 1];

if (given.mutants) {
  for (const mutant of MUTANTS) {
    const found = await tryMutant(mutant, { seed, runs });
    const outcome = found === undefined
      ? "NOT FOUND"
      : `after ${found.states} states: ${found.why}`;
    print(`a fleet ${mutant.what}: ${outcome}`);
  }
  Deno.exit();
}

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
