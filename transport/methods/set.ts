/**
 * The method `set` (control-tree.md, "Messages").
 *
 * @module
 */
import { isRefusal } from "../../core/errors.ts";
import { set as setValue } from "../../core/tree/set.ts";
import { failed, succeeded } from "../control-api/envelope.ts";
import { type Method, whenKnown } from "../control-api/method.ts";
import { pathOf } from "../control-api/path.ts";

/** Writes one value of the control tree, or many below a path; all or nothing. */
export const set: Method = {
  answersMuch: () => true,
  writes: () => true,
  answer(request, { console, actor }) {
    const path = pathOf(request);
    if (typeof path !== "string") return failed(request, path);
    return whenKnown(
      console.dispatch(setValue(path, request.payload), actor),
      (outcome) =>
        isRefusal(outcome)
          ? failed(request, outcome)
          : succeeded(request, { payload: outcome.result }),
    );
  },
};
