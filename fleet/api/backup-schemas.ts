/**
 * Schemas of results of the RPC methods for backups, and the refusal of a hub that makes none.
 *
 * @module
 */
import { refuse } from "../../core/errors.ts";
import { numberResult, textResult } from "../../transport/schemas.ts";

/** The members of a backup. */
export const keptBackup = {
  time: textResult("when it was made, in ISO 8601 and UTC"),
  content: textResult("digest of what it holds; its archive is at /backups/{console}/{content}"),
  bytes: numberResult("size of its archive"),
};

/** The refusal of a hub without `backup` in its configuration. */
export const NO_BACKUPS = refuse(
  "noSuchObject",
  'this hub makes no backups: its configuration has no member "backup"',
);
