import * as v from "valibot";
import { flag, textResult } from "../../transport/schemas.ts";
import { keptBackup, NO_BACKUPS } from "../api/backup-schemas.ts";
import { fleetRpcMethod } from "../api/rpc-method.ts";
import { consoleId, consoleIdResult } from "../api/schemas.ts";

/** Lists the backups of all consoles. */
export const fleetbackuplist = fleetRpcMethod({
  name: "fleetbackuplist",
  summary: "List the backups of each console, or of one, the newest last. For admins.",
  params: {
    console: v.optional(consoleId),
    newest: v.optional(flag("lists only the newest backup of each console"), false),
  },
  result: v.pipe(
    v.array(v.object({
      console: consoleIdResult,
      name: textResult("name of the console"),
      site: textResult("site that it is at"),
      backups: v.pipe(v.array(v.object(keptBackup)), v.readonly()),
      failed: v.exactOptional(textResult("why the last backup failed")),
      alarm: v.exactOptional(textResult("the alarm of its backups")),
    })),
    v.readonly(),
  ),
  run: (_core, listed, actor, { backups }) => backups?.list(actor, listed) ?? NO_BACKUPS,
});
