import * as v from "valibot";
import { isRefusal } from "../../core/errors.ts";
import { undoList, undoPreview } from "../../core/undo/getundolist.ts";
import { findStep } from "../../core/undo/undo.ts";
import { mayRefusal } from "../../core/users/may.ts";
import { rpcMethod } from "../control-api/rpc-method.ts";
import { booleanResult, numberResult, resource, textResult, valueResult } from "../schemas.ts";

/** Lists the steps that can be undone. An addition to the specification. */
export const getundolist = rpcMethod({
  name: "getundolist",
  summary:
    "List the last ten changes, the newest first, as `undo` takes them; with `step`, that step alone, with its values. For users who may operate.",
  params: { step: v.optional(resource("step whose values are listed, too")) },
  result: v.array(v.object({
    step: numberResult("number of the step"),
    at: textResult("when it came into force, in ISO 8601 and UTC"),
    user: v.exactOptional(textResult("name of the user; absent without a login")),
    what: textResult("the call"),
    subject: v.exactOptional(textResult("name of the loaded snapshot, or what was undone")),
    path: v.exactOptional(
      textResult("path of the branch with all of its values; absent if they are too many to undo"),
    ),
    member: v.exactOptional(
      textResult("name of its value in that branch; only for a change of one value"),
    ),
    values: numberResult("number of changed values"),
    preview: v.exactOptional(v.array(v.object({
      path: textResult("path of a value"),
      was: valueResult("before the step"),
      put: valueResult("after the step"),
      now: valueResult("in force"),
      changed: booleanResult("something else changed it after the step"),
      needs: v.pipe(
        v.picklist(["operate", "configure"]),
        v.description("right that the caller needs to put it back"),
      ),
    }))),
  })),
  reads: true,
  answersMuch: true,
  run({ state, undoSteps }, { step: id }, actor) {
    const refusal = mayRefusal(state.configuration, actor, "operate");
    if (refusal !== undefined) return refusal;
    if (id === undefined) return { result: undoList(undoSteps) };
    const step = findStep(undoSteps, id);
    return isRefusal(step) ? step : { result: [undoPreview(state, step, actor)] };
  },
});
