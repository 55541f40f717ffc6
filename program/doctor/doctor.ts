/**
 * `faderd doctor`: checks everything that a console needs, and says what is well and what to do.
 *
 * @module
 */
import { reasonOf } from "../../core/errors.ts";
import type { Given } from "../command-line.ts";
import { Failure } from "../failure.ts";
import { print, printJson } from "../print.ts";
import { type Finding, wrong } from "./check.ts";
import { checks } from "./checks.ts";
import { patientOf } from "./patient.ts";

/** Prints the finding of each check; throws {@link Failure} if a problem has to be solved. */
export async function doctor(given: Given): Promise<void> {
  const patient = await patientOf(given);
  const found: (Finding & { readonly check: string })[] = [];
  for (const [name, check] of Object.entries(checks)) {
    // A check that fails must not hide the findings of other checks.
    const finding = await Promise.resolve(patient).then(check)
      .catch((fault) => wrong(`it could not be looked at: ${reasonOf(fault)}`));
    found.push({ check: name, ...finding });
  }
  const bad = found.filter(({ state }) => state === "wrong").map(({ check }) => check);
  if (given.has("json")) {
    const list = found.map(({ check, state, says, advice = null }) => ({
      check,
      state,
      says,
      advice,
    }));
    const { data, source = null } = patient;
    printJson({ well: bad.length === 0, data, configuration: source, checks: list });
  } else {
    const width = Math.max(...found.map(({ check }) => check.length));
    for (const { check, state, says, advice } of found) {
      print(`${state.padEnd(5)}  ${check.padEnd(width)}  ${says}`);
      if (advice !== undefined) print(`${" ".repeat(7 + width)}  > ${advice}`);
    }
  }
  if (bad.length > 0) throw new Failure(`not well: ${bad.join(", ")}`);
}
