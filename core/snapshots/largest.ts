/**
 * Works out how large a snapshot of a console can be, so that one message can hold any.
 *
 * @module
 */
import { SNAPSHOT_NAME_LENGTH } from "../limits.ts";
import { isLeafDefinition, type LeafDefinition, type Ranges } from "../tree/leaf.ts";

/** Maximum size of a character in UTF-8, or escaped in JSON, in bytes. */
const BYTES_OF_CHARACTER = 4;
/** Maximum size of a number in bytes: that of `-1.2345678901234567e-100`. */
const BYTES_OF_NUMBER = 24;
const BYTES_OF_BOOLEAN = 5;
/** Size of the quotes, the colon and the comma of a member, in bytes. */
const BYTES_ABOUT_MEMBER = 4;
/** Upper bound of the size of `snapshotdata` without its content and its name, in bytes. */
const BYTES_OF_ATTRIBUTES = 512;

/** Upper bound of the number of values of `snapshotdata` without its content. */
const VALUES_OF_ATTRIBUTES = 16;

/** The size of a value as JSON. */
interface Size {
  readonly bytes: number;
  readonly values: number;
}

/**
 * Returns the maximum number of bytes and of values that the `snapshotdata` of a mixer, fader or
 * flex processing can have, as JSON.
 */
export function largestSnapshot({ audio = {} }: Ranges) {
  const { mixers = {}, flexprocessings = {} } = audio as Readonly<Record<string, Ranges>>;
  const known = new Map<Ranges, Size>();
  const contents = [...Object.values(mixers), ...Object.values(flexprocessings)]
    .map((part) => sizeOf(part as Ranges, known));
  return {
    snapshotBytes: BYTES_OF_ATTRIBUTES + SNAPSHOT_NAME_LENGTH.max * BYTES_OF_CHARACTER +
      Math.max(0, ...contents.map(({ bytes }) => bytes)),
    snapshotValues: VALUES_OF_ATTRIBUTES + Math.max(0, ...contents.map(({ values }) => values)),
  };
}

/**
 * Measures a branch. Faders share the ranges of their processing, so branches in `known` are not
 * measured again.
 */
function sizeOf(ranges: Ranges, known: Map<Ranges, Size>): Size {
  const before = known.get(ranges);
  if (before !== undefined) return before;
  let bytes = 2;
  let values = 1;
  for (const [member, node] of Object.entries(ranges)) {
    const of = isLeafDefinition(node)
      ? { bytes: bytesOfLeaf(node), values: 1 }
      : sizeOf(node, known);
    bytes += member.length + BYTES_ABOUT_MEMBER + of.bytes;
    values += of.values;
  }
  const size = { bytes, values };
  known.set(ranges, size);
  return size;
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
