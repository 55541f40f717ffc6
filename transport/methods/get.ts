/**
 * The method `get` (control-tree.md, "Messages").
 *
 * @module
 */
import { isRefusal } from "../../core/errors.ts";
import { get as getValue } from "../../core/tree/get.ts";
import { failed, succeeded } from "../control-api/envelope.ts";
import type { Method } from "../control-api/method.ts";
import { pathOf } from "../control-api/path.ts";

/** Reads a value or a branch of the control tree. */
export const get: Method = {
  answersMuch: () => true,
  writes: () => false,
  answer(request, { console }) {
    const path = pathOf(request);
    if (typeof path !== "string") return failed(request, path);
    const found = getValue(console, path);
    return isRefusal(found) ? failed(request, found) : succeeded(request, { payload: found.value });
  },
};
