/**
 * Picture files, checked as decisions.md says ("REST actions", `updatepic`).
 *
 * @module
 */
import { isRefusal } from "../../core/errors.ts";
import { type CheckedPicture, checkPicture } from "../../core/pictures/resource.ts";
import { file, type Reader } from "./action-parameters.ts";

/** A required PNG. Everything else has its turn while a large one is checked. */
export const pictureFile: Reader<CheckedPicture> = file(
  "a PNG file in a multipart/form-data body",
  async ({ bytes }, pacer) => {
    const checked = await pacer.run(checkPicture(bytes));
    return isRefusal(checked) ? checked : { value: checked };
  },
);
