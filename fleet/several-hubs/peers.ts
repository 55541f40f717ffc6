/**
 * The other hubs of an organisation, over their bus: each hub reports the consoles that it holds
 * (own-reports.ts), and takes the reports of the others into its picture (peer-consoles.ts).
 *
 * @module
 */
import type { Json } from "../../core/json.ts";
import { after, type Timer } from "../../core/ports.ts";
import type { Bus } from "./bus.ts";
import type { HubFacts, ListedHub } from "../hub/hub-core.ts";
import type { Dialled } from "../hub/dialled.ts";
import { createOwnReports } from "./own-reports.ts";
import { createPeerConsoles } from "./peer-consoles.ts";
import type {
  HubId,
  PeerAsk,
  PeerBeat,
  PeerReport,
  PeerState,
  PeerSubjects,
} from "./peer-frames.ts";
import type { Picture } from "../hub/picture.ts";
import type { Patience } from "../hub/presence.ts";
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

/** Follows the other hubs, and reports to them the consoles of this hub. */
export function followPeers(parts: PeersParts): Peers {
  const { bus, subjects, hub, facts, picture, dialled, timer, patience, onFault } = parts;
  const losses = new Set<(hub: HubId) => void>();
  const connects = new Set<(id: ConsoleId) => void>();
  const now = timer.monotonic;
  let beatAt = now();
  let stopBeating = () => {};
  const own = createOwnReports(hub, picture, dialled, now);
  const peers = createPeerConsoles({
    picture,
    now,
    patience,
    connected(id, before) {
      dialled.replace(id, before);
      tellConnected(id);
    },
    lost(id) {
      for (const listener of [...losses]) listener(id);
    },
  });

  function tellConnected(id: ConsoleId): void {
    for (const listener of [...connects]) listener(id);
  }

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

  function beat(): void {
    stopBeating = after(timer, BEAT_MS, beat);
    say(subjects.beat, { hub, held: own.beats(), facts: facts() });
    // After a pause of this hub, all other hubs seem silent.
    if (now() - beatAt > 2 * BEAT_MS) peers.hearAll();
    beatAt = now();
    peers.loseSilent(HUB_LOST_MS);
  }

  /** Takes a beat of a hub, and asks it for the consoles on which this hub is not up to date. */
  function takeBeat(message: PeerBeat): void {
    const unknown = peers.takeBeat(message);
    if (unknown.length > 0) say(subjects.ask, { hub, of: message.hub, consoles: unknown });
  }

  function answerAsk({ hub: asking, of, consoles }: PeerAsk): void {
    if (of !== undefined && of !== hub) return;
    for (const state of own.states(consoles)) say(subjects.to(asking), state);
  }

  const stops = [
    listen<PeerBeat>(subjects.beat, takeBeat),
    listen<PeerReport>(subjects.up("*"), peers.takeReport),
    listen<PeerState>(subjects.to(hub), peers.takeState),
    listen<PeerAsk>(subjects.ask, answerAsk),
    dialled.follow({
      born(presence) {
        say(subjects.up(presence.id), own.born(presence));
        tellConnected(presence.id);
      },
      changed: ({ id, epoch }, change) => say(subjects.up(id), own.changed(id, epoch, change)),
      ended: (id) => say(subjects.up(id), { type: "ended", hub, console: id }),
    }),
  ];
  say(subjects.ask, { hub });
  beat();

  return {
    holderOf: peers.holderOf,
    list: peers.list,
    isHeard: peers.isHeard,
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
