/**
 * The backups of a fleet, as the interfaces of a hub see them.
 *
 * @module
 */
import type { Refusal } from "../../core/errors.ts";
import type { BackupList, KeptBackup } from "./backup-list.ts";
import type { FleetActor } from "../hub/hub-core.ts";
import type { ConsoleId } from "../wire.ts";

/** The backups of a console, the reason why the last try failed, and the alarm of its backups. */
export interface ConsoleBackups extends BackupList {
  readonly failed?: string;
  readonly alarm?: string;
}

/** The selection of the backups that are listed. */
export interface Listed {
  /** Those of this console alone; undefined for all consoles. */
  readonly console?: ConsoleId | undefined;
  /** Whether only the newest backup of each console is listed. */
  readonly newest?: boolean | undefined;
}

/** An archive that is read. */
export interface OpenBackup extends KeptBackup {
  /** The name of the console. */
  readonly name: string;
  readonly body: ReadableStream<Uint8Array>;
}

/** The backups of a fleet. All of it is for admins of the whole fleet. */
export interface Backups {
  /** Lists the backups of each console, also of those that have left the fleet. */
  list(by: FleetActor, listed?: Listed): readonly ConsoleBackups[] | Refusal;
  /** Makes a backup of a console now. */
  now(id: ConsoleId, by: FleetActor): Promise<KeptBackup | Refusal>;
  /** Opens the archive of a backup of a console. */
  open(id: ConsoleId, content: string, by: FleetActor): Promise<OpenBackup | Refusal>;
  /** Makes no further backups; resolves once the backups that are being listed are listed. */
  close(): Promise<void>;
}
