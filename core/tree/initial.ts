/**
 * The control tree of a console before anything has happened.
 *
 * @module
 */
import type { Pacer } from "../ports.ts";
import type { Configuration } from "../configuration/configuration.ts";
import { largestSnapshotBytes } from "../snapshots/largest.ts";
import { build, type Built, type Ranges } from "./build.ts";
import type { Definition } from "./leaf.ts";
import type { Branch } from "./patch.ts";
import { nodeTable } from "./table.ts";

/** What a configuration makes. */
export interface Initial {
  readonly tree: Branch;
  readonly ranges: Ranges;
  /** The most bytes that the `snapshotdata` of a part of it can have. */
  readonly snapshotBytes: number;
}

const prepared = new WeakMap<Configuration, Initial>();

/** The tree as a configuration makes it, `range` included. */
export function initialTree(configuration: Configuration): Initial {
  return prepared.get(configuration) ?? assembled(build(nodeTable(configuration)));
}

/** Builds the tree ahead, a mixer in each turn of the event loop: then `initialTree` costs nothing. */
export async function prepareTree(
  configuration: Configuration,
  pacer: Pacer,
): Promise<void> {
  const table = nodeTable(configuration);
  const known = new Map<Definition, Built>();
  for (const mixer of Object.values(table.audio.mixers)) {
    build(mixer, known);
    await pacer.pause();
  }
  prepared.set(configuration, assembled(build(table, known)));
}

function assembled({ values, ranges }: Built): Initial {
  const tree = { ...values, range: ranges as Branch };
  return { tree, ranges, snapshotBytes: largestSnapshotBytes(ranges) };
}
