import * as v from "valibot";
import { isRefusal } from "../../core/errors.ts";
import { findStep, undo as undoStep } from "../../core/undo/undo.ts";
import { rpcMethod } from "../control-api/rpc-method.ts";
import { flag, numberResult, resource, textResult, valueResult } from "../schemas.ts";

/** Undoes a step. An addition to the specification. */
export const undo = rpcMethod({
  name: "undo",
  summary:
    "Put back the values that a step of `getundolist` changed, except those that something else changed after it; `force` puts back these too.",
  params: {
    step: resource("number of the step"),
    force: v.optional(
      flag("also put back the values that something else changed after the step"),
      false,
    ),
  },
  result: v.object({
    restored: numberResult("number of values that were put back"),
    left: v.array(v.object({
      path: textResult("path of a value that something else changed after the step"),
      was: valueResult("before the step"),
      put: valueResult("after the step"),
      now: valueResult("in force"),
    })),
  }),
  answersMuch: true,
  run(console, { step: id, force }, actor) {
    const step = findStep(console.undoSteps, id);
    return isRefusal(step) ? step : console.dispatch(undoStep(step, force), actor);
  },
});
