import type { EventDefinition } from "../event.ts";
import { withoutUnknown } from "./unknown.ts";

/** What the configuration in force has no place for is to be kept no more. */
export interface UnknownDropped {
  readonly type: "unknowndropped";
}

/** Volatile: the checkpoint that is written after it leaves out what was dropped, and so makes it last. */
export const unknowndropped: EventDefinition<UnknownDropped> = {
  reduce: withoutUnknown,
  log: undefined,
};
