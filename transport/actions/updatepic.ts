import * as v from "valibot";
import { isRefusal } from "../../core/errors.ts";
import { PICTURE_BYTES } from "../../core/limits.ts";
import { beginningRefusal } from "../../core/pictures/png.ts";
import { checkPicture, updatePicture } from "../../core/pictures/resource.ts";
import { mayRefusal } from "../../core/users/may.ts";
import { action } from "../action-api/action.ts";
import { file } from "../action-api/action-parameters.ts";
import { readBy } from "../parameters.ts";
import { integer } from "../schemas.ts";

/** The schema of a required PNG: checks the first bytes of the file. */
const pictureFile = v.pipe(
  file("a PNG file in a multipart/form-data body"),
  readBy((file) => beginningRefusal(file.bytes) ?? file),
);

/** Replaces the picture of a resource. */
export const updatepic = action({
  name: "updatepic",
  summary: "Replace a resource file by a PNG, shown by picture elements in device views.",
  methods: ["POST"],
  parameters: { ObjectID: integer("resource file"), file: pictureFile },
  fileBytes: () => PICTURE_BYTES,
  async run(console, { ObjectID, file }, actor, { scheduler }) {
    const refusal = mayRefusal(console.state.configuration, actor, "operate");
    if (refusal !== undefined) return refusal;
    // Other work gets its turn while a large picture is checked.
    const checked = await scheduler.run(checkPicture(file.bytes), actor.address);
    if (isRefusal(checked)) return checked;
    return await console.dispatch(updatePicture(ObjectID, checked), actor);
  },
});
