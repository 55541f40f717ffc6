import type { Command } from "../command.ts";
import { unknownPaths } from "./unknown.ts";

/**
 * Drops the stored values of resources that the configuration in force does not have; returns their
 * paths.
 */
export const dropUnknown: Command<readonly string[]> = (state) => ({
  events: [{ type: "unknowndropped" }],
  result: unknownPaths(state),
});
