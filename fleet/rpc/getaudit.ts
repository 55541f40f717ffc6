import * as v from "valibot";
import { isRefusal } from "../../core/errors.ts";
import { AUDIT_LINES } from "../../core/limits.ts";
import { integer, textResult } from "../../transport/schemas.ts";
import { fleetRpcMethod } from "../api/rpc-method.ts";
import type { FleetAuditEntry } from "../ledger/ledger.ts";

/** A line of the audit trail. */
interface Line extends Omit<FleetAuditEntry, "user" | "target"> {
  /** Absent without a login. */
  readonly user?: string;
  readonly target?: unknown;
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
    user: v.exactOptional(textResult("name of the user; absent without a login")),
    from: textResult('address of the client, or "command line"'),
    what: textResult("the call"),
    target: v.exactOptional(v.unknown()),
    refused: v.exactOptional(textResult("why it was refused")),
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
