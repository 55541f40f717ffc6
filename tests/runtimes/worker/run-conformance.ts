/**
 * Runs a source of tests in workerd, for `deno task conformance`; the last line that it prints is a
 * `Verdict` of `tests/runtimes/run-tests.ts`.
 *
 * @module
 */
import { print, warn } from "../../../program/print.ts";
import type { Outcomes } from "../run-in-worker.ts";
import type { Verdict } from "../run-tests.ts";
import { askWorker, WORKERD, workerOf } from "./workerd.ts";

const [source] = Deno.args;
const answer = await askWorker(await workerOf(source!));
const { passed, failures }: Outcomes = await answer.json();
for (const failure of failures) warn(`FAILED ${failure}`);
const verdict: Verdict = { passed, failed: failures.length, runtime: `workerd ${WORKERD}` };
print(JSON.stringify(verdict));
Deno.exit(failures.length === 0 ? 0 : 1);
