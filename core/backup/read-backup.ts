/**
 * Reads and checks a backup that is to be restored, all of it before anything is applied
 * (decisions.md, "Backup").
 *
 * @module
 */
import { BACKUP_JSON_VALUES, SETTINGS_VALUES } from "../limits.ts";
import type { CooperativeScheduler } from "../ports.ts";
import { isRefusal, type Refusal } from "../errors.ts";
import { parseUtf8 } from "../json.ts";
import {
  isSettingsTag,
  readSettings,
  type SettingsDocument,
  type SettingsTag,
} from "../settings/settings.ts";
import type { Snapshot } from "../snapshots/snapshot.ts";
import { macOfSite, verifySnapshotData } from "../snapshots/snapshotdata.ts";
import { isBranch } from "../tree/tree.ts";
import type { User } from "../users/user.ts";
import type { Device } from "./device.ts";
import { badArchive } from "./manifest.ts";
import { openSnapshotFile, openSnapshotZero } from "./snapshot-file.ts";
import { isSnapshotTag, type SnapshotTag } from "./snapshot-tag.ts";
import type { Tag } from "./tags.ts";
import { parsePem, type Tls } from "./tls.ts";
import { type Packed, unpack, type UnpackedFile } from "./unpack.ts";
import { openUsers } from "./user-database.ts";
import { readViewDocuments, type ViewDocumentTexts } from "./view-documents-file.ts";

/** The contents of the requested tags of a backup, read and validated. */
export interface BackupContents {
  readonly configuration?: object;
  /**
   * The own parts of the console. They are in no backup, only in a configuration file that is
   * reread.
   */
  readonly own?: object;
  readonly settings: Readonly<Partial<Record<SettingsTag, SettingsDocument>>>;
  /** `null` for the backup of a device without a certificate. */
  readonly tls?: Tls | null;
  readonly users?: readonly User[];
  readonly snapshots: Readonly<Partial<Record<SnapshotTag, readonly Snapshot[]>>>;
  readonly viewDocuments?: ViewDocumentTexts;
}

/** Options and ports of reading a backup. */
export interface ReadBackupOptions extends Pick<Device, "checkCertificate"> {
  readonly siteKey: string | undefined;
  readonly scheduler: CooperativeScheduler;
}

/**
 * Reads the requested tags of a packed archive; for TLS alone it may be a tar of `tls.pem` only.
 * Refuses (3) with parameter `Tags`: a tag that the archive lacks. Refuses (3) with parameter
 * `file`: a damaged archive (see {@link unpack}), an invalid document or certificate, and users or
 * snapshots that were altered or come from a console with another site key.
 */
export async function readBackup(
  packed: Packed,
  tags: readonly Tag[],
  { siteKey, checkCertificate, scheduler }: ReadBackupOptions,
): Promise<BackupContents | Refusal> {
  const settings: Partial<Record<SettingsTag, SettingsDocument>> = {};
  const snapshots: Partial<Record<SnapshotTag, Snapshot[]>> = {};
  for (const tag of tags) if (isSnapshotTag(tag)) snapshots[tag] = [];
  const macOf = await macOfSite(siteKey);
  const verify = (data: unknown) => verifySnapshotData(data, macOf, scheduler);
  let rest: Pick<BackupContents, "configuration" | "tls" | "users" | "viewDocuments"> = {};

  async function take({ tag, name, bytes }: UnpackedFile): Promise<Refusal | undefined> {
    await scheduler.pause();
    if (tag === "TLS") {
      const read = parsePem(bytes);
      if (read === undefined) return badArchive(`${name} is not a certificate and one key as PEM`);
      const fault = read.tls && await checkCertificate(read.tls);
      if (fault !== undefined) return badArchive(`${name}: ${fault}`);
      rest = { ...rest, tls: read.tls ?? null };
    } else if (tag === "USERS") {
      const users = await openUsers(bytes, siteKey);
      if (users === undefined) {
        return badArchive(`${name} was altered, or comes from a console with another site key`);
      }
      if (typeof users === "string") return badArchive(`${name}: ${users}`);
      rest = { ...rest, users };
    } else if (tag === "VIEW") {
      const read = readViewDocuments(name, bytes);
      if (isRefusal(read)) return read;
      rest = { ...rest, ...read };
    } else if (tag === "SNAPZERO") {
      const opened = await openSnapshotZero(name, bytes, verify);
      if (isRefusal(opened)) return opened;
      snapshots[tag]!.push(...opened);
    } else if (isSnapshotTag(tag)) {
      const opened = await openSnapshotFile(tag, name, bytes, verify);
      if (isRefusal(opened)) return opened;
      snapshots[tag]!.push(opened);
    } else {
      const most = isSettingsTag(tag) ? SETTINGS_VALUES : BACKUP_JSON_VALUES;
      const document = parseUtf8(bytes, most);
      if (!isBranch(document)) {
        return badArchive(`${name} is not a JSON object of at most ${most} values`);
      }
      if (isSettingsTag(tag)) {
        const read = readSettings(tag, document, "file");
        if (isRefusal(read)) return read;
        settings[tag] = read.document;
      } else {
        rest = { ...rest, configuration: document };
      }
    }
    return undefined;
  }

  const refusal = await unpack(packed, { wanted: tags }, take, scheduler);
  return refusal ?? { ...rest, settings, snapshots };
}
