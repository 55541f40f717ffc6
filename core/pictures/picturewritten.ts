import type { EventDefinition } from "../event.ts";

/** A picture was uploaded, in the place of the one before. */
export interface PictureWritten {
  readonly type: "picturewritten";
  readonly id: number;
  readonly version: string;
  readonly bytes: Uint8Array;
}

/** Durable; in the JSON of a record stands how many bytes there are. */
export const picturewritten: EventDefinition<PictureWritten> = {
  reduce(state, { id, version, bytes }) {
    return { ...state, pictures: new Map(state.pictures).set(id, { version, bytes }) };
  },
  log: {
    keeps: () => true,
    write: (event) => ({
      json: JSON.stringify({ ...event, bytes: event.bytes.length }),
      bytes: event.bytes,
    }),
    read: (written, bytes) => ({ ...written, bytes: bytes(written.bytes as unknown as number) }),
    *checkpoint({ pictures }) {
      for (const [id, picture] of pictures) yield { type: "picturewritten", id, ...picture };
    },
  },
};
