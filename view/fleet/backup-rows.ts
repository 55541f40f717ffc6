/**
 * The rows of the page Backups: the consoles, and the age of the newest backup of each.
 *
 * @module
 */
import type { FleetRpcResult } from "../../fleet/api/rpc-methods.ts";
import type { FleetConsole } from "./console.ts";
import { searchFor } from "./rows.ts";

/** The backups of a console, as the hub lists them. */
export type Listed = FleetRpcResult<"fleetbackuplist">[number];

/** A backup. */
export type KeptBackup = Listed["backups"][number];

/** A console and its backups. It may have left the fleet, or have no backup yet. */
export interface BackupRow {
  readonly id: string;
  readonly name: string;
  readonly site: string;
  /** Undefined for a console that has left the fleet. */
  readonly console: FleetConsole | undefined;
  readonly newest: KeptBackup | undefined;
  /** The reason for which there should be a newer backup; undefined without a fault. */
  readonly alarm: string | undefined;
  /** The reason for which the last backup failed. */
  readonly failed: string | undefined;
}

/**
 * Returns the rows of the consoles of a fleet and of consoles that have left it, by site and name.
 * Consoles in quarantine have no row. `never` is the alarm of a console without a backup.
 */
export function backupRowsOf(
  listed: readonly Listed[],
  consoles: Readonly<Record<string, FleetConsole>>,
  never: string,
  collator: Intl.Collator,
): BackupRow[] {
  return listed.flatMap((one): BackupRow[] => {
    const { console: id, name, site, backups, failed, alarm } = one;
    const known = consoles[id];
    const console = known?._state === "removed" ? undefined : known;
    if (console?._state === "quarantined") return [];
    const newest = backups.at(-1);
    const wrong = alarm ?? (newest === undefined ? failed ?? never : undefined);
    return [{
      id,
      name,
      site,
      console,
      newest,
      alarm: console === undefined ? undefined : wrong,
      failed,
    }];
  }).sort((one, other) =>
    collator.compare(one.site, other.site) || collator.compare(one.name, other.name) ||
    (one.id < other.id ? -1 : 1)
  );
}

/** Returns the rows that contain all words and belong to a site. */
export function foundRows(
  rows: readonly BackupRow[],
  words: string,
  site: string | undefined,
): BackupRow[] {
  const hasWords = searchFor(words);
  return rows.filter((row) =>
    (site === undefined || row.site === site) &&
    hasWords(row.id, row.name, row.site, row.alarm ?? "")
  );
}

const UNITS = [["day", 86_400_000], ["hour", 3_600_000], ["minute", 60_000]] as const;

/**
 * Returns an age in the largest unit that it reaches, rounded down; an age below a minute is
 * 0 minutes.
 */
export function ageOf(ms: number): readonly [count: number, unit: "day" | "hour" | "minute"] {
  const [unit, length] = UNITS.find(([, length]) => ms >= length) ?? UNITS[2];
  return [Math.max(0, Math.floor(ms / length)), unit];
}
