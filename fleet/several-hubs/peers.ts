/**
 * The other hubs of an organisation, over their bus: their reports about the consoles that they
 * hold go into the picture of this hub, by the same rules as reports of consoles to this hub. Of
 * two hubs that both seem to hold a console, the hub with the newest connection holds it.
 *
 * @module
 */
import type { Json } from "../../core/json.ts";
import { after, type Timer } from "../../core/ports.ts";
import type { Bus } from "./bus.ts";
import type { HubFacts, ListedHub } from "../hub/hub-core.ts";
import type { Dialled } from "../hub/dialled.ts";
import type {
  HeldConsoleBeat,
  HubId,
  PeerAsk,
  PeerBeat,
  PeerReport,
  PeerState,
  PeerSubjects,
} from "./peer-frames.ts";
import type { Picture } from "../hub/picture.ts";
import { born, changed, ended, judged, type Patience, type Presence } from "../hub/presence.ts";
import { BEAT_MS, type ConsoleId } from "../wire.ts";

/** Time in ms without a beat of a hub after which its consoles count as gone. */
export const HUB_LOST_MS = 5 * BEAT_MS;

/** The parts of {@link followPeers}. */
export interface PeersParts {
  readonly bus: Bus;
  readonly subjects: PeerSubjects;
  /** This hub. */
  readonly hub: HubId;
  /** Returns the facts about this hub that the other hubs show. */
  facts(): HubFacts;
  readonly picture: Picture;
  readonly dialled: Dialled;
  readonly timer: Timer;
  readonly patience: Patience;
  onFault(fault: unknown): void;
}

/** The other hubs. */
export interface Peers {
  /** Returns the other hub that holds a console; undefined if none does. */
  holderOf(id: ConsoleId): HubId | undefined;
  /** Returns the hubs whose beats arrive, by their names. */
  list(): readonly ListedHub[];
  /** Says whether beats of a hub arrive. */
  isHeard(hub: HubId): boolean;
  /** Calls `listener` when a hub has stopped, or was not heard for long. */
  onLost(listener: (hub: HubId) => void): () => void;
  /** Calls `listener` when a console has a new connection, to this hub or to another hub. */
  onConnected(listener: (id: ConsoleId) => void): () => void;
  /** Tells the other hubs that this hub stops. */
  close(): void;
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

/** Follows the other hubs, and reports to them the consoles of this hub. */
export function followPeers(parts: PeersParts): Peers {
  const { bus, subjects, hub, facts, picture, dialled, timer, patience, onFault } = parts;
  const peers = new Map<HubId, Peer>();
  /** The number of messages that this hub has published on each console. */
  const counts = new Map<ConsoleId, number>();
  const losses = new Set<(hub: HubId) => void>();
  const connects = new Set<(id: ConsoleId) => void>();
  const now = timer.monotonic;
  let beatAt = now();
  let stopBeating = () => {};

  function say(subject: string, message: PeerReport | PeerBeat | PeerAsk): void {
    bus.publish(subject, message as unknown as Json);
  }

  function listen<Message extends { readonly hub: HubId }>(
    pattern: string,
    take: (message: Message) => void,
  ): () => void {
    return bus.subscribe(pattern, (_subject, value) => {
      const message = value as unknown as Message;
      if (message?.hub === hub) return;
      try {
        take(message);
      } catch (fault) {
        // A hub of another version may send messages that this hub does not understand.
        onFault(fault);
      }
    });
  }

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

  function beat(): void {
    stopBeating = after(timer, BEAT_MS, beat);
    const beats = held().map(({ id, epoch, hasGap, heardAt }): HeldConsoleBeat => {
      return [id, epoch, counts.get(id) ?? 0, hasGap ? null : now() - heardAt];
    });
    say(subjects.beat, { hub, held: beats, facts: facts() });
    // After a pause of this hub, all other hubs seem silent.
    if (now() - beatAt > 2 * BEAT_MS) { for (const peer of peers.values()) peer.heardAt = now(); }
    beatAt = now();
    for (const [id, { heardAt }] of [...peers]) if (now() - heardAt >= HUB_LOST_MS) lose(id);
  }

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
    for (const listener of [...losses]) listener(id);
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
    if (before.connection === key) return;
    dialled.replace(console, before.connection);
    for (const listener of [...connects]) listener(console);
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

  /** Takes a beat of a hub, and asks it for the consoles on which this hub is not up to date. */
  function takeBeat({ hub: of, held, facts, isLast }: PeerBeat): void {
    if (isLast) return lose(of);
    const peer = peerOf(of);
    const { consoles } = peer;
    peer.facts = facts;
    const there = new Set(held.map(([id]) => id));
    for (const id of [...consoles.keys()]) if (!there.has(id)) end(of, id);
    const unknown = held.filter((one) => !isKnown(one, consoles.get(one[0]))).map(([id]) => id);
    if (unknown.length > 0) say(subjects.ask, { hub, of, consoles: unknown });
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

  function answerAsk({ hub: asking, of, consoles }: PeerAsk): void {
    if (of !== undefined && of !== hub) return;
    const asked = consoles === undefined ? undefined : new Set(consoles);
    for (const presence of held()) {
      if (asked?.has(presence.id) !== false) say(subjects.to(asking), stateOf(presence));
    }
  }

  const stops = [
    listen<PeerBeat>(subjects.beat, takeBeat),
    listen<PeerReport>(subjects.up("*"), takeReport),
    listen<PeerState>(subjects.to(hub), takeState),
    listen<PeerAsk>(subjects.ask, answerAsk),
    dialled.follow({
      born(presence) {
        counted(presence.id);
        say(subjects.up(presence.id), stateOf(presence));
        for (const listener of [...connects]) listener(presence.id);
      },
      changed({ id, epoch }, change) {
        const count = counted(id);
        say(subjects.up(id), { type: "change", hub, console: id, epoch, count, change });
      },
      ended: (id) => say(subjects.up(id), { type: "ended", hub, console: id }),
    }),
  ];
  say(subjects.ask, { hub });
  beat();

  return {
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
    isHeard: (id) => peers.has(id),
    onLost(listener) {
      losses.add(listener);
      return () => void losses.delete(listener);
    },
    onConnected(listener) {
      connects.add(listener);
      return () => void connects.delete(listener);
    },
    close() {
      stopBeating();
      for (const stop of stops) stop();
      say(subjects.beat, { hub, held: [], isLast: true });
    },
  };
}
