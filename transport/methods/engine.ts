import * as v from "valibot";
import type { Outcome } from "../../core/command.ts";
import {
  claimPaths,
  engineRefusal,
  EVERYTHING,
  isEngine,
  webSocketOnly,
} from "../../core/engines/claim.ts";
import { isRefusal } from "../../core/errors.ts";
import { ENGINE_PATHS } from "../../core/limits.ts";
import { parsePath, type Path } from "../../core/tree/tree.ts";
import type { Caller, Method } from "../control-api/method.ts";
import { readParameters } from "../parameters.ts";
import { treePath } from "../schemas.ts";

const parameters = v.object({
  paths: v.optional(v.pipe(
    v.array(treePath, "a list of paths"),
    // The console refuses more paths with 11, not with 3: this maximum is for the published schema.
    v.metadata({
      maxItems: ENGINE_PATHS,
      description: "The paths that it claims; without them, everything.",
    }),
  )),
});

/**
 * Claims the paths at and below which an engine reports: those of `paths`, or everything without
 * it. An empty list ends its claims.
 */
export const engine: Method = {
  parameters,
  asks: ({ paths }) => ({ call: "engine", target: paths }),
  answer(request, caller) {
    if (caller.connection === undefined) return webSocketOnly();
    const read = readParameters(parameters, { ...request });
    if (isRefusal(read)) return read;
    return claim(caller, read.paths?.map(parsePath) ?? [EVERYTHING]);
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
