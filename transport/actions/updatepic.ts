import { PICTURE_BYTES } from "../../core/limits.ts";
import { updatePicture } from "../../core/pictures/resource.ts";
import { action } from "../action-api/action.ts";
import { integer } from "../action-api/action-parameters.ts";
import { pictureFile } from "../action-api/picture-file.ts";

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
