/**
 * `general/_storage` is the condition of the medium on which the console stores its state
 * (control-tree.md). It is the alarm that a view shows; the owner of the store raises and ends it.
 *
 * @module
 */
import type { Command, Done } from "./command.ts";
import type { State } from "./state.ts";
import { find } from "./tree/tree.ts";
import { volatileChange } from "./tree/treechanged.ts";

/**
 * The condition of the medium: well; slow to take writes; without space; without writes; with
 * stored records that cannot be read as they were.
 */
export type StorageState = "ok" | "slow" | "full" | "readonly" | "damaged";

/** Answers `_storage` as the tree holds it. */
export function storageOf({ tree }: State): StorageState {
  return find(tree, ["general", "_storage"]) as StorageState;
}

/** Says whether changes are stored. */
export function isStoring(state: State): boolean {
  const storage = storageOf(state);
  return storage === "ok" || storage === "slow";
}

/** Tells everybody how the medium is. */
export function tellStorage(storage: StorageState): Command<Done> {
  return (state) => {
    const patch = storageOf(state) === storage ? undefined : { general: { _storage: storage } };
    return { events: volatileChange(patch), result: {} };
  };
}
