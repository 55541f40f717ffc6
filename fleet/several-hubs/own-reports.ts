/**
 * The reports of a hub to the other hubs about the consoles that it holds, numbered for each
 * console.
 *
 * @module
 */
import type { Dialled } from "../hub/dialled.ts";
import type { Picture } from "../hub/picture.ts";
import type { Presence } from "../hub/presence.ts";
import type { ConsoleId } from "../wire.ts";
import type { HeldConsoleBeat, HubId, PeerChange, PeerState } from "./peer-frames.ts";

/** The reports of one hub. */
export interface OwnReports {
  /** Returns the consoles that the hub holds, for a beat. */
  beats(): HeldConsoleBeat[];
  /** Returns the states of the named consoles that the hub holds; of all if none are named. */
  states(consoles: readonly ConsoleId[] | undefined): PeerState[];
  /** Returns the next numbered report on a console: its birth. */
  born(presence: Presence): PeerState;
  /** Returns the next numbered report on a console: a change in an epoch. */
  changed(console: ConsoleId, epoch: number, change: PeerChange["change"]): PeerChange;
}

/** Makes the reports of a hub; `now` returns the monotonic time in ms. */
export function createOwnReports(
  hub: HubId,
  picture: Picture,
  dialled: Dialled,
  now: () => number,
): OwnReports {
  /** The number of messages that this hub has published on each console. */
  const counts = new Map<ConsoleId, number>();

  function stateOf(presence: Presence): PeerState {
    const { id, boot = "", epoch, seq, hasGap, heardAt, summary, digests } = presence;
    const silentMs = now() - heardAt;
    return {
      ...{ type: "state", hub, console: id, boot, epoch, seq, count: counts.get(id) ?? 0 },
      ...{ hasGap, silentMs, summary, digests },
    };
  }

  function counted(id: ConsoleId): number {
    const count = (counts.get(id) ?? 0) + 1;
    counts.set(id, count);
    return count;
  }

  /** The consoles that this hub holds. */
  function held(): Presence[] {
    return [...picture.entries.keys()].filter((id) => dialled.sender(id) !== undefined)
      .map((id) => picture.presence(id)!);
  }

  return {
    beats: () =>
      held().map(({ id, epoch, hasGap, heardAt }): HeldConsoleBeat => {
        return [id, epoch, counts.get(id) ?? 0, hasGap ? null : now() - heardAt];
      }),
    states(consoles) {
      const asked = consoles === undefined ? undefined : new Set(consoles);
      return held().filter(({ id }) => asked?.has(id) !== false).map(stateOf);
    },
    born(presence) {
      counted(presence.id);
      return stateOf(presence);
    },
    changed: (console, epoch, change) => {
      return { type: "change", hub, console, epoch, count: counted(console), change };
    },
  };
}
