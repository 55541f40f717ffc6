/**
 * Writing a label: one member of the control tree, wherever it stands.
 *
 * @module
 */
import { isRefusal, type Refusal } from "../errors.ts";
import type { Event } from "../events.ts";
import type { State } from "../state.ts";
import { writeChange } from "../tree/set.ts";
import type { Patch, Path } from "../tree/tree.ts";

/** The events of a label written to the branch at `path`, and the label that is shown then. */
export interface WrittenLabel {
  readonly events: readonly Event[];
  readonly label: string;
}

/** Labels what is at `path`, which exists; a blank label puts the configured one back. */
export function writeLabel(state: State, path: Path, label: string): WrittenLabel | Refusal {
  const written = writeChange(state, path, { label });
  if (isRefusal(written)) return written;
  return { events: written.events, label: (written.inForce as Patch).label as string };
}
