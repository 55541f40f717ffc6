import type { EventDefinition } from "../event.ts";
import type { State } from "../state.ts";

/** A picture was uploaded and replaces the previous one. */
export interface PictureWritten {
  readonly type: "picturewritten";
  readonly id: number;
  readonly version: string;
  readonly bytes: Uint8Array;
}

/** The event in the JSON of a record, with the number of bytes. */
type WrittenPicture = Omit<PictureWritten, "bytes"> & { readonly bytes: number };

/** The event is durable. Its record has the bytes unchanged after the JSON. */
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
