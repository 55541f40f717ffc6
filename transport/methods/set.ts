import { refuse } from "../../core/errors.ts";
import { set as setValue } from "../../core/tree/set.ts";
import { pathOf } from "../control-api/envelope.ts";
import type { Method } from "../control-api/method.ts";

const NO_VALUE = refuse("invalidParameter", "expected a value, it is missing", "payload");

/** Writes one value of the control tree, or many below a path; all or nothing. */
export const set: Method = {
  writes: () => true,
  answersMuch: () => true,
  asks: ({ path }) => ({ call: "set", target: path }),
  answer(request, { console, actor }) {
    const path = pathOf(request);
    if (typeof path !== "string") return path;
    if (request.payload === undefined) return NO_VALUE;
    return console.dispatch(setValue(path, request.payload), actor);
  },
};
