/**
 * Carries out the REST actions `setgloballabel` and `getgloballabel` (service.md, "REST
 * actions").
 *
 * @module
 */
import type { Command, Done } from "../command.ts";
import { isRefusal, type Refusal } from "../errors.ts";
import type { State } from "../state.ts";
import { existingPath } from "../tree/resources.ts";
import { writeChange } from "../tree/set.ts";
import { find, type Path } from "../tree/tree.ts";

/**
 * Sets a global label; a blank text restores the configured label. Refused: a label that is not
 * configured (6), a text over 128 characters or with control characters (3).
 */
export function setGlobalLabel(id: number, label: string): Command<Done> {
  return (state) => {
    const path = labelPath(state, id);
    if (isRefusal(path)) return path;
    const written = writeChange(state, [...path, "label"], label);
    return isRefusal(written) ? written : { events: written.events, result: {} };
  };
}

/** Returns the present text of a global label. Refused: a label that is not configured (6). */
export function getGlobalLabel(state: State, id: number): { readonly label: string } | Refusal {
  const path = labelPath(state, id);
  return isRefusal(path) ? path : { label: find(state.tree, [...path, "label"]) as string };
}

function labelPath(state: State, id: number): Path | Refusal {
  const path = ["control", "labels", String(id)];
  return existingPath(state, path, `there is no global label ${id}`, "id");
}
