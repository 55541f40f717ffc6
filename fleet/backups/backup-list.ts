/**
 * The backups of one console, as a value: their list, their retention, and the time of the next
 * one.
 *
 * @module
 */
import * as v from "valibot";
import { type ConsoleId, FLEET_ID } from "../wire.ts";

/** Time in ms after which the newest backup of a console is too old. */
export const OLD_MS = 26 * 3_600_000;

/** Time in ms over which the backups of all consoles are spread each night. */
export const WINDOW_MS = 2 * 3_600_000;

/** Time in ms after its turn for which a console that was away is asked again. */
export const RETRY_MS = 6 * 3_600_000;

/** Maximum number of backups of a console that are kept of one day. */
const BACKUPS_A_DAY = 24;

const backup = v.strictObject({
  /** When it was made, in ISO 8601 and UTC. */
  time: v.pipe(v.string(), v.isoTimestamp()),
  /** The digest of its archive. */
  content: v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/)),
  /** Size of the archive. */
  bytes: v.pipe(v.number(), v.integer(), v.minValue(0)),
});

const list = v.strictObject({
  console: v.pipe(v.string(), v.regex(FLEET_ID)),
  name: v.string(),
  site: v.string(),
  backups: v.array(backup),
});

/** A backup that is kept. */
export type KeptBackup = Readonly<v.InferOutput<typeof backup>>;

/** The backups of a console, the newest last. It may have left the fleet since. */
export interface BackupList {
  readonly console: ConsoleId;
  /** The name and the site that it had at the last backup. */
  readonly name: string;
  readonly site: string;
  readonly backups: readonly KeptBackup[];
}

/** Reads a list; undefined for anything else. */
export function readList(text: string): BackupList | undefined {
  try {
    const parsed = v.safeParse(list, JSON.parse(text));
    return parsed.success ? parsed.output : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the newest backup; undefined without one. */
export function newestOf(list: BackupList | undefined): KeptBackup | undefined {
  return list?.backups.at(-1);
}

/**
 * Adds a backup, and keeps only the backups of the newest `keep` days on which there is one. A
 * maximum age would drop them all at once if the clock of the hub is wrong. Of the day of the new
 * backup it keeps the first, as a rule that of the night, and the newest, {@link BACKUPS_A_DAY} in
 * all.
 */
export function withBackup(list: BackupList, made: KeptBackup, keep: number): BackupList {
  const backups = [...list.backups, made];
  const days = [...new Set(backups.map(dayOf).reverse())].slice(0, keep);
  const ofDay = backups.filter((one) => dayOf(one) === dayOf(made));
  const tooMany = ofDay.slice(1, Math.max(1, ofDay.length - BACKUPS_A_DAY + 1));
  const isKept = (one: KeptBackup) => days.includes(dayOf(one)) && !tooMany.includes(one);
  return { ...list, backups: backups.filter(isKept) };
}

function dayOf({ time }: KeptBackup): string {
  return time.slice(0, "2026-11-25".length);
}

/**
 * Returns when it was last the turn of a console, at `now` in ms since 1970. Its turn is each night
 * in the window that begins at `at`, a local time such as "02:30", and always at the same time.
 */
export function lastTurn(console: ConsoleId, at: string, now: number): number {
  // Ids are random, so the turns spread evenly over the window.
  const delay = Math.floor(parseInt(console.slice(0, 8), 16) / 2 ** 32 * WINDOW_MS);
  const [hours, minutes] = at.split(":").map(Number);
  const today = new Date(now - delay);
  const [year, month, day] = [today.getFullYear(), today.getMonth(), today.getDate()];
  // Where the clock skips the hour before midnight, the turn of yesterday may be later than now.
  const begins = [0, 1, 2].map((ago) => new Date(year, month, day - ago, hours, minutes).getTime());
  return begins.find((begin) => begin <= now - delay)! + delay;
}

/**
 * Says whether a console has to be backed up now. A backup from the future, which the hub made
 * while its clock was wrong, does not count.
 */
export function isDue(
  console: ConsoleId,
  list: BackupList | undefined,
  at: string,
  now: number,
): boolean {
  const turn = lastTurn(console, at, now);
  const time = Date.parse(newestOf(list)?.time ?? "");
  return now - turn < RETRY_MS && !(turn <= time && time <= now);
}

/**
 * Returns the alarm of the backups of a console; undefined without a fault. `since` is when the
 * hub began to make backups, in ms since 1970.
 */
export function backupAlarm(
  list: BackupList | undefined,
  failed: string | undefined,
  now: number,
  since: number,
): string | undefined {
  const newest = newestOf(list);
  const why = failed === undefined ? "" : `: ${failed}`;
  if (newest === undefined) {
    return failed !== undefined || now - since > OLD_MS ? `There is no backup${why}` : undefined;
  }
  // The hub made a backup from the future while its clock was wrong: it must not silence the alarm.
  if (Math.abs(now - Date.parse(newest.time)) <= OLD_MS) return undefined;
  return `The newest backup is of ${newest.time}${why}`;
}
