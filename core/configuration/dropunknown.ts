import type { Command } from "../command.ts";
import { unknownPaths } from "./unknown.ts";

/** Drops what the configuration in force has no place for; returns where it belonged. */
export const dropUnknown: Command<readonly string[]> = (state) => ({
  events: [{ type: "unknowndropped" }],
  result: unknownPaths(state),
});
