/**
 * The content of a snapshot is JSON already, and a record of the log has it as that.
 *
 * @module
 */
import type { Written } from "../event.ts";
import { jsonWith } from "../json.ts";
import type { Snapshot } from "./snapshot.ts";

interface OfSnapshot {
  readonly type: string;
  readonly snapshot: Snapshot;
}

/** The log keeps an event that brings a snapshot in this form. */
export const contentAsJson = {
  write({ snapshot: { content, ...attributes }, ...event }: OfSnapshot): Written {
    const snapshot = jsonWith(attributes, "content", content);
    return { json: jsonWith(event, "snapshot", snapshot) };
  },
  read<Kind extends OfSnapshot>(written: Kind): Kind {
    const { snapshot } = written;
    return { ...written, snapshot: { ...snapshot, content: JSON.stringify(snapshot.content) } };
  },
};
