/**
 * Cuts the power of the service, on a simulated disk, in a given number of states, and checks each
 * time that all acknowledged changes are there, and no refused one.
 *
 * ```sh
 * deno task cuts                         # 1,000,000 states
 * deno task cuts --states N --minutes M  # that many, or for that long
 * deno task cuts --seed S --state N      # one state again, as it was
 * deno task cuts --mutants               # the log without one sync: after how many states it shows
 * ```
 *
 * With `--json` the last line is one object with the results.
 *
 * @module
 */
import { parseArgs } from "@std/cli/parse-args";
import { type Mutant, survey, tryMutant } from "../tests/cuts/mutants.ts";
import { statesOf } from "../tests/cuts/states.ts";
import { print } from "./report.ts";

const STATES = 1_000_000;
const MINUTE_MS = 60_000;
/** Interval of the progress lines, in ms. */
const SAY_MS = 10_000;
/** Maximum number of wrong states that are printed in full. */
const TOLD = 20;
/**
 * Maximum number of states for one mutant, and number of states in which all sites are looked for.
 */
const MUTANT_STATES = 4000;
const SURVEY_STATES = 1500;

const options = parseArgs(Deno.args, {
  string: ["states", "minutes", "seed", "state"],
  boolean: ["json", "mutants"],
});
const seed = Number(options.seed ?? crypto.getRandomValues(new Uint32Array(1))[0]);
const from = Number(options.state ?? 0);
const states = Number(options.states ?? (options.state === undefined ? STATES : 1));
const until = performance.now() + Number(options.minutes ?? Infinity) * MINUTE_MS;

const result = options.mutants ? await tryMutants() : await cutPower();
if (options.json) print(JSON.stringify(result));
if (result.wrong > 0) Deno.exitCode = 1;

/** Checks the states; returns the number of each kind, of injected faults and of wrong states. */
async function cutPower() {
  const failed = new Map<string, number>();
  const kinds = { cut: 0, "second cut": 0, repair: 0, run: 0 };
  let done = 0;
  let wrong = 0;
  const began = performance.now();
  let saidAt = began;
  print(`${states} states from ${from} on, --seed ${seed}`);
  for await (const { state, kind, fault } of statesOf({ seed, from, to: from + states }, failed)) {
    done += 1;
    kinds[kind] += 1;
    if (fault !== undefined) {
      wrong += 1;
      if (wrong <= TOLD) print(`--seed ${seed} --state ${state}: ${told(fault)}`);
    }
    const now = performance.now();
    if (now > until) break;
    if (now - saidAt < SAY_MS) continue;
    saidAt = now;
    print(`${done} states, ${Math.round((now - began) / 1000)} s, ${wrong} of them wrong`);
  }
  const seconds = Math.round((performance.now() - began) / 1000);
  print(
    `${done} states in ${seconds} s, ${wrong} of them wrong: ${kinds.cut} cuts, ` +
      `${kinds["second cut"]} with a second one in the start, ${kinds.repair} repairs`,
  );
  const faults = Object.fromEntries([...failed].sort());
  print(`operations made to fail: ${JSON.stringify(faults)}`);
  return { seed, states: done, seconds, wrong, kinds, faults };
}

/**
 * Prints a table of mutants; returns them. People have to examine the mutants that are not caught.
 */
async function tryMutants() {
  print(`the log without the syncs of one line each, --seed ${seed}`);
  const { sites, unseen } = await survey(seed, SURVEY_STATES);
  for (const line of unseen) print(`${line.padEnd(48)} never asked for`);
  const mutants: Mutant[] = [];
  for (const site of sites) {
    const mutant = await tryMutant(site, { seed, most: MUTANT_STATES });
    const { caughtAfter } = mutant;
    mutants.push(mutant);
    const outcome = caughtAfter === undefined
      ? `not caught in ${MUTANT_STATES} states`
      : `caught after ${caughtAfter}`;
    print(`${site.padEnd(48)} ${outcome}`);
  }
  return { seed, wrong: unseen.length, mutants, unseen };
}

function told(fault: unknown): string {
  return fault instanceof Error ? fault.stack ?? fault.message : String(fault);
}
