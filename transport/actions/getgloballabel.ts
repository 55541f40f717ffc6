import { isRefusal } from "../../core/errors.ts";
import { getGlobalLabel } from "../../core/labels/setgloballabel.ts";
import { action } from "../action-api/action.ts";
import { integer } from "../schemas.ts";

/** The media type of a label. */
const TEXT = "text/plain; charset=utf-8";

/** Returns a global label as plain text: the only value that can be read by REST. */
export const getgloballabel = action({
  name: "getgloballabel",
  summary: "Read a global label, as plain text.",
  reads: true,
  media: TEXT,
  parameters: { ObjectID: integer("global label") },
  run({ state }, { ObjectID }) {
    const found = getGlobalLabel(state, ObjectID);
    if (isRefusal(found)) return found;
    const headers = { "content-type": TEXT };
    return { result: new Response(found.label, { headers }) };
  },
});
