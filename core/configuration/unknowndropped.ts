import type { EventDefinition } from "../event.ts";
import { placed, unknownPictures } from "./placed.ts";

/** What the configuration in force has no place for is to be kept no more. */
export interface UnknownDropped {
  readonly type: "unknowndropped";
}

/** Volatile: the checkpoint that follows it makes it so. */
export const unknowndropped: EventDefinition<UnknownDropped> = {
  type: "unknowndropped",
  reduce(state) {
    const pictures = new Map(state.pictures);
    for (const id of unknownPictures(state)) pictures.delete(id);
    return { ...state, pictures, stored: placed(state).known };
  },
  log: undefined,
};
