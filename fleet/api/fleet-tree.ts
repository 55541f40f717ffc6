/**
 * The tree of a hub: facts about the hub in `/general`, every console in `/consoles/{id}`, with the
 * part of its control tree that its summary has, and every site in `/sites/{name}`.
 *
 * @module
 */
import { createListeners } from "../../client/listeners.ts";
import type { Clock, Timer } from "../../core/ports.ts";
import {
  type Branch,
  isBranch,
  isSameLeaf,
  type Patch,
  type Tree,
  unlessEmpty,
} from "../../core/tree/tree.ts";
import type { ConsoleEntry, HubCore } from "../hub/hub-core.ts";
import type { ConsoleId } from "../wire.ts";
import { losesValues } from "../hub/presence.ts";
import { countSites, type Recounted, recountedOf, sitesBranch, sitesTouched } from "./sites.ts";

/** The minimum time in ms between two reported changes: the changes between are reported as one. */
export const CHANGES_MS = 40;

/** `_state` of a console that was removed, in the last change of it. */
export const REMOVED = "removed";

/** A change of the tree. */
export interface TreeChange {
  readonly patch: Patch;
  /**
   * The former branches of consoles that have lost values, which a patch cannot say: these consoles
   * have to be read anew. Undefined if there are none.
   */
  readonly rewritten: Patch | undefined;
  /**
   * The former entries of consoles that are at another site now: some users no longer see them, or
   * now do.
   */
  readonly moved: Patch | undefined;
  /** The sites of the consoles in `patch`; for a removed console its last site. */
  readonly sites: ReadonlyMap<ConsoleId, string>;
  /**
   * Undefined if no console was added or removed, and none has another state or site, or has got
   * its first or lost its last alarm.
   */
  readonly recounted: Recounted | undefined;
}

/** The tree of a hub. */
export interface FleetTree {
  /** Returns the tree as it is now; it is not altered. */
  current(): Branch;
  /** Calls `listener` with each change; the returned function ends that. */
  watch(listener: (change: TreeChange) => void): () => void;
  close(): void;
}

/** The ports of the tree, and the facts about the hub. */
export interface FleetTreeWorld {
  readonly clock: Clock;
  readonly timer: Timer;
  /** The version of faderd. */
  readonly version: string;
}

/** Makes the tree of a hub. */
export function createFleetTree(
  core: HubCore,
  { clock, timer, version }: FleetTreeWorld,
): FleetTree {
  const started = clock.monotonic();
  const listeners = createListeners<TreeChange>();
  let consoles: Record<ConsoleId, Branch> = {};
  let told = -Infinity;
  let cancelTelling: (() => void) | undefined;
  const changed = new Set<ConsoleId>();
  for (const [id, entry] of core.consoles()) consoles[id] = branchOf(entry);
  let counted = countSites(consoles);
  let sites = sitesBranch(counted);

  const stop = core.watch((id) => {
    changed.add(id);
    cancelTelling ??= timer.at(Math.max(timer.monotonic(), told + CHANGES_MS), tell);
  });

  function tell(): void {
    cancelTelling = undefined;
    told = timer.monotonic();
    const entries = core.consoles();
    const patch: Record<ConsoleId, Patch> = {};
    const rewritten: Record<ConsoleId, Patch> = {};
    const moved: Record<ConsoleId, Patch> = {};
    const siteAt = new Map<ConsoleId, string>();
    const touched = new Set<string>();
    // A caller that has read the tree before may still be writing it to a client.
    consoles = { ...consoles };
    for (const id of changed) {
      const entry = entries.get(id);
      const before = consoles[id];
      const now = entry && branchOf(entry);
      for (const site of sitesTouched(before, now)) touched.add(site);
      if (now === undefined) {
        if (before !== undefined) {
          patch[id] = { _state: REMOVED };
          siteAt.set(id, before._site as string);
        }
        delete consoles[id];
        continue;
      }
      siteAt.set(id, now._site as string);
      consoles[id] = now;
      const difference = before === undefined ? now as Patch : differenceOf(before, now);
      if (difference !== undefined) patch[id] = difference;
      if (before === undefined) continue;
      if (losesValues(before, now)) rewritten[id] = before as Patch;
      if (before._site !== now._site) moved[id] = before as Patch;
    }
    changed.clear();
    const before = counted;
    counted = touched.size === 0 ? { ...counted, consoles } : countSites(consoles);
    const recounted = recountedOf(before, counted, touched);
    if (recounted !== undefined) sites = sitesBranch(counted);
    const change = {
      patch: { consoles: patch },
      rewritten: unlessEmpty(rewritten) && { consoles: rewritten },
      moved: unlessEmpty(moved) && { consoles: moved },
      sites: siteAt,
      recounted,
    };
    if (unlessEmpty(patch) === undefined && change.rewritten === undefined) return;
    listeners.tell(change);
  }

  return {
    current: () => ({
      general: {
        _name: core.organisation,
        _uptime: Math.floor((clock.monotonic() - started) / 1000),
        _firmware_version: version,
      },
      consoles,
      sites,
    }),
    watch: listeners.add,
    close() {
      stop();
      cancelTelling?.();
    },
  };
}

/** Returns the branch of a console: members by the hub win over members by the console itself. */
export function branchOf({ id, state, since, isAwaited, summary }: ConsoleEntry): Branch {
  const { name, site, may, version, tree, alarms } = summary;
  return {
    // A console that nobody has approved shows only what an admin needs to approve it.
    ...(state === "quarantined" ? {} : tree),
    _id: id,
    _name: name,
    _site: site,
    _state: state,
    _since: new Date(since).toISOString(),
    _heard: isAwaited !== true,
    _version: version,
    _may: may,
    _alarms: alarms,
  };
}

/** Returns the patch from one branch to another; undefined where nothing has changed. */
function differenceOf(before: Branch, after: Branch): Patch | undefined {
  const patch: Record<string, Patch[string]> = {};
  for (const member of Object.keys(after)) {
    const [old, now] = [before[member], after[member]!];
    // Unchanged branches are shared, so that most branches are not compared.
    if (old === now) continue;
    const inner = isBranch(old) && isBranch(now) ? differenceOf(old, now) : changedTo(old, now);
    if (inner !== undefined) patch[member] = inner;
  }
  return unlessEmpty(patch);
}

function changedTo(old: Tree | undefined, now: Tree): Patch[string] | undefined {
  return isBranch(now) || !isSameLeaf(old, now) ? now as Patch[string] : undefined;
}
