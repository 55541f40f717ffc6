/**
 * Works out how large a snapshot of a console can be, so that one message can hold any.
 *
 * @module
 */
import { SNAPSHOT_NAME_LENGTH } from "../limits.ts";
import { isLeafDefinition, type LeafDefinition, type Ranges } from "../tree/leaf.ts";

/** A character takes at most so much in UTF-8, or escaped in JSON. */
const BYTES_OF_CHARACTER = 4;
/** A number takes at most so much: `-1.2345678901234567e-100`. */
const BYTES_OF_NUMBER = 24;
const BYTES_OF_BOOLEAN = 5;
/** A member takes so much for its quotes, its colon and its comma. */
const BYTES_ABOUT_MEMBER = 4;
/** All of `snapshotdata` but its content and its name takes less than this. */
const BYTES_OF_ATTRIBUTES = 512;

/**
 * Answers the most bytes that the `snapshotdata` of one mixer, fader or flex processing can have,
 * as JSON.
 */
export function largestSnapshotBytes({ audio = {} }: Ranges): number {
  const { mixers = {}, flexprocessings = {} } = audio as Readonly<Record<string, Ranges>>;
  const known = new Map<Ranges, number>();
  const contents = [...Object.values(mixers), ...Object.values(flexprocessings)]
    .map((part) => bytesOf(part as Ranges, known));
  return BYTES_OF_ATTRIBUTES + SNAPSHOT_NAME_LENGTH.max * BYTES_OF_CHARACTER +
    Math.max(0, ...contents);
}

/**
 * Counts the bytes of a branch. Faders share the ranges of their processing, so what is `known` is
 * not counted again.
 */
function bytesOf(ranges: Ranges, known: Map<Ranges, number>): number {
  const before = known.get(ranges);
  if (before !== undefined) return before;
  let bytes = 2;
  for (const [member, node] of Object.entries(ranges)) {
    bytes += member.length + BYTES_ABOUT_MEMBER;
    bytes += isLeafDefinition(node) ? bytesOfLeaf(node) : bytesOf(node, known);
  }
  known.set(ranges, bytes);
  return bytes;
}

function bytesOfLeaf(leaf: LeafDefinition): number {
  switch (leaf.type) {
    case "number":
      return BYTES_OF_NUMBER;
    case "boolean":
      return BYTES_OF_BOOLEAN;
    case "string":
      return 2 + leaf.max * BYTES_OF_CHARACTER;
  }
}
