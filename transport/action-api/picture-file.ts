/**
 * Picture files, checked as decisions.md says ("REST actions", `updatepic`).
 *
 * @module
 */
import { isRefusal } from "../../core/errors.ts";
import { checkPngInPieces, type PictureSize } from "../../core/pictures/png.ts";
import { file, type Reader } from "./action-parameters.ts";

/** The part of a request that a picture is, from which on the request is kept for it. */
const MOSTLY = 0.95;

/** A picture that was checked. */
export interface PictureFile {
  /** Little else lies in their buffer: to keep them is not to keep a request. */
  readonly bytes: Uint8Array;
  readonly size: PictureSize;
}

/** A required PNG. While a large one is checked, other events have their turn. */
export const pictureFile: Reader<PictureFile> = {
  expected: "a PNG file in a multipart/form-data body",
  async read(received, name, pacer) {
    const read = file.read(received, name);
    if (isRefusal(read)) return read;
    const { bytes } = read.value;
    const size = await pacer.run(checkPngInPieces(bytes));
    if (isRefusal(size)) return size;
    if (bytes.length >= MOSTLY * bytes.buffer.byteLength) return { value: { bytes, size } };
    return { value: { bytes: bytes.slice(), size } };
  },
};
