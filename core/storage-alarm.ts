/**
 * The storage alarm `general/_storage`: the condition of the medium on which the console stores its
 * state (control-tree.md). A view shows it; the owner of the store sets it.
 *
 * @module
 */
import type { Command, Done } from "./command.ts";
import type { State } from "./state.ts";
import { find } from "./tree/tree.ts";
import { volatileChange } from "./tree/treechanged.ts";

/**
 * The condition of the medium: working; slow; full; refusing writes; with stored records that
 * cannot be read.
 */
export type StorageState = "ok" | "slow" | "full" | "readonly" | "damaged";

/** Returns the value of `_storage` in the tree. */
export function storageOf({ tree }: State): StorageState {
  return find(tree, ["general", "_storage"]) as StorageState;
}

/** Says whether changes are stored. */
export function isStoring(state: State): boolean {
  return ["ok", "slow"].includes(storageOf(state));
}

/** Sets the condition of the medium in the tree. */
export function tellStorage(storage: StorageState): Command<Done> {
  return (state) => {
    const patch = storageOf(state) === storage ? undefined : { general: { _storage: storage } };
    return { events: volatileChange(patch), result: {} };
  };
}
