import type { EventDefinition } from "../event.ts";
import { unknownPaths, withoutUnknown } from "./unknown.ts";

/** Values for which the configuration in force has no place are dropped. */
export interface UnknownDropped {
  readonly type: "unknowndropped";
}

/**
 * The event is volatile: the checkpoint that is written after it leaves out the dropped values, and
 * so makes the change permanent.
 */
export const unknowndropped: EventDefinition<UnknownDropped> = {
  reduce: withoutUnknown,
  log: undefined,
  tell(before, _event, note) {
    for (const path of unknownPaths(before)) note(path, "stored", undefined);
  },
};
