/**
 * Makes one backup of a console: asks the console for its archive, and stores it.
 *
 * @module
 */
import { reasonOf, type Refusal, refuse } from "../../core/errors.ts";
import { after, type Clock, type Timer } from "../../core/ports.ts";
import { shown } from "../../core/shown.ts";
import { unreachable } from "../hub/console-state.ts";
import type { ConsoleEntry } from "../hub/hub-core.ts";
import type { Hub } from "../hub/hub.ts";
import { refusalIn } from "../drift/read-section.ts";
import type { ConsoleId } from "../wire.ts";
import type { KeptBackup } from "./backup-list.ts";
import type { KeptBackups } from "./kept-backups.ts";

/**
 * Maximum time in ms of one backup: a console that sends more slowly loses its place to the next
 * console. The largest backup, 64 MiB, arrives in time over a line of 1 Mbit/s.
 */
export const BACKUP_MS = 10 * 60_000;

/** The name by which the hub itself asks consoles. */
const HUB_USER = "hub-backup";

/** The parts of {@link makeBackup}: the hub, and the folder of its backups. */
export interface MakeBackupParts {
  readonly hub: Pick<Hub, "consoles" | "fetchAsHub">;
  readonly kept: Pick<KeptBackups, "refusal" | "store">;
  readonly clock: Pick<Clock, "now">;
  readonly timer: Timer;
}

/** Makes a backup of a console, or returns why it could not be made; it never rejects. */
export async function makeBackup(
  id: ConsoleId,
  parts: MakeBackupParts,
): Promise<KeptBackup | Refusal> {
  const entry = parts.hub.consoles().get(id);
  if (entry?.state !== "live") return unreachable(entry, id);
  const { may, name } = entry.summary;
  if (may !== "admin") {
    const sentence = `the fleet may only ${may} on ${shown(name)} (its fleet.may)`;
    return refuse("noRight", `${sentence}, and a backup needs admin`);
  }
  try {
    return await parts.kept.refusal(id) ?? await fetched(entry, parts);
  } catch (fault) {
    const why = reasonOf(fault);
    return refuse("notStored", `the backup of ${shown(name)} could not be stored: ${why}`);
  }
}

/** Fetches the archive of a console, and stores it. */
async function fetched(
  entry: ConsoleEntry,
  { hub, kept, clock, timer }: MakeBackupParts,
): Promise<KeptBackup | Refusal> {
  const time = new Date(clock.now()).toISOString();
  const late = new AbortController();
  const stopWaiting = after(timer, BACKUP_MS, () => late.abort(new Error(LATE)));
  try {
    const { signal } = late;
    const request = new Request("http://console/action/backup?Tags=ALL", { signal });
    const answer = await hub.fetchAsHub(HUB_USER, entry.id, request);
    const isArchive = answer.headers.get("content-type") === "application/octet-stream";
    // The time limit also ends a refusal that a console sends slowly.
    const body = answer.body?.pipeThrough(new TransformStream<Uint8Array>(), { signal }) ?? null;
    if (!isArchive || body === null) return await refusalIn({ status: answer.status, body });
    return await kept.store(entry, time, body);
  } finally {
    stopWaiting();
  }
}

const LATE = `it did not come within ${BACKUP_MS / 60_000} minutes`;
