/**
 * The backups of all consoles of a fleet: each night one of each, spread over a window, in one
 * folder. The same content is stored once. A backup counts once its archive was read to the end from
 * the medium.
 *
 * @module
 */
import { isRefusal, type Refusal, refuse } from "../../core/errors.ts";
import { BACKUP_PACKED_BYTES } from "../../core/limits.ts";
import type { Packed } from "../../core/backup/unpack.ts";
import { after, type Clock, type CooperativeScheduler, type Timer } from "../../core/ports.ts";
import { shown } from "../../core/shown.ts";
import { contentOf } from "./archive-content.ts";
import type { BackupFiles } from "./backup-files.ts";
import {
  backupAlarm,
  type BackupList,
  isDue,
  type KeptBackup,
  readList,
  withBackup,
} from "./backup-list.ts";
import { noConsole, unreachable } from "../hub/console-state.ts";
import type { Backups, ConsoleBackups } from "./fleet-backups.ts";
import type { ConsoleEntry, FleetActor } from "../hub/hub-core.ts";
import type { Hub } from "../hub/hub.ts";
import { refusalIn } from "../drift/read-section.ts";
import type { ConsoleId } from "../wire.ts";

/** Interval in ms at which the hub looks whose turn it is. */
export const LOOK_MS = 60_000;

/** Time in ms after which a console whose backup failed is asked again. */
export const AGAIN_MS = 15 * 60_000;

/** Maximum number of backups that are made at a time. */
const AT_ONCE = 2;

/** The name by which the hub itself asks consoles. */
const HUB_USER = "hub-backup";

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
}

/** The part of a hub that backups need. */
export type BackupHub = Pick<
  Hub,
  "consoles" | "watch" | "fetchAsHub" | "note" | "refresh" | "tell"
>;

/** Opens the folder of backups, and makes backups from then on. */
export async function openBackups(hub: BackupHub, world: BackupsWorld): Promise<Backups> {
  const { files, clock, timer, scheduler, at, keep, onFault } = world;
  const since = clock.now();
  const lists = new Map<ConsoleId, BackupList>();
  const failed = new Map<ConsoleId, Failed>();
  const running = new Map<ConsoleId, Promise<KeptBackup | Refusal>>();
  /** Whether each list could be read: else nobody knows which archives are of none. */
  let isComplete = true;
  let listing: Promise<unknown> = Promise.resolve();
  let isClosed = false;

  for (const [id, text] of await files.lists()) {
    const list = readList(text);
    if (list?.console === id) lists.set(id, list);
    else {
      isComplete = false;
      onFault(new Error(`the list of backups of ${id} cannot be read; no archive is removed`));
    }
  }
  await collect();

  function look(): void {
    cancel = after(timer, LOOK_MS, look);
    const now = clock.now();
    for (const [id, entry] of hub.consoles()) {
      judge(id);
      const triedAt = failed.get(id)?.time ?? -Infinity;
      const isTurn = entry.state === "live" && now - triedAt >= AGAIN_MS &&
        isDue(id, lists.get(id), at, now);
      if (isTurn && running.size < AT_ONCE) void back(id).catch(onFault);
    }
  }

  /** Shows on the row of a console what is wrong with its backups. */
  function judge(id: ConsoleId): void {
    hub.note(id, alarmOf(id));
  }

  /** Says what is wrong with the backups of a console that is in the fleet. */
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
      if (isRefusal(outcome)) failed.set(id, { why: outcome.message, time: clock.now() });
      else failed.delete(id);
      return outcome;
    }).finally(() => {
      running.delete(id);
      judge(id);
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
    const time = new Date(clock.now()).toISOString();
    const request = new Request("http://console/action/backup?Tags=ALL");
    const answer = await hub.fetchAsHub(HUB_USER, id, request);
    const isArchive = answer.headers.get("content-type") === "application/octet-stream";
    if (!isArchive || answer.body === null) return await refusalIn(answer);
    try {
      return await store(entry, time, answer.body);
    } catch (fault) {
      const why = fault instanceof Error ? fault.message : String(fault);
      return refuse("notStored", `the backup of ${shown(name)} could not be stored: ${why}`);
    }
  }

  async function store(
    entry: ConsoleEntry,
    time: string,
    body: ReadableStream<Uint8Array>,
  ): Promise<KeptBackup | Refusal> {
    const { name: unfinished, bytes } = await files.receive(body, BACKUP_PACKED_BYTES);
    try {
      const read = await contentOf(await files.open("unfinished", unfinished) as Packed, scheduler);
      if (isRefusal(read)) return read;
      const made = { time, content: read.content, bytes };
      await oneByOne(() => list(entry, made, unfinished));
      return made;
    } finally {
      await files.remove("unfinished", unfinished).catch(onFault);
    }
  }

  /** Puts an archive and its line in their places, in this order. */
  async function list(
    { id, summary: { name, site } }: ConsoleEntry,
    made: KeptBackup,
    unfinished: string,
  ): Promise<void> {
    const { content } = made;
    // In the place of one of the same content: that may have been damaged since.
    await files.keep(unfinished, content);
    const before = lists.get(id) ?? { console: id, name, site, backups: [] };
    const now = withBackup({ ...before, name, site }, made, keep);
    await files.writeList(id, JSON.stringify(now, null, 2));
    lists.set(id, now);
    if (now.backups.length <= before.backups.length) await collect();
  }

  /** Removes the archives that no list has. */
  async function collect(): Promise<void> {
    if (!isComplete) return;
    const listed = new Set(
      [...lists.values()].flatMap(({ backups }) => backups.map(({ content }) => content)),
    );
    for (const content of await files.archives()) {
      if (!listed.has(content)) await files.remove("archive", content);
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

  function oneByOne(work: () => Promise<void>): Promise<void> {
    const done = listing.then(work);
    listing = done.catch(() => {});
    return done;
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
    if (entry === undefined) failed.delete(id);
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
      const outcome = adminRefusal(by) ?? await back(id);
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
      tell(by, "getbackup", id, missing);
      if (missing !== undefined) return missing;
      return { name: list!.name, ...kept!, body: await files.open("archive", content) };
    },
    async close() {
      if (isClosed) return;
      isClosed = true;
      cancel();
      stopWatching();
      await listing;
    },
  };
}
