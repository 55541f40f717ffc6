/**
 * Picture files, checked as decisions.md says ("REST actions", `updatepic`).
 *
 * @module
 */
import { isRefusal } from "../../core/errors.ts";
import { checkPngInPieces, type PictureSize, PIECE_BYTES } from "../../core/pictures/png.ts";
import { file, type Reader } from "./parameters.ts";

/** A picture that was checked. */
export interface PictureFile {
  readonly bytes: Uint8Array;
  readonly size: PictureSize;
}

/** A required PNG. While a large one is checked, other events have their turn. */
export const pictureFile: Reader<PictureFile> = {
  expected: "a PNG file in a multipart/form-data body",
  async read(received, name) {
    const read = file.read(received, name);
    if (isRefusal(read)) return read;
    const { bytes } = read.value;
    const check = checkPngInPieces(bytes);
    let atAStretch = 0;
    let step = check.next();
    while (!step.done) {
      atAStretch += step.value;
      if (atAStretch >= PIECE_BYTES) {
        atAStretch = 0;
        await new Promise((resolve) => setTimeout(resolve, 0));
      }
      step = check.next();
    }
    const size = step.value;
    return isRefusal(size) ? size : { value: { bytes, size } };
  },
};
