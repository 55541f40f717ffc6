/**
 * What the log keeps of an event. All durable events of one command are one record, so that a power
 * cut leaves all of them or none.
 *
 * A record is the JSON of a list of events. Where an event has bytes (a picture), the JSON has their
 * number and the bytes follow it, after a zero byte, as they are. Of changes of the tree it has what
 * `tree/kept.ts` says.
 *
 * @module
 */
import type { SnapshotStaged } from "./backup/staged.ts";
import type { SnapshotWritten } from "./snapshots/snapshot.ts";
import type { DurableEvent } from "./state.ts";
import { type FadersRested, levelsPatch } from "./fades/fade.ts";
import { type HoursKept, hoursPatch } from "./general.ts";
import type { RecordBytes } from "./ports.ts";
import type { TreeChanged } from "./tree/change.ts";
import type { Patch } from "./tree/patch.ts";

/** Between the JSON of a record and the bytes that belong to it; in JSON it cannot stand. */
const END_OF_JSON = 0;

/** The events that stand in records. A restore that was given up stands in those of 0.1. */
const KNOWN_EVENTS: ReadonlySet<string> = new Set<RecordedEvent["type"] | "restoregivenup">([
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

/** An event as a record has it: all that the log keeps of the tree is a change of it there. */
export type RecordedEvent =
  | Exclude<DurableEvent, TreeChanged | FadersRested | HoursKept>
  | ValuesKept;

/** Values of the tree, as the log keeps them. */
export interface ValuesKept {
  readonly type: "treechanged";
  readonly patch: Patch;
}

/** The events of a command as a record has them. */
export function recordedEvents(events: readonly DurableEvent[]): RecordedEvent[] {
  return events.map((event) => {
    switch (event.type) {
      case "treechanged":
        return { type: "treechanged", patch: event.kept ?? {} };
      case "fadersrested":
        return { type: "treechanged", patch: levelsPatch(event.levels) };
      case "hourskept":
        return { type: "treechanged", patch: hoursPatch(event) };
      default:
        return event;
    }
  });
}

/** The bytes of a record; those of pictures are parts of it, as they are. */
export function encodeRecord(events: readonly RecordedEvent[]): RecordBytes {
  const attached: Uint8Array[] = [];
  const texts = events.map((event) => {
    switch (event.type) {
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
  const json = new TextEncoder().encode(`[${texts.join(",")}]`);
  return attached.length === 0 ? json : [json, Uint8Array.of(END_OF_JSON), ...attached];
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
export function decodeRecord(record: Uint8Array): RecordedEvent[] {
  const end = record.indexOf(END_OF_JSON);
  const json = new TextDecoder().decode(end === -1 ? record : record.subarray(0, end));
  const events: RecordedEvent[] = parseEvents(json);
  let next = end + 1;
  return events.map((event) => {
    if (!KNOWN_EVENTS.has(event.type)) {
      throw new Error(`a record holds "${event.type}", which this version does not know`);
    }
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

function parseEvents(json: string): RecordedEvent[] {
  try {
    return JSON.parse(json);
  } catch {
    throw new Error("a record is no JSON");
  }
}
