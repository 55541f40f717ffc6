import * as v from "valibot";
import { isRefusal } from "../../core/errors.ts";
import { AUDIT_LINES } from "../../core/limits.ts";
import { integer, numberResult, textResult } from "../../transport/schemas.ts";
import { fleetRpcMethod } from "../api/rpc-method.ts";
import type { FleetAuditEntry } from "../ledger/ledger.ts";

/** A line of the audit trail. */
interface Line extends Omit<FleetAuditEntry, "user" | "target" | "changes"> {
  /** Absent without a login, and where a console has counted calls of several users together. */
  readonly user?: string;
  readonly target?: unknown;
  readonly changes?: readonly {
    readonly path: string;
    readonly before?: unknown;
    readonly after?: unknown;
  }[];
}

/** Reads the audit trail of the fleet. */
export const getaudit = fleetRpcMethod({
  name: "getaudit",
  summary: "Read who changed the fleet, and what was refused, the newest first. For admins.",
  params: {
    limit: v.optional(
      integer("maximum number of lines", { min: 1, max: AUDIT_LINES.max }),
      AUDIT_LINES.default,
    ),
  },
  result: v.array(v.object({
    time: textResult("when it was done or refused, in ISO 8601 and UTC"),
    user: v.exactOptional(
      textResult("name of the user; absent without a login, and for calls of several users"),
    ),
    from: textResult('address of the client, or "hub"'),
    what: textResult("the call"),
    target: v.exactOptional(v.unknown()),
    refused: v.exactOptional(textResult("why it was refused")),
    console: v.exactOptional(
      textResult("id of the console that has reported it; absent for a line of the hub itself"),
    ),
    subject: v.exactOptional(textResult("name of the loaded snapshot, or the undone step")),
    changes: v.exactOptional(v.array(v.object({
      path: textResult("path of a changed value of the console"),
      before: v.exactOptional(v.unknown()),
      after: v.exactOptional(v.unknown()),
    }))),
    more: v.exactOptional(numberResult("number of further changed values")),
    durable: v.exactOptional(v.literal(false)),
    again: v.exactOptional(numberResult("number of equal calls that were merged into this line")),
    lost: v.exactOptional(
      numberResult("number of lines of this console before this one that are not in the trail"),
    ),
  })),
  async run(core, { limit }, actor) {
    const entries = await core.audit(limit, actor);
    if (isRefusal(entries)) return entries;
    return entries.map(({ user, ...entry }): Line => ({
      ...entry,
      ...(user === undefined ? {} : { user }),
    }));
  },
});
