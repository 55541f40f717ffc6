/**
 * The backups of all consoles of a fleet: one backup of each console each night, spread over a
 * window, in one folder. Of several hubs, the hub with the lease makes them.
 *
 * @module
 */
import { isRefusal, type Refusal, refuse } from "../../core/errors.ts";
import type { Json } from "../../core/json.ts";
import { after, type Clock, type CooperativeScheduler, type Timer } from "../../core/ports.ts";
import { shown } from "../../core/shown.ts";
import type { BackupFiles } from "./backup-files.ts";
import { backupAlarm, isDue, type KeptBackup } from "./backup-list.ts";
import { noConsole, unreachable } from "../hub/console-state.ts";
import type { Backups, ConsoleBackups } from "./fleet-backups.ts";
import type { ConsoleEntry, FleetActor } from "../hub/hub-core.ts";
import type { Hub } from "../hub/hub.ts";
import { keepBackups } from "./kept-backups.ts";
import type { Leases } from "../ledger/lease.ts";
import { giveNightly, LOOK_MS, takeNightly } from "./nightly-hub.ts";
import { refusalIn } from "../drift/read-section.ts";
import type { ConsoleId, FleetMay } from "../wire.ts";

/** Time in ms after which a console whose backup failed is asked again. */
export const AGAIN_MS = 15 * 60_000;

/** Maximum number of nightly backups that are made at a time. */
const AT_ONCE = 2;

/**
 * Maximum time in ms of one backup: a console that sends more slowly loses its place to the next
 * console. The largest backup, 64 MiB, arrives in time over a line of 1 Mbit/s.
 */
export const BACKUP_MS = 10 * 60_000;

/** The name by which the hub itself asks consoles. */
const HUB_USER = "hub-backup";

/** The subject of a question to the hub that makes the backups: it is asked for one. */
const ASKED = "backup";

/** Time in ms for the way of such a question and of its answer. */
const WAY_MS = 10_000;

/** The ports of {@link openBackups}, and when backups are made. */
export interface BackupsWorld {
  readonly files: BackupFiles;
  readonly clock: Pick<Clock, "now">;
  readonly timer: Timer;
  readonly scheduler: CooperativeScheduler;
  /** The local time at which the nightly backups begin, such as "02:30". */
  readonly at: string;
  /** Number of nights for which a backup is kept. */
  readonly keep: number;
  /** Is told of what is wrong with the folder. */
  readonly onFault: (fault: unknown) => void;
}

/** Why the last backup of a console failed. */
interface Failed {
  readonly why: string;
  readonly time: number;
  /** What the console let the fleet do then: where that changes, the reason may be gone. */
  readonly may: FleetMay | undefined;
}

/** The part of a hub that backups need. */
export type BackupHub = Pick<
  Hub,
  "consoles" | "watch" | "fetchAsHub" | "note" | "refresh" | "tell" | "leases" | "between"
>;

/** Opens the folder of backups, and makes backups from then on. */
export async function openBackups(hub: BackupHub, world: BackupsWorld): Promise<Backups> {
  const { clock, timer, at, onFault } = world;
  const since = clock.now();
  const failed = new Map<ConsoleId, Failed>();
  const running = new Map<ConsoleId, Promise<KeptBackup | Refusal>>();
  const { leases } = hub;
  const mayWrite = () => leases === undefined || takeNightly(leases);
  const kept = keepBackups({ ...world, mayWrite });
  const { lists } = kept;
  /** The consoles whose turn it is. */
  let due: ConsoleId[] = [];
  /** Whether this hub makes the backups; with several hubs the lease decides. */
  let isOurs = leases === undefined;
  let stopAnswering = () => {};
  let isClosed = false;
  /** Resolves once this hub has taken or renewed the lease, or has failed to. */
  let taking: Promise<unknown> = Promise.resolve();

  await kept.read();
  if (isOurs) await kept.clear();

  function look(): void {
    cancel = after(timer, LOOK_MS, look);
    if (leases === undefined) turn();
    else taking = takeOver(leases).catch(onFault).then(turn);
  }

  /** Takes or renews the lease. A hub that takes it anew goes on with the folder as it finds it. */
  async function takeOver(leases: Leases): Promise<void> {
    const wasOurs = isOurs;
    try {
      // A hub that cannot read the folder, or waits for that, leaves the lease to another.
      await kept.read();
      const isTaken = await takeNightly(leases);
      if (isClosed) {
        isOurs = isTaken;
        return;
      }
      if (isTaken && !wasOurs) {
        await kept.read();
        await kept.clear();
        stopAnswering = hub.between?.serve(ASKED, answerHub) ?? stopAnswering;
      }
      if (!isTaken) stopAnswering();
      isOurs = isTaken;
    } catch (fault) {
      isOurs = false;
      stopAnswering();
      await giveNightly(leases);
      throw fault;
    }
  }

  function turn(): void {
    if (isClosed) return;
    for (const id of hub.consoles().keys()) judge(id);
    if (isOurs) begin();
  }

  /** Says whether it is the turn of a console, and the console can be reached. */
  function isDueNow(id: ConsoleId): boolean {
    const now = clock.now();
    return hub.consoles().get(id)?.state === "live" && !running.has(id) &&
      now - (failed.get(id)?.time ?? 0) >= AGAIN_MS && isDue(id, lists.get(id), at, now);
  }

  /**
   * Queues the consoles whose turn it is, the latest failures last, and begins the first backups.
   */
  function begin(): void {
    const triedAt = (id: ConsoleId) => failed.get(id)?.time ?? 0;
    due = [...hub.consoles().keys()].filter(isDueNow)
      .sort((one, other) => triedAt(one) - triedAt(other));
    fill();
  }

  /** Begins backups of queued consoles while places are free. */
  function fill(): void {
    while (isOurs && !isClosed && running.size < AT_ONCE) {
      const id = due.shift();
      if (id === undefined) return;
      if (isDueNow(id)) back(id).catch(onFault);
    }
  }

  /** Shows the alarm of the backups of a console on its row. */
  function judge(id: ConsoleId): void {
    hub.note(id, alarmOf(id));
  }

  /**
   * Returns the alarm of the backups of a console; undefined for a console that is not in the
   * fleet.
   */
  function alarmOf(id: ConsoleId): string | undefined {
    const { state = "quarantined" } = hub.consoles().get(id) ?? {};
    return state === "quarantined"
      ? undefined
      : backupAlarm(lists.get(id), failed.get(id)?.why, clock.now(), since);
  }

  /** Makes the backup of a console, or waits for the one that is being made. */
  function back(id: ConsoleId): Promise<KeptBackup | Refusal> {
    const under = running.get(id);
    if (under !== undefined) return under;
    const made = make(id).then((outcome) => {
      const may = hub.consoles().get(id)?.summary.may;
      if (isRefusal(outcome)) failed.set(id, { why: outcome.message, time: clock.now(), may });
      else failed.delete(id);
      return outcome;
    }).finally(() => {
      running.delete(id);
      judge(id);
      fill();
    });
    running.set(id, made);
    return made;
  }

  async function make(id: ConsoleId): Promise<KeptBackup | Refusal> {
    const entry = hub.consoles().get(id);
    if (entry?.state !== "live") return unreachable(entry, id);
    const { may, name } = entry.summary;
    if (may !== "admin") {
      const sentence = `the fleet may only ${may} on ${shown(name)} (its fleet.may)`;
      return refuse("noRight", `${sentence}, and a backup needs admin`);
    }
    try {
      return await kept.refusal(id) ?? await fetched(entry);
    } catch (fault) {
      const why = fault instanceof Error ? fault.message : String(fault);
      return refuse("notStored", `the backup of ${shown(name)} could not be stored: ${why}`);
    }
  }

  /** Fetches the archive of a console, and stores it. */
  async function fetched(entry: ConsoleEntry): Promise<KeptBackup | Refusal> {
    const time = new Date(clock.now()).toISOString();
    const late = new AbortController();
    const stopWaiting = after(timer, BACKUP_MS, () => late.abort(new Error(LATE)));
    try {
      const { signal } = late;
      const request = new Request("http://console/action/backup?Tags=ALL", { signal });
      const answer = await hub.fetchAsHub(HUB_USER, entry.id, request);
      const isArchive = answer.headers.get("content-type") === "application/octet-stream";
      // The time also ends a refusal that a console sends slowly.
      const body = answer.body?.pipeThrough(new TransformStream<Uint8Array>(), { signal }) ?? null;
      if (!isArchive || body === null) return await refusalIn({ status: answer.status, body });
      return await kept.store(entry, time, body);
    } finally {
      stopWaiting();
    }
  }

  /** Makes a backup for another hub, or returns why it could not be made. */
  async function answerHub(asked: Json): Promise<Json> {
    return await back(asked as ConsoleId) as unknown as Json;
  }

  /** Asks the hub that makes the backups for a backup. */
  async function askHub(id: ConsoleId): Promise<KeptBackup | Refusal> {
    try {
      const answer = await hub.between!.ask(ASKED, id, BACKUP_MS + WAY_MS);
      await kept.read();
      return answer as unknown as KeptBackup | Refusal;
    } catch {
      return refuse("notStored", NO_HUB);
    }
  }

  function backupsOf(id: ConsoleId, newest: boolean): ConsoleBackups {
    const { name, site } = hub.consoles().get(id)?.summary ?? lists.get(id)!;
    const all = lists.get(id)?.backups ?? [];
    const [why, alarm] = [failed.get(id)?.why, alarmOf(id)];
    return {
      console: id,
      name,
      site,
      backups: newest ? all.slice(-1) : all,
      ...(why === undefined ? {} : { failed: why }),
      ...(alarm === undefined ? {} : { alarm }),
    };
  }

  function adminRefusal({ user }: FleetActor): Refusal | undefined {
    const now = user && hub.refresh(user);
    if (now === undefined) {
      return refuse("notLoggedIn", "expected the token of an admin of the fleet", "token");
    }
    if (now.may === "admin") return undefined;
    return refuse("noRight", `user ${now.name} is not an admin of the whole fleet`);
  }

  function tell(by: FleetActor, what: string, target: ConsoleId, refusal: Refusal | undefined) {
    const refused = refusal === undefined ? {} : { refused: refusal.message };
    hub.tell({ user: by.user?.name, from: by.from, what, target, ...refused });
  }

  const stopWatching = hub.watch((id, entry) => {
    if (failed.has(id) && entry?.summary.may !== failed.get(id)?.may) failed.delete(id);
  });
  let cancel = after(timer, 0, look);
  return {
    list(by, { console, newest = false } = {}) {
      const refusal = adminRefusal(by);
      if (refusal !== undefined) return refusal;
      const ids = new Set([...hub.consoles().keys(), ...lists.keys()]);
      if (console === undefined) return [...ids].map((id) => backupsOf(id, newest));
      return ids.has(console) ? [backupsOf(console, newest)] : noConsole(console);
    },
    async now(id, by) {
      const outcome = adminRefusal(by) ?? await (isOurs ? back(id) : askHub(id));
      tell(by, "backup", id, isRefusal(outcome) ? outcome : undefined);
      return outcome;
    },
    async open(id, content, by) {
      const refusal = adminRefusal(by);
      const list = lists.get(id);
      const kept = list?.backups.findLast((one) => one.content === content);
      const missing = refusal ??
        (list === undefined
          ? noConsole(id)
          : kept === undefined
          ? refuse("noSuchObject", "there is no such backup of the console", "content")
          : undefined);
      // Another hub may have removed the archive since this one has read the list.
      const body = missing ?? await world.files.open("archive", content).catch(unopened);
      tell(by, "getbackup", id, isRefusal(body) ? body : undefined);
      return isRefusal(body) ? body : { name: list!.name, ...kept!, body };
    },
    async close() {
      if (isClosed) return;
      isClosed = true;
      cancel();
      stopWatching();
      stopAnswering();
      // A lease that is being taken now is given back, too.
      await taking;
      await kept.settled();
      if (isOurs && leases !== undefined) await giveNightly(leases);
    },
  };
}

function unopened(fault: unknown): Refusal {
  const why = fault instanceof Error ? fault.message : String(fault);
  return refuse("noSuchObject", `the archive cannot be read: ${why}`, "content");
}

const LATE = `it did not come within ${BACKUP_MS / 60_000} minutes`;

const NO_HUB = "the hub that makes the backups does not answer; another one takes over within " +
  "four minutes";
