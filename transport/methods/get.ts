import { isRefusal } from "../../core/errors.ts";
import { get as getValue } from "../../core/tree/get.ts";
import { pathOf } from "../control-api/envelope.ts";
import type { Method } from "../control-api/method.ts";

/** Reads a value or a branch of the control tree. */
export const get: Method = {
  answersMuch: () => true,
  answer(request, { console }) {
    const path = pathOf(request);
    if (typeof path !== "string") return path;
    const found = getValue(console, path);
    return isRefusal(found) ? found : { result: found.value };
  },
};
