import * as v from "valibot";
import { textResult } from "../../transport/schemas.ts";
import { keptBackup, NO_BACKUPS } from "../api/backup-schemas.ts";
import { fleetRpcMethod } from "../api/rpc-method.ts";
import { consoleIdResult } from "../api/schemas.ts";

/** Lists the backups of all consoles. */
export const fleetbackuplist = fleetRpcMethod({
  name: "fleetbackuplist",
  summary: "List the backups of each console, the newest last. For admins.",
  params: {},
  result: v.pipe(
    v.array(v.object({
      console: consoleIdResult,
      name: textResult("name of the console"),
      site: textResult("site that it is at"),
      backups: v.pipe(v.array(v.object(keptBackup)), v.readonly()),
      failed: v.exactOptional(textResult("why the last backup failed")),
    })),
    v.readonly(),
  ),
  run: (_core, _params, actor, { backups }) => backups?.list(actor) ?? NO_BACKUPS,
});
