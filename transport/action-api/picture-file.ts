/**
 * Picture files, checked as decisions.md says ("REST actions", `updatepic`).
 *
 * @module
 */
import { isRefusal } from "../../core/errors.ts";
import { checkPngInPieces, type PictureSize } from "../../core/pictures/png.ts";
import { copyInPieces, inTurns } from "../turns.ts";
import { file, type Reader } from "./action-parameters.ts";

/** The part of a request that a picture is, from which on the request is kept for it. */
const MOSTLY = 0.95;

/** A picture that was checked. */
export interface PictureFile {
  /** Little else lies in their buffer: to keep them is not to keep a request. */
  readonly bytes: Uint8Array;
  readonly size: PictureSize;
}

/** A required PNG. While a large one is checked and copied, other events have their turn. */
export const pictureFile: Reader<PictureFile> = {
  expected: "a PNG file in a multipart/form-data body",
  async read(received, name) {
    const read = file.read(received, name);
    if (isRefusal(read)) return read;
    const { bytes } = read.value;
    const size = await inTurns(checkPngInPieces(bytes));
    if (isRefusal(size)) return size;
    if (bytes.length >= MOSTLY * bytes.buffer.byteLength) return { value: { bytes, size } };
    const copy = new Uint8Array(bytes.length);
    await inTurns(copyInPieces(bytes, copy));
    return { value: { bytes: copy, size } };
  },
};
