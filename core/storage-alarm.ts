/**
 * `general/_storage` says how the medium is that keeps what happens to the console
 * (control-tree.md). It is the alarm that a view shows; whoever owns the store raises and ends it.
 *
 * @module
 */
import type { Command, Done } from "./command.ts";
import type { State } from "./state.ts";
import { find } from "./tree/tree.ts";
import { volatileChange } from "./tree/treechanged.ts";

/**
 * How the medium is: all is well; it takes writes, slowly; it has no space; it takes no writes; what
 * was stored cannot be read as it was.
 */
export type StorageState = "ok" | "slow" | "full" | "readonly" | "damaged";

/** Answers `_storage` as the tree holds it. */
export function storageOf({ tree }: State): StorageState {
  return find(tree, ["general", "_storage"]) as StorageState;
}

/** Says whether what is changed is stored. */
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
