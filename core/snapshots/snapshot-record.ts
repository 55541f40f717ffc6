/**
 * The record of an event with a snapshot. The content may be long, so it follows the JSON
 * unchanged.
 *
 * @module
 */
import { plainJson, type Written } from "../event.ts";
import type { Snapshot } from "./snapshot.ts";

interface OfSnapshot {
  readonly type: string;
  readonly snapshot: Snapshot;
}

/** The event in the JSON of a record, with the number of bytes of the content. */
interface WrittenSnapshot {
  readonly type: string;
  readonly snapshot: Omit<Snapshot, "content"> & { readonly content: number };
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** The form in which the log keeps an event with a snapshot. */
export const snapshotRecord = {
  keeps: plainJson.keeps,
  write({ snapshot, ...event }: OfSnapshot): Written {
    const bytes = encoder.encode(snapshot.content);
    const written = { ...event, snapshot: { ...snapshot, content: bytes.length } };
    return { json: JSON.stringify(written), bytes };
  },
  read({ snapshot, ...event }: WrittenSnapshot, bytes: (count: number) => Uint8Array): OfSnapshot {
    const content = decoder.decode(bytes(snapshot.content));
    return { ...event, snapshot: { ...snapshot, content } };
  },
};
