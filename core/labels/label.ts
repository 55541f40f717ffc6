/**
 * Writing a label: one member of the control tree, wherever it stands.
 *
 * @module
 */
import type { Event, State } from "../state.ts";
import { isRefusal, type Refusal } from "../errors.ts";
import { treeChanged } from "../tree/change.ts";
import type { Patch } from "../tree/patch.ts";
import type { Path } from "../tree/path.ts";
import { write } from "../tree/write.ts";

/** The events of a label written to the branch at `path`, and the label that is shown then. */
export interface WrittenLabel {
  readonly events: readonly Event[];
  readonly label: string;
}

/** Labels what is at `path`, which exists; a blank label puts the configured one back. */
export function writeLabel(state: State, path: Path, label: string): WrittenLabel | Refusal {
  const written = write(state.tree, state.ranges, path, { label });
  if (isRefusal(written)) return written;
  const { patch, inForce } = written;
  return {
    events: patch === undefined ? [] : [treeChanged(state, patch)],
    label: (inForce as Patch).label as string,
  };
}
