/**
 * What the log keeps of an event. All durable events of one command are one record, so that a power
 * cut leaves all of them or none.
 *
 * A record is the JSON of a list of events. A label that was put back to its default is kept as "",
 * so that a new default in the configuration shows through.
 *
 * @module
 */
import type { DurableEvent, State } from "./state.ts";
import type { Ranges } from "./tree/build.ts";
import { fit } from "./tree/fit.ts";
import { isLeafDefinition } from "./tree/leaf.ts";
import { type Branch, isBranch, type Patch, type Tree } from "./tree/patch.ts";

/** The bytes of a record. */
export function encodeRecord({ tree, ranges }: State, events: readonly DurableEvent[]): Uint8Array {
  const kept = events.map((event) =>
    event.type === "treechanged"
      ? { type: event.type, patch: abbreviate(tree, ranges, event.patch) }
      : event
  );
  return new TextEncoder().encode(JSON.stringify(kept));
}

/**
 * The events of a record, fitted to the state they are to be replayed on: what the configuration no
 * longer has is left out.
 */
export function decodeRecord({ tree, ranges }: State, record: Uint8Array): DurableEvent[] {
  const events: DurableEvent[] = JSON.parse(new TextDecoder().decode(record));
  return events.flatMap<DurableEvent>((event) => {
    if (event.type !== "treechanged") return [event];
    const patch = fit(tree, ranges, event.patch as unknown as Branch, "take");
    return patch === undefined ? [] : [{ ...event, durable: true, patch }];
  });
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
