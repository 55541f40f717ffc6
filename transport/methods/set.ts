import { set as setValue } from "../../core/tree/set.ts";
import { pathOf } from "../control-api/envelope.ts";
import type { Method } from "../control-api/method.ts";

/** Writes one value of the control tree, or many below a path; all or nothing. */
export const set: Method = {
  writes: () => true,
  answersMuch: () => true,
  asks: ({ path }) => ({ call: "set", target: path }),
  answer(request, { console, actor }) {
    const path = pathOf(request);
    if (typeof path !== "string") return path;
    return console.dispatch(setValue(path, request.payload), actor);
  },
};
