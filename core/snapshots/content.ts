/**
 * The content of a snapshot in the log: it is JSON already, and a record has it as that.
 *
 * @module
 */
import type { Written } from "../event.ts";
import { withMember } from "../json.ts";
import type { Snapshot } from "./snapshot.ts";

interface OfSnapshot {
  readonly type: string;
  readonly snapshot: Snapshot;
}

/** How the log keeps an event that brings a snapshot. */
export const contentAsJson = {
  write({ snapshot: { content, ...attributes }, ...event }: OfSnapshot): Written {
    const snapshot = withMember(attributes, "content", content);
    return { json: withMember(event, "snapshot", snapshot) };
  },
  read<Event extends OfSnapshot>(written: Event): Event {
    const { snapshot } = written;
    return { ...written, snapshot: { ...snapshot, content: JSON.stringify(snapshot.content) } };
  },
};
