/**
 * The content of a snapshot may be long: a record of the log has it as it is, after its JSON.
 *
 * @module
 */
import { plainJson, type Written } from "../event.ts";
import type { Snapshot } from "./snapshot.ts";

interface OfSnapshot {
  readonly type: string;
  readonly snapshot: Snapshot;
}

/** The event as the JSON of a record has it: with how many bytes its content has. */
interface WrittenSnapshot {
  readonly type: string;
  readonly snapshot: Omit<Snapshot, "content"> & { readonly content: number };
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** The log keeps an event that brings a snapshot in this form. */
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
