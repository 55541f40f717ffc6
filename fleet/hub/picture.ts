/**
 * The picture of the fleet: the consoles as a hub shows them. Frames and the passing of time keep
 * it up to date.
 *
 * @module
 */
import { DEFAULT_NAME } from "../../core/configuration/schema.ts";
import type { Clock, Timer } from "../../core/ports.ts";
import type { ConsoleEntry } from "./hub-core.ts";
import { entryOf, judgeAgainAt, judged, type Patience, type Presence } from "./presence.ts";
import type { ConsoleId } from "../wire.ts";

/** Minimum interval in ms between two checks for late consoles. */
const LOOK_MS = 250;

/** Receives a change; the entry of a removed console is undefined. */
export type Watcher = (id: ConsoleId, entry: ConsoleEntry | undefined) => void;

/** The picture of a fleet. */
export interface Picture {
  readonly entries: ReadonlyMap<ConsoleId, ConsoleEntry>;
  presence(id: ConsoleId): Presence | undefined;
  /** Returns the entry of a console at this moment, even if the hub stood still until now. */
  now(id: ConsoleId): ConsoleEntry | undefined;
  /** Replaces the presence of a console; watchers are told if its entry changes. */
  set(presence: Presence): void;
  remove(id: ConsoleId): void;
  /** Adds an alarm of the hub itself to those of a console; undefined removes it. */
  note(id: ConsoleId, alarm: string | undefined): void;
  /** Shows a console that another part of the hub knows; undefined removes it. */
  show(id: ConsoleId, entry: ConsoleEntry | undefined): void;
  watch(watcher: Watcher): () => void;
  /** Ends the checks for late consoles. */
  close(): void;
}

/** Makes an empty picture. */
export function createPicture(
  { clock, timer, patience }: {
    readonly clock: Clock;
    readonly timer: Timer;
    readonly patience: Patience;
  },
): Picture {
  const presences = new Map<ConsoleId, Presence>();
  const entries = new Map<ConsoleId, ConsoleEntry>();
  /** The entries without the alarms of the hub, and those alarms. */
  const bare = new Map<ConsoleId, ConsoleEntry>();
  const notes = new Map<ConsoleId, string>();
  const watchers = new Set<Watcher>();
  let stopLooking = () => {};
  let lookAt = Infinity;
  let isClosed = false;

  function show(id: ConsoleId, entry: ConsoleEntry | undefined): void {
    if (entry === undefined) {
      bare.delete(id);
      entries.delete(id);
      notes.delete(id);
    } else {
      const named = withName(entry);
      bare.set(id, named);
      entries.set(id, withAlarm(named, notes.get(id)));
    }
    for (const watcher of watchers) watcher(id, entries.get(id));
  }

  function wallTime(time: number): number {
    return Math.round(clock.now() - (timer.monotonic() - time));
  }

  function set(presence: Presence): void {
    const before = presences.get(presence.id);
    if (before === presence) return;
    presences.set(presence.id, presence);
    wakeFor(judgeAgainAt(presence, patience));
    const isShown = before !== undefined && before.state === presence.state &&
      before.sinceAt === presence.sinceAt && before.summary === presence.summary &&
      before.digests === presence.digests && before.clonedAt === presence.clonedAt;
    if (isShown) return;
    const shown = entries.get(presence.id);
    // The wall clock may have been set: the start of a state that goes on stays.
    const at = before?.sinceAt === presence.sinceAt && shown !== undefined
      ? () => shown.since
      : wallTime;
    show(presence.id, entryOf(presence, at));
  }

  function wakeFor(due: number): void {
    if (isClosed || due >= lookAt || due === Infinity) return;
    stopLooking();
    lookAt = Math.max(due, timer.monotonic() + LOOK_MS);
    stopLooking = timer.at(lookAt, look);
  }

  function look(): void {
    const now = timer.monotonic();
    lookAt = Infinity;
    let next = Infinity;
    for (const presence of [...presences.values()]) {
      const after = judged(presence, now, patience);
      set(after);
      next = Math.min(next, judgeAgainAt(after, patience));
    }
    wakeFor(next);
  }

  return {
    entries,
    presence: (id) => presences.get(id),
    now(id) {
      const presence = presences.get(id);
      if (presence !== undefined) set(judged(presence, timer.monotonic(), patience));
      return entries.get(id);
    },
    set,
    remove(id) {
      if (presences.delete(id)) show(id, undefined);
    },
    note(id, alarm) {
      const entry = bare.get(id);
      if (entry === undefined || notes.get(id) === alarm) return;
      if (alarm === undefined) notes.delete(id);
      else notes.set(id, alarm);
      show(id, entry);
    },
    show,
    watch(watcher) {
      watchers.add(watcher);
      return () => void watchers.delete(watcher);
    },
    close() {
      isClosed = true;
      stopLooking();
    },
  };
}

/** Number of digits of the id that are shown with a console without a name. */
const NAME_DIGITS = 8;

function withName(entry: ConsoleEntry): ConsoleEntry {
  const { id, summary } = entry;
  if (summary.name !== DEFAULT_NAME && summary.name !== "") return entry;
  return { ...entry, summary: { ...summary, name: `${DEFAULT_NAME} ${id.slice(0, NAME_DIGITS)}` } };
}

function withAlarm(entry: ConsoleEntry, alarm: string | undefined): ConsoleEntry {
  if (alarm === undefined) return entry;
  const { summary } = entry;
  return { ...entry, summary: { ...summary, alarms: [...summary.alarms, alarm] } };
}
