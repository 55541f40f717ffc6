/**
 * Which pictures there are: the RPC `getpicturelist`.
 *
 * @module
 */
import type { State } from "../state.ts";

/** What a client is told of the picture of a resource. */
export interface PictureListEntry {
  /** The number of the resource: its picture is at `/pictures/<id>`. */
  readonly id: number;
  readonly name: string;
  /** Another one for every replacement; `null` where none was uploaded yet. */
  readonly version: string | null;
  /** The size of the picture, in bytes; 0 where there is none. */
  readonly bytes: number;
}

/** Lists the resources that pictures can be uploaded to, as they are configured. */
export function listPictures({ configuration, pictures }: State): readonly PictureListEntry[] {
  return configuration.resources.map(({ id, name }) => {
    const picture = pictures.get(id);
    return { id, name, version: picture?.version ?? null, bytes: picture?.bytes.length ?? 0 };
  });
}
