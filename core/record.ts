/**
 * What the log keeps of an event. All durable events of one command are one record, so that a power
 * cut leaves all of them or none.
 *
 * A record is the JSON of a list of events. Where an event has bytes (a picture), the JSON has their
 * number and the bytes follow it, after a zero byte, as they are. A label that was put back to its
 * default is kept as "", so that a new default in the configuration shows through.
 *
 * @module
 */
import type { SnapshotStaged } from "./backup/staged.ts";
import type { SnapshotWritten } from "./snapshots/snapshot.ts";
import type { DurableEvent, State } from "./state.ts";
import { levelsPatch } from "./fades/fade.ts";
import type { RecordBytes } from "./ports.ts";
import type { Ranges } from "./tree/build.ts";
import { fit } from "./tree/fit.ts";
import { isLeafDefinition } from "./tree/leaf.ts";
import { type Branch, isBranch, type Patch, type Tree } from "./tree/patch.ts";

/** Between the JSON of a record and the bytes that belong to it; in JSON it cannot stand. */
const END_OF_JSON = 0;

/**
 * The events that stand in records; the others are kept as changes of the tree. A restore that was given
 * up stands in those of 0.1.
 */
const KNOWN_EVENTS: ReadonlySet<string> = new Set<DurableEvent["type"] | "restoregivenup">([
  "treechanged",
  "snapshotwritten",
  "snapshotmodified",
  "snapshotremoved",
  "userwritten",
  "userremoved",
  "picturewritten",
  "snapshotstaged",
  "restoregivenup",
  "restored",
  "configurationwritten",
]);

/** The bytes of a record; those of pictures are parts of it, as they are. */
export function encodeRecord(
  { tree, ranges }: State,
  events: readonly DurableEvent[],
): RecordBytes {
  const attached: Uint8Array[] = [];
  const kept = events.map((event) => {
    switch (event.type) {
      case "treechanged":
        return changed(abbreviate(tree, ranges, event.patch));
      case "fadersrested":
        return changed(levelsPatch(event.levels));
      case "hourskept":
        return changed({ general: { _hourmeter: event.hours } });
      case "snapshotwritten":
      case "snapshotstaged":
        return withContent(event);
      case "picturewritten":
        attached.push(event.bytes);
        return JSON.stringify({ ...event, bytes: event.bytes.length });
      default:
        return JSON.stringify(event);
    }
  });
  const json = new TextEncoder().encode(`[${kept.join(",")}]`);
  return attached.length === 0 ? json : [json, Uint8Array.of(END_OF_JSON), ...attached];
}

function changed(patch: Patch): string {
  return JSON.stringify({ type: "treechanged", patch });
}

/** The content of a snapshot is JSON already, and stands last. */
function withContent({ snapshot, ...event }: SnapshotWritten | SnapshotStaged): string {
  const { content, ...attributes } = snapshot;
  const json = JSON.stringify({ ...event, snapshot: attributes });
  return `${json.slice(0, -"}}".length)},"content":${content}}}`;
}

/**
 * The events of a record, as they were. Throws an `Error` that says why where this version cannot
 * read it: it was written by a later one, or is none of ours.
 */
export function decodeRecord(record: Uint8Array): DurableEvent[] {
  const end = record.indexOf(END_OF_JSON);
  const json = new TextDecoder().decode(end === -1 ? record : record.subarray(0, end));
  const events: DurableEvent[] = parseEvents(json);
  let next = end + 1;
  return events.map((event) => {
    if (!KNOWN_EVENTS.has(event.type)) {
      throw new Error(`a record holds "${event.type}", which this version does not know`);
    }
    if (event.type === "treechanged") return { ...event, durable: true };
    if (event.type === "snapshotwritten" || event.type === "snapshotstaged") {
      const { snapshot } = event;
      return { ...event, snapshot: { ...snapshot, content: JSON.stringify(snapshot.content) } };
    }
    if (event.type !== "picturewritten") return event;
    const start = next;
    next += event.bytes as unknown as number;
    // A copy: a view would keep all that was read of the log together with it.
    return { ...event, bytes: record.slice(start, next) };
  });
}

function parseEvents(json: string): DurableEvent[] {
  try {
    return JSON.parse(json);
  } catch {
    throw new Error("a record is no JSON");
  }
}

/**
 * An event, fitted to the state that it is to be replayed on: what the configuration no longer has
 * is left out of it.
 */
export function fitEvent({ tree, ranges }: State, event: DurableEvent): DurableEvent {
  if (event.type !== "treechanged") return event;
  const patch = fit(tree, ranges, event.patch as unknown as Branch, "take") ?? {};
  return { ...event, patch };
}

function abbreviate(node: Tree, ranges: Ranges, patch: Patch): Patch {
  const kept: Record<string, Patch[string]> = {};
  for (const [member, value] of Object.entries(patch)) {
    const current = (node as Branch)[member]!;
    const definition = ranges[member];
    if (definition !== undefined && isLeafDefinition(definition)) {
      const reset = definition.type === "string" ? definition.reset : undefined;
      kept[member] = reset !== undefined && value === definition.default ? reset : value;
    } else if (!isBranch(value)) {
      kept[member] = value;
    } else if (!Array.isArray(current)) {
      kept[member] = abbreviate(current, definition ?? {}, value as Patch);
    }
  }
  return kept;
}
