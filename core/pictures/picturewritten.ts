import type { EventDefinition } from "../event.ts";
import type { State } from "../state.ts";

/** A picture was uploaded, in the place of the one before. */
export interface PictureWritten {
  readonly type: "picturewritten";
  readonly id: number;
  readonly version: string;
  readonly bytes: Uint8Array;
}

/** The event as the JSON of a record has it: with how many bytes there are. */
type WrittenPicture = Omit<PictureWritten, "bytes"> & { readonly bytes: number };

/** It is durable. A record has the bytes as they are, after its JSON. */
export const picturewritten: EventDefinition<PictureWritten> = {
  reduce(state, { id, version, bytes }): State {
    return { ...state, pictures: new Map(state.pictures).set(id, { version, bytes }) };
  },
  log: {
    keeps: () => true,
    ifNotStored: "refused",
    write: (event) => ({
      json: JSON.stringify({ ...event, bytes: event.bytes.length }),
      bytes: event.bytes,
    }),
    read: (written: WrittenPicture, bytes) => ({ ...written, bytes: bytes(written.bytes) }),
    *checkpoint({ pictures }) {
      for (const [id, picture] of pictures) yield { type: "picturewritten", id, ...picture };
    },
  },
  tell({ pictures }, { id, bytes }, note) {
    const before = pictures.get(id);
    note(`/pictures/${id}`, before && { bytes: before.bytes.length }, { bytes: bytes.length });
  },
};
