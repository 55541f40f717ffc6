/**
 * How large a snapshot of a console can be.
 *
 * @module
 */
import { SNAPSHOT_NAME_LENGTH } from "../limits.ts";
import { isLeafDefinition, type LeafDefinition, type Ranges } from "../tree/leaf.ts";

/** What a character may take in UTF-8, or escaped in JSON. */
const BYTES_OF_CHARACTER = 4;
/** `-1.2345678901234567e-100` */
const BYTES_OF_NUMBER = 24;
const BYTES_OF_BOOLEAN = 5;
/** Quotes, colon and comma about a member. */
const BYTES_ABOUT_MEMBER = 4;
/** All of `snapshotdata` but its content and its name. */
const BYTES_OF_ATTRIBUTES = 512;

/** The most bytes that `snapshotdata` of one mixer, fader or flex processing can have, as JSON. */
export function largestSnapshotBytes({ audio = {} }: Ranges): number {
  const { mixers = {}, flexprocessings = {} } = audio as Readonly<Record<string, Ranges>>;
  const known = new Map<Ranges, number>();
  const contents = [...Object.values(mixers), ...Object.values(flexprocessings)]
    .map((part) => bytesOf(part as Ranges, known));
  return BYTES_OF_ATTRIBUTES + SNAPSHOT_NAME_LENGTH.max * BYTES_OF_CHARACTER +
    Math.max(0, ...contents);
}

/** Faders share the ranges of their processing: what is `known` is not counted again. */
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
