import { pack } from "../../core/backup/pack.ts";
import { isRefusal } from "../../core/errors.ts";
import { UNREAD_MS } from "../../core/limits.ts";
import { adminRefusal } from "../../core/users/admin.ts";
import { tagsFor } from "../../core/backup/tags.ts";
import { localTime, timeZoneOf } from "../../core/settings/local-time.ts";
import { cutOff } from "../cut-off.ts";
import { action } from "../action-api/action.ts";
import { tags } from "../action-api/action-parameters.ts";

/** The media type of a backup. */
const BACKUP_MEDIA = "application/octet-stream";

/** The firmware that introduced backup and restore. */
export const BACKUP_SINCE = "10.1.0";

/** Returns a backup as a file. */
export const backup = action({
  name: "backup",
  summary: "Download a backup of the tags named: a gzip-compressed tar.",
  reads: true,
  media: BACKUP_MEDIA,
  parameters: { Tags: tags },
  token: "required",
  since: BACKUP_SINCE,
  async run({ state }, { Tags }, actor, { clock, timer, scheduler }) {
    const refusal = adminRefusal(actor);
    if (refusal !== undefined) return refusal;
    const chosen = tagsFor(state.configuration, Tags);
    if (isRefusal(chosen)) return chosen;
    const time = clock.now();
    const packed = await pack(state, chosen, { time, scheduler });
    if (isRefusal(packed)) return packed;
    const name = `backup-${state.configuration.device.name}-${
      stampOf(time, timeZoneOf(state))
    }.bin`;
    const headers = {
      "content-type": BACKUP_MEDIA,
      "content-disposition": `attachment; filename="${name}"`,
      "cache-control": "no-store",
    };
    return { result: new Response(cutOff(packed, UNREAD_MS, timer), { headers }) };
  },
});

/** Returns a time as `yyyymmdd-hhmmss` in the time zone of the device. */
function stampOf(time: number, zone: string | undefined): string {
  return localTime(time, zone).replaceAll(/[-:]/g, "").replace(" ", "-");
}
