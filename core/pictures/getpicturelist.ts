/**
 * The list of pictures: the RPC `getpicturelist`.
 *
 * @module
 */
import type { State } from "../state.ts";

/** An entry of the list: the picture of a resource. */
export interface PictureListEntry {
  /** The number of the resource: its picture is at `/pictures/<id>`. */
  readonly id: number;
  readonly name: string;
  /**
   * The version of the picture, which changes with every replacement; `null` if none was uploaded
   * yet.
   */
  readonly version: string | null;
  /** The size of the picture in bytes; 0 if there is none. */
  readonly bytes: number;
}

/** Lists the configured resources, to which pictures can be uploaded. */
export function listPictures({ configuration, pictures }: State): readonly PictureListEntry[] {
  return configuration.resources.map(({ id, name }) => {
    const picture = pictures.get(id);
    return { id, name, version: picture?.version ?? null, bytes: picture?.bytes.length ?? 0 };
  });
}
