/**
 * Sends meters to the connections that subscribe to them: to each subscription, once in its
 * interval, the meters that have moved since. The text for a path and an interval is made once for
 * all of them.
 *
 * @module
 */
import type { Console } from "../../core/console.ts";
import {
  createDeferredReports,
  type DeferredReports,
} from "../../core/engines/deferred-reports.ts";
import type { CooperativeScheduler, Timer } from "../../core/ports.ts";
import { metersThatDiffer } from "../../core/tree/meters.ts";
import { find, formatPath, type Path, type Tree } from "../../core/tree/tree.ts";
import { type SendBuffer, updateOf } from "./send-buffer.ts";

/** A receiver of meters. */
export interface MeterHearer {
  readonly sendBuffer: Pick<SendBuffer, "update">;
  mayHear(): boolean;
}

/** A connection that hears of meters. */
export interface Hearer extends MeterHearer {
  readonly sendBuffer: SendBuffer;
}

/** The feed of the meters of a console to the connections that hear of them. */
export interface MeterFeed {
  /** Whether anybody hears of meters. */
  readonly heard: boolean;
  readonly reports: DeferredReports;
  /** From now on the hearer is told of meters at and below a path, once in `interval` ms. */
  tell(hearer: MeterHearer, path: Path, interval: number): void;
  /**
   * The hearer is not told of meters at and below the path any more; without a path, of no meters
   * at all.
   */
  stop(hearer: MeterHearer, path?: Path): void;
}

/** All connections that are told of the meters of one path in one interval. */
interface Group {
  readonly key: string;
  readonly path: Path;
  readonly text: string;
  readonly interval: number;
  readonly hearers: Set<MeterHearer>;
  /** Those who are sent the present update: they were in the group at its turn, and have stayed. */
  told?: Set<MeterHearer>;
  /**
   * The values that they were last sent: keeping the whole tree of each moment would take much
   * memory. Undefined once a hearer is ahead of them: the next update then has all meters.
   */
  known: Tree | undefined;
  /** When they may be told again, in monotonic ms. */
  due: number;
}

/** Interval in ms at which due updates are looked for. Updates are late by up to this time. */
const LOOK_MS = 10;

/** Makes the feed of a console, without hearers at first. */
export function createMeterFeed(
  console: Console,
  timer: Timer,
  scheduler: CooperativeScheduler,
): MeterFeed {
  const reports = createDeferredReports(console, moved);
  const groups = new Map<string, Group>();
  const groupsOf = new Map<MeterHearer, Map<string, Group>>();
  let lookAt = Infinity;
  let cancelLook: (() => void) | undefined;
  let lookedAt = -Infinity;
  let isLooking = false;

  console.watch((event) => {
    if (event.type === "treechanged" && event.ofMeters === true) moved();
  });

  function moved(): void {
    if (groups.size === 0) return;
    const now = timer.monotonic();
    if (now >= lookedAt + LOOK_MS) look();
    else lookIn(lookedAt + LOOK_MS);
  }

  function lookIn(at: number): void {
    if (lookAt <= at) return;
    cancelLook?.();
    lookAt = at;
    cancelLook = timer.at(at, look);
  }

  function look(): void {
    cancelLook?.();
    cancelLook = undefined;
    lookAt = Infinity;
    lookedAt = timer.monotonic();
    if (isLooking) return lookIn(lookedAt + LOOK_MS);
    isLooking = true;
    scheduler.run(tellAll(lookedAt)).catch(console.tellFault);
  }

  // With hundreds of faders each step takes most of a millisecond, for which a fade may wait.
  function* tellAll(now: number): Generator<void, void> {
    let next = now;
    try {
      yield* reports.takeDeferred();
      next = yield* tellGroups(now);
    } finally {
      // After a fault of a watcher or a socket the others are told at the next look.
      isLooking = false;
      if (next < Infinity && groups.size > 0) lookIn(Math.max(next, now + LOOK_MS));
    }
  }

  /** Returns when the next update is due, in monotonic ms. */
  function* tellGroups(now: number): Generator<void, number> {
    let next = Infinity;
    for (const group of [...groups.values()]) {
      if (group.due > now) next = Math.min(next, group.due);
      else yield* tellGroup(group, now);
    }
    return next;
  }

  function* tellGroup(group: Group, now: number): Generator<void, void> {
    const { path, text, interval, hearers } = group;
    yield;
    // A hearer may have joined meanwhile, and be ahead of an earlier tree.
    const { known } = group;
    const standing = find(console.state.tree, path);
    if (standing === known) return;
    group.known = standing;
    const moved = metersThatDiffer(known, standing, path);
    if (moved === undefined) return;
    // An update that is a little late does not delay all that follow.
    group.due = (group.due < now - LOOK_MS ? now : group.due) + interval;
    const update = updateOf(text, moved, { isOfMeters: true });
    const faults: unknown[] = [];
    // A hearer that joins from now on may be ahead of this update.
    const told = group.told = new Set(hearers);
    for (const hearer of told) {
      yield;
      try {
        if (told.has(hearer) && hearer.mayHear()) hearer.sendBuffer.update(update);
      } catch (fault) {
        faults.push(fault);
      }
    }
    if (faults.length > 0) throw faults[0];
  }

  function groupOf(path: Path, text: string, interval: number): Group {
    const key = `${interval} ${text}`;
    const there = groups.get(key);
    if (there !== undefined) return there;
    const known = find(console.state.tree, path);
    const group = { key, path, text, interval, hearers: new Set<MeterHearer>(), known, due: 0 };
    groups.set(key, group);
    return group;
  }

  function leave(hearer: MeterHearer, group: Group): void {
    group.hearers.delete(hearer);
    group.told?.delete(hearer);
    if (group.hearers.size === 0) groups.delete(group.key);
    if (groups.size > 0) return;
    cancelLook?.();
    lookAt = Infinity;
  }

  function stop(hearer: MeterHearer, path?: Path): void {
    const its = groupsOf.get(hearer);
    if (its === undefined) return;
    for (const text of path === undefined ? [...its.keys()] : [formatPath(path)]) {
      const group = its.get(text);
      if (group !== undefined) leave(hearer, group);
      its.delete(text);
    }
    if (its.size === 0) groupsOf.delete(hearer);
  }

  return {
    reports,
    get heard() {
      return groups.size > 0;
    },
    tell(hearer, path, interval) {
      const text = formatPath(path);
      const before = groupsOf.get(hearer)?.get(text);
      stop(hearer, path);
      const group = groupOf(path, text, interval);
      group.hearers.add(hearer);
      const its = groupsOf.get(hearer);
      if (its === undefined) groupsOf.set(hearer, new Map([[text, group]]));
      else its.set(text, group);
      const standing = find(console.state.tree, path);
      // The hearer is ahead of the group, which would not be told of a meter that moves back.
      if (group.known !== standing) group.known = undefined;
      if (before === undefined || before === group) return;
      // A meter that has moved since it was last told may rest now, and so would never be told.
      const moved = metersThatDiffer(before.known, standing, path);
      if (moved !== undefined && hearer.mayHear()) {
        hearer.sendBuffer.update(updateOf(text, moved, { isOfMeters: true }));
      }
    },
    stop,
  };
}
