import { isRefusal } from "../../core/errors.ts";
import { PICTURE_BYTES } from "../../core/limits.ts";
import { checkPicture, updatePicture } from "../../core/pictures/resource.ts";
import { action } from "../action-api/action.ts";
import { file, integer } from "../action-api/action-parameters.ts";

/** A required PNG. Everything else has its turn while a large one is checked. */
const pictureFile = file("a PNG file in a multipart/form-data body", async ({ bytes }, pacer) => {
  const checked = await pacer.run(checkPicture(bytes));
  return isRefusal(checked) ? checked : { value: checked };
});

/** Replaces the picture of a resource. */
export const updatepic = action({
  name: "updatepic",
  summary: "Replace a resource file by a PNG, shown by picture elements in device views.",
  methods: ["POST"],
  parameters: { ObjectID: integer, file: pictureFile },
  fileBytes: () => PICTURE_BYTES,
  names: { id: "ObjectID" },
  run: (console, { ObjectID, file }, actor) =>
    console.dispatch(updatePicture(ObjectID, file), actor),
});
