import type { Outcome } from "../../core/command.ts";
import { claimPaths, engineRefusal, EVERYTHING, isEngine } from "../../core/engines/claim.ts";
import { refuse } from "../../core/errors.ts";
import { shown } from "../../core/shown.ts";
import { parsePath, type Path } from "../../core/tree/tree.ts";
import { pathRefusal } from "../control-api/envelope.ts";
import type { Caller, Method } from "../control-api/method.ts";

/**
 * An engine claims paths, below which it reports: those of `paths`, or without that everything. An
 * empty list gives back what it had claimed.
 */
export const engine: Method = {
  asks: ({ paths }) => ({ call: "engine", target: paths }),
  answer({ paths }, caller) {
    if (paths === undefined) return claim(caller, [EVERYTHING]);
    if (!Array.isArray(paths)) {
      return refuse("invalidParameter", `expected a list of paths, got ${shown(paths)}`, "paths");
    }
    for (const path of paths) {
      if (typeof path !== "string") {
        return refuse("invalidParameter", `expected texts, got ${shown(path)}`, "paths");
      }
      const tooLong = pathRefusal(path);
      if (tooLong !== undefined) return tooLong;
    }
    return claim(caller, paths.map(parsePath));
  },
};

/** Claims paths for the caller, who has to be an engine. */
export function claim(
  { console, actor }: Caller,
  paths: readonly Path[],
): Outcome<undefined> | Promise<Outcome<undefined>> {
  const { user } = actor;
  if (!isEngine(user)) return engineRefusal(user);
  return console.dispatch(claimPaths(user, paths), { ...actor, asEngine: true });
}
