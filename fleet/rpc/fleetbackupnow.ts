import * as v from "valibot";
import { keptBackup, NO_BACKUPS } from "../api/backup-schemas.ts";
import { fleetRpcMethod } from "../api/rpc-method.ts";
import { consoleId } from "../api/schemas.ts";

/** Makes a backup of a console. */
export const fleetbackupnow = fleetRpcMethod({
  name: "fleetbackupnow",
  summary: "Make a backup of a console now; what it holds is stored once. For admins.",
  params: { console: consoleId },
  result: v.object(keptBackup),
  run: (_core, { console }, actor, { backups }) => backups?.now(console, actor) ?? NO_BACKUPS,
});
