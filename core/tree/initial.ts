/**
 * The control tree of a console before anything has happened.
 *
 * @module
 */
import type { Configuration } from "../configuration/configuration.ts";
import { build, type Ranges } from "./build.ts";
import type { Branch } from "./patch.ts";
import { nodeTable } from "./table.ts";

/** The tree as a configuration makes it, `range` included. */
export function initialTree(
  configuration: Configuration,
): { readonly tree: Branch; readonly ranges: Ranges } {
  const { values, ranges } = build(nodeTable(configuration));
  return { tree: { ...values, range: ranges as Branch }, ranges };
}
