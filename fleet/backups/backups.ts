/**
 * The backups of all consoles of a fleet: one backup of each console each night, spread over a
 * window, in one folder. Of several hubs, the hub with the lease makes them.
 *
 * @module
 */
import { isRefusal, reasonOf, type Refusal, refuse } from "../../core/errors.ts";
import { after, type Clock, type CooperativeScheduler, type Timer } from "../../core/ports.ts";
import type { BackupFiles } from "./backup-files.ts";
import { backupAlarm } from "./backup-list.ts";
import { createBackupTurns } from "./backup-turns.ts";
import { noConsole } from "../hub/console-state.ts";
import type { Backups, ConsoleBackups } from "./fleet-backups.ts";
import type { FleetActor } from "../hub/hub-core.ts";
import type { Hub } from "../hub/hub.ts";
import { adminRefusal } from "../hub/rights.ts";
import { keepBackups } from "./kept-backups.ts";
import { joinNightly, LOOK_MS, takeNightly } from "./nightly-hub.ts";
import type { ConsoleId } from "../wire.ts";

/** The ports of {@link openBackups}, and when backups are made. */
export interface BackupsWorld {
  readonly files: BackupFiles;
  readonly clock: Pick<Clock, "now">;
  readonly timer: Timer;
  readonly scheduler: CooperativeScheduler;
  /** The local time at which the nightly backups begin, such as "02:30". */
  readonly at: string;
  /** Number of days whose backups are kept: the newest days on which there is a backup. */
  readonly keep: number;
  /** Called with each fault of the folder. */
  readonly onFault: (fault: unknown) => void;
}

/** The part of a hub that backups need. */
export type BackupHub = Pick<
  Hub,
  "consoles" | "watch" | "fetchAsHub" | "note" | "refresh" | "tell" | "leases" | "between"
>;

/** Opens the folder of backups, and makes backups from then on. */
export async function openBackups(hub: BackupHub, world: BackupsWorld): Promise<Backups> {
  const { clock, timer, onFault } = world;
  const since = clock.now();
  const { leases, between } = hub;
  const mayWrite = leases && (() => takeNightly(leases));
  const kept = keepBackups({ ...world, mayWrite });
  const { lists } = kept;
  let isClosed = false;

  await kept.read();
  if (leases === undefined) await kept.clear();
  const turns = createBackupTurns({ ...world, hub, kept, isOurs, ended: judge });
  const nightly = leases && joinNightly({ leases, between, kept, make: turns.make, onFault });
  let cancel = after(timer, 0, look);

  /** Says whether this hub makes the backups; of several hubs the one with the lease does. */
  function isOurs(): boolean {
    return nightly?.isOurs() ?? true;
  }

  function look(): void {
    cancel = after(timer, LOOK_MS, look);
    if (nightly === undefined) turn();
    else nightly.look().then(turn);
  }

  function turn(): void {
    if (isClosed) return;
    for (const id of hub.consoles().keys()) judge(id);
    if (isOurs()) turns.begin();
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
      : backupAlarm(lists.get(id), turns.failed(id), clock.now(), since);
  }

  function backupsOf(id: ConsoleId, newest: boolean): ConsoleBackups {
    const { name, site } = hub.consoles().get(id)?.summary ?? lists.get(id)!;
    const all = lists.get(id)?.backups ?? [];
    const [why, alarm] = [turns.failed(id), alarmOf(id)];
    return {
      console: id,
      name,
      site,
      backups: newest ? all.slice(-1) : all,
      ...(why === undefined ? {} : { failed: why }),
      ...(alarm === undefined ? {} : { alarm }),
    };
  }

  function tell(by: FleetActor, what: string, target: ConsoleId, refusal: Refusal | undefined) {
    const refused = refusal === undefined ? {} : { refused: refusal.message };
    hub.tell({ user: by.user?.name, from: by.from, what, target, ...refused });
  }

  return {
    list(by, { console, newest = false } = {}) {
      const refusal = adminRefusal(by, hub);
      if (refusal !== undefined) return refusal;
      const ids = new Set([...hub.consoles().keys(), ...lists.keys()]);
      if (console === undefined) return [...ids].map((id) => backupsOf(id, newest));
      return ids.has(console) ? [backupsOf(console, newest)] : noConsole(console);
    },
    async now(id, by) {
      const outcome = adminRefusal(by, hub) ?? await (isOurs() ? turns.make(id) : nightly!.ask(id));
      tell(by, "backup", id, isRefusal(outcome) ? outcome : undefined);
      return outcome;
    },
    async open(id, content, by) {
      const refusal = adminRefusal(by, hub);
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
      turns.close();
      await (nightly === undefined ? kept.settled() : nightly.close());
    },
  };
}

function unopened(fault: unknown): Refusal {
  const why = reasonOf(fault);
  return refuse("noSuchObject", `the archive cannot be read: ${why}`, "content");
}
