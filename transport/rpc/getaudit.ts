import * as v from "valibot";
import { OUTCOMES } from "../../core/audit-query.ts";
import { errorCodes, isRefusal, refuse } from "../../core/errors.ts";
import { AUDIT_LINES } from "../../core/limits.ts";
import { adminRefusal } from "../../core/users/admin.ts";
import { rpcMethod } from "../control-api/rpc-method.ts";
import { instantText, integer, numberResult, textResult, treePath } from "../schemas.ts";

const errorCode = v.pipe(
  v.picklist(Object.values(errorCodes)),
  v.description("error code of the answer"),
);

/** Reads the audit trail; only for admins. An addition to the specification. */
export const getaudit = rpcMethod({
  name: "getaudit",
  summary:
    "Read who changed what, and what was refused, the newest first. Refused (6) where there is no audit trail. For admins.",
  params: {
    since: v.optional(instantText("the earliest time of a line")),
    until: v.optional(instantText("the time from which lines are left out")),
    user: v.optional(v.pipe(
      v.string("a string"),
      v.description("name of the user; empty for callers who were not logged in"),
    )),
    path: v.optional(treePath),
    outcome: v.optional(v.pipe(
      v.picklist(OUTCOMES, "done or refused"),
      v.description("only what was done, or only what was refused"),
    )),
    limit: v.optional(
      integer("maximum number of lines", { min: 1, max: AUDIT_LINES.max }),
      AUDIT_LINES.default,
    ),
  },
  result: v.array(v.object({
    at: textResult("when it came into force or was refused, in ISO 8601 and UTC"),
    user: v.exactOptional(textResult("name of the user; absent without a login")),
    from: v.exactOptional(textResult('address of the client, or "command line"')),
    what: textResult("the call"),
    batch: v.exactOptional(textResult("id of the fleet batch that it belongs to")),
    subject: v.exactOptional(textResult("name of the loaded snapshot, or what was undone")),
    changes: v.exactOptional(v.array(v.object({
      path: textResult("path of a value that changed"),
      before: v.exactOptional(v.unknown()),
      after: v.exactOptional(v.unknown()),
    }))),
    more: v.exactOptional(numberResult("number of further values that changed")),
    durable: v.exactOptional(v.literal(false)),
    target: v.exactOptional(v.unknown()),
    refused: v.exactOptional(
      v.object({ code: errorCode, message: textResult("why it was refused") }),
    ),
    again: v.exactOptional(numberResult("number of equal calls merged into this line")),
    lost: v.exactOptional(numberResult("number of lines that could not be written")),
  })),
  reads: true,
  answersMuch: true,
  async run({ readAudit }, query, actor, { scheduler }) {
    const refusal = adminRefusal(actor);
    if (refusal !== undefined) return refusal;
    if (readAudit === undefined) return refuse("noSuchObject", "there is no audit trail");
    const lines = await scheduler.withMutex(actor.address, () => readAudit(query));
    return isRefusal(lines) ? lines : { result: lines };
  },
});
