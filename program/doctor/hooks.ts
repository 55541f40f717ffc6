import { type Check, note, well, wrong } from "./check.ts";

/** Bits of the mode of a file: write permissions of others than its owner. */
const WRITTEN_BY_OTHERS = 0o022;

/** Checks whether `hooks.applied` can be run, and nobody can put another program in its place. */
export const hooks: Check = ({ configuration: { hooks: { applied } }, read, mayRun }) => {
  if ("faults" in read) {
    const fault = read.faults.find(({ path }) => path === "hooks.applied");
    return fault === undefined
      ? note("the configuration is not valid")
      : wrong(fault.reason, "correct hooks.applied in the configuration");
  }
  if (applied === undefined) return well("there are none");
  const { mode } = Deno.statSync(applied);
  if (((mode ?? 0) & WRITTEN_BY_OTHERS) !== 0) {
    return wrong(`${applied} can be written to by others than its owner`, `chmod go-w ${applied}`);
  }
  if (mayRun !== undefined && !mayRun.includes(applied)) {
    return wrong(
      `the service may not run ${applied}`,
      `add it to --allow-run of FADERD_PERMISSIONS in /etc/default/faderd`,
    );
  }
  return well(`${applied} can be run`);
};
