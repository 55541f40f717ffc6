/**
 * The consoles of the other hubs, from the beats and reports of those hubs: they go into the picture
 * of this hub by the same rules as reports of consoles to this hub. Of two hubs that both seem to
 * hold a console, the hub with the newest connection holds it.
 *
 * @module
 */
import type { HubFacts, ListedHub } from "../hub/hub-core.ts";
import type { Picture } from "../hub/picture.ts";
import { born, changed, ended, judged, type Patience, type Presence } from "../hub/presence.ts";
import type { ConsoleId } from "../wire.ts";
import type { HeldConsoleBeat, HubId, PeerBeat, PeerReport, PeerState } from "./peer-frames.ts";

/** The parts of {@link createPeerConsoles}. */
export interface PeerConsolesParts {
  readonly picture: Picture;
  /** Returns the monotonic time in ms. */
  now(): number;
  readonly patience: Patience;
  /** Is called when a console has connected to another hub, with its connection before. */
  connected(id: ConsoleId, before: Presence["connection"]): void;
  /** Is called when a hub has stopped, or was not heard for long. */
  lost(hub: HubId): void;
}

/** The consoles of the other hubs. */
export interface PeerConsoles {
  /** Takes a beat of a hub; returns its consoles on which this hub is not up to date. */
  takeBeat(message: PeerBeat): ConsoleId[];
  /** Takes the next numbered report on a console; a missing number before it is a gap. */
  takeReport(message: PeerReport): void;
  /** Takes the state of a console, unless a newer connection of the console is known. */
  takeState(message: PeerState): void;
  /** Counts all hubs as heard now. */
  hearAll(): void;
  /** Loses the hubs that were not heard for `ms` or longer, and their consoles. */
  loseSilent(ms: number): void;
  /** Returns the other hub that holds a console; undefined if none does. */
  holderOf(id: ConsoleId): HubId | undefined;
  /** Returns the hubs whose beats arrive, by their names. */
  list(): readonly ListedHub[];
  /** Says whether beats of a hub arrive. */
  isHeard(hub: HubId): boolean;
}

/** A console of another hub: the key of its connection there. */
class Elsewhere {
  /** The count of the last message on it. */
  count = 0;
  constructor(readonly hub: HubId) {}
}

interface Peer {
  heardAt: number;
  readonly consoles: Map<ConsoleId, Elsewhere>;
  facts: HubFacts | undefined;
}

/** Makes the consoles of the other hubs, none at first. */
export function createPeerConsoles(
  { picture, now, patience, connected, lost }: PeerConsolesParts,
): PeerConsoles {
  const peers = new Map<HubId, Peer>();

  function peerOf(id: HubId): Peer {
    const peer = peers.get(id) ?? { heardAt: now(), consoles: new Map(), facts: undefined };
    peers.set(id, peer);
    peer.heardAt = now();
    return peer;
  }

  function lose(id: HubId): void {
    const consoles = peers.get(id)?.consoles.keys() ?? [];
    for (const console of [...consoles]) end(id, console);
    peers.delete(id);
    lost(id);
  }

  /** Takes note that a hub no longer holds a console. */
  function end(id: HubId, console: ConsoleId): void {
    const consoles = peers.get(id)?.consoles;
    const key = consoles?.get(console);
    const presence = picture.presence(console);
    if (key === undefined) return;
    consoles!.delete(console);
    if (presence !== undefined) picture.set(ended(presence, key, now(), patience));
  }

  function takeState(message: PeerState): void {
    const { console, silentMs, hasGap } = message;
    const before = picture.presence(console);
    if (before === undefined) return;
    const { consoles } = peerOf(message.hub);
    const key = consoles.get(console) ?? new Elsewhere(message.hub);
    const after = born(before, message, key, now(), patience);
    if (after === "older") return;
    consoles.set(console, key);
    key.count = message.count;
    picture.set(judged({ ...after, hasGap, heardAt: now() - silentMs }, now(), patience));
    if (before.connection !== key) connected(console, before.connection);
  }

  function takeReport(message: PeerReport): void {
    const { console } = message;
    if (message.type === "state") return takeState(message);
    if (message.type === "ended") return end(message.hub, console);
    const presence = picture.presence(console);
    const key = peers.get(message.hub)?.consoles.get(console);
    // The next beat shows the consoles that are still missing.
    if (presence === undefined || key === undefined || presence.connection !== key) return;
    if (presence.epoch !== message.epoch) return;
    if (message.count !== key.count + 1) return gap(presence);
    key.count = message.count;
    picture.set(changed(presence, message.change, now(), patience));
  }

  /** Takes a console of a beat; says whether this hub is up to date on it. */
  function isKnown(
    [id, epoch, count, silentMs]: HeldConsoleBeat,
    key: Elsewhere | undefined,
  ): boolean {
    const presence = picture.presence(id);
    if (presence === undefined) return true;
    if (key === undefined || presence.connection !== key || presence.epoch !== epoch) {
      const isHeard = presence.connection !== undefined &&
        now() - presence.heardAt < patience.staleAfter;
      return isHeard && presence.epoch >= epoch;
    }
    if (silentMs === null) gap(presence);
    else if (!presence.hasGap) {
      picture.set(judged({ ...presence, heardAt: now() - silentMs }, now(), patience));
    }
    return silentMs === null || (key.count === count && !presence.hasGap);
  }

  function gap(presence: Presence): void {
    picture.set(judged({ ...presence, hasGap: true }, now(), patience));
  }

  return {
    takeBeat({ hub, held, facts, isLast }) {
      if (isLast) {
        lose(hub);
        return [];
      }
      const peer = peerOf(hub);
      const { consoles } = peer;
      peer.facts = facts;
      const there = new Set(held.map(([id]) => id));
      for (const id of [...consoles.keys()]) if (!there.has(id)) end(hub, id);
      return held.filter((one) => !isKnown(one, consoles.get(one[0]))).map(([id]) => id);
    },
    takeReport,
    takeState,
    hearAll() {
      for (const peer of peers.values()) peer.heardAt = now();
    },
    loseSilent(ms) {
      for (const [id, { heardAt }] of [...peers]) if (now() - heardAt >= ms) lose(id);
    },
    holderOf(id) {
      const key = picture.presence(id)?.connection;
      return key instanceof Elsewhere ? key.hub : undefined;
    },
    list() {
      const hubs = [...peers].map(([id, { consoles, facts }]): ListedHub => ({
        ...{ id, here: false, consoles: consoles.size, ...facts },
      }));
      const keyOf = ({ name = "", id }: ListedHub) => `${name} ${id}`;
      return hubs.sort((one, other) => keyOf(one) < keyOf(other) ? -1 : 1);
    },
    isHeard: (hub) => peers.has(hub),
  };
}
