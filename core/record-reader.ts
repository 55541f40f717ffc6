/**
 * Reads many records: a start may read a million of them, mostly of values that were set
 * repeatedly.
 *
 * @module
 */
import type { ConsoleEvent } from "./events.ts";
import { decodeRecord } from "./record.ts";
import { isBranch, type Leaf, type Patch } from "./tree/tree.ts";

/** Maximum size in bytes of a record that is compared with known records. */
const LONGEST = 512;
/** Maximum number of known records. */
const MOST_PLACES = 4096;

/** A known record of one value, which serves as a pattern for records with another value. */
interface Place {
  readonly events: readonly ConsoleEvent[];
  /** The branch of the event in which the value is a member. */
  readonly branch: Record<string, Leaf>;
  readonly member: string;
  /** The text of the record after the value. */
  readonly ending: string;
}

/**
 * Makes a reader with the results of {@link decodeRecord}, each valid until the next record is
 * read. Most of the time of a start is spent on parsing JSON. So if a record differs from an
 * earlier one in its value alone, only the value is parsed, and put into the earlier events.
 */
export function createRecordReader(): (record: Uint8Array) => readonly ConsoleEvent[] {
  const places = new Map<string, Place>();
  const decoder = new TextDecoder();

  return (record) => {
    if (record.length > LONGEST) return decodeRecord(record);
    const text = decoder.decode(record);
    const [start, end] = lastValue(text);
    const beginning = text.slice(0, start);
    const value = parsed(text.slice(start, end));
    const ending = text.slice(end);
    const place = places.get(beginning);
    if (value !== undefined && place?.ending === ending) {
      place.branch[place.member] = value;
      return place.events;
    }
    const events = decodeRecord(record);
    const found = onlyValue(events);
    if (found !== undefined && found.branch[found.member] === value) {
      if (places.size === MOST_PLACES) places.clear();
      places.set(beginning, { ...found, events, ending });
    }
    return events;
  };
}

/** Returns the offsets of the start and the end of the last number, boolean or text in JSON. */
function lastValue(json: string): [number, number] {
  let end = json.length;
  while (json[end - 1] === "}" || json[end - 1] === "]") end--;
  // A quote within a text follows a backslash, so a quote that follows a colon begins the text.
  const start = json[end - 1] === '"'
    ? json.lastIndexOf(':"', end - 3)
    : json.lastIndexOf(":", end - 1);
  return [start + 1, end];
}

function parsed(json: string): Leaf | undefined {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

/** Returns the place of the value in events that only store one value. */
function onlyValue(events: readonly ConsoleEvent[]): Pick<Place, "branch" | "member"> | undefined {
  const [event] = events;
  if (events.length > 1 || event?.type !== "valueskept") return undefined;
  let branch = event.patch;
  for (;;) {
    const [member, another] = Object.keys(branch);
    if (member === undefined || another !== undefined) return undefined;
    const value = branch[member]!;
    if (!isBranch(value)) return { branch: branch as Record<string, Leaf>, member };
    branch = value as Patch;
  }
}
