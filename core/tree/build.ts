/**
 * Builds the control tree of a console, and its `range`, from the node table.
 *
 * @module
 */
import type { Configuration } from "../configuration/configuration.ts";
import type { Steps } from "../ports.ts";
import { largestSnapshot } from "../snapshots/largest.ts";
import {
  type Definition,
  isLeafDefinition,
  isReadOnlyLeaf,
  type LeafDefinition,
  type Ranges,
} from "./leaf.ts";
import { nodeTable } from "./table.ts";
import type { Branch, Tree } from "./tree.ts";

/** A built tree has two halves: the values, and the ranges of the writable ones. */
export interface Built {
  readonly values: Branch;
  readonly ranges: Ranges;
}

/**
 * Builds values and ranges. Parts that stand in the table as one object (the processing of every
 * fader) stay one object in the tree until a change makes them differ, so a console of a thousand
 * faders costs little more memory than one of ten.
 */
export function build(definition: Definition, known = new Map<Definition, Built>()): Built {
  const before = known.get(definition);
  if (before !== undefined) return before;
  const values: Record<string, Tree> = {};
  const ranges: Record<string, LeafDefinition | Ranges> = {};
  for (const [member, node] of Object.entries(definition)) {
    if (isReadOnlyLeaf(node)) {
      values[member] = node.value;
    } else if (isLeafDefinition(node)) {
      values[member] = node.default;
      ranges[member] = node;
    } else {
      const inner = build(node, known);
      values[member] = inner.values;
      if (Object.keys(inner.ranges).length > 0) ranges[member] = inner.ranges;
    }
  }
  // V8 keeps an object that was filled by computed names as a slow dictionary; its spread is a fast
  // object.
  const built = { values: { ...values }, ranges };
  known.set(definition, built);
  return built;
}

/** A configuration with everything that is derived from it, which takes long to compute. */
export interface PreparedConfiguration {
  readonly configuration: Configuration;
  /**
   * The tree that the configuration makes, `range` included. A default snapshot holds it until one
   * is saved.
   */
  readonly initial: Branch;
  /** The range of each writable leaf; `range` of the control tree. */
  readonly ranges: Ranges;
  /** Maximum number of bytes of the `snapshotdata` of a mixer, fader or flex processing. */
  readonly snapshotBytes: number;
  /** Maximum number of its values, including objects. */
  readonly snapshotValues: number;
}

/** Builds the tree of a configuration, a mixer in each step. */
export function* prepareConfiguration(configuration: Configuration): Steps<PreparedConfiguration> {
  const table = nodeTable(configuration);
  const known = new Map<Definition, Built>();
  for (const mixer of Object.values(table.audio.mixers)) {
    build(mixer, known);
    yield;
  }
  const { values, ranges } = build(table, known);
  return {
    configuration,
    initial: { ...values, range: ranges as Branch },
    ranges,
    ...largestSnapshot(ranges),
  };
}
