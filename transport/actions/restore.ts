import * as v from "valibot";
import { restoreBackup } from "../../core/backup/restore-backup.ts";
import { isRefusal } from "../../core/errors.ts";
import { BACKUP_PACKED_BYTES } from "../../core/limits.ts";
import { action } from "../action-api/action.ts";
import { BACKUP_SINCE } from "./backup.ts";
import { namedFile, tags } from "../action-api/action-parameters.ts";

/** The schema of a required backup: checks the name of the file and its first bytes. */
const archive = v.pipe(
  namedFile("a backup", [".bin", ".tgz"]),
  v.check(({ bytes }) => bytes[0] === 0x1f && bytes[1] === 0x8b, "a gzip-compressed tar"),
);

/** Applies the requested tags of a backup, all of them or nothing. */
export const restore = action({
  name: "restore",
  summary: "Upload and apply the tags named of a backup (.bin or .tgz).",
  methods: ["POST"],
  parameters: { file: archive, Tags: tags },
  token: "required",
  result: { Restored: v.pipe(v.array(v.string()), v.description("the tags that were applied")) },
  since: BACKUP_SINCE,
  exclusive: true,
  fileBytes: () => BACKUP_PACKED_BYTES,
  async run(console, { file, Tags: tags }, by, { device, scheduler }) {
    const outcome = await restoreBackup(console, [file.bytes as Uint8Array<ArrayBuffer>], {
      tags,
      by,
      device,
      scheduler,
    });
    if (isRefusal(outcome)) return outcome;
    const { unwritten, untold } = outcome;
    const failures = [
      ...(unwritten === undefined ? [] : [unwritten]),
      ...(untold.length === 0 ? [] : [`hooks.applied failed: ${untold.join("; ")}`]),
    ].join("; ");
    const restored = { Restored: outcome.tags };
    return {
      result: failures === "" ? restored : { ...restored, Error: `restored, but ${failures}` },
    };
  },
});
