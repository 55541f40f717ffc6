/**
 * Joins a hub with the other hubs of its organisation: their consoles are in its picture, and can
 * be reached through it.
 *
 * @module
 */
import type { Clock, Random, Timer } from "../../core/ports.ts";
import type { Bus } from "./bus.ts";
import type { BetweenHubs } from "./between-hubs.ts";
import type { Commands } from "../commands/command.ts";
import { createCommandsBetweenHubs } from "./commands-between-hubs.ts";
import type { Dialled } from "../hub/dialled.ts";
import type { HubFacts, ListedHub } from "../hub/hub-core.ts";
import { type HubId, peerSubjects } from "./peer-frames.ts";
import { followPeers } from "./peers.ts";
import type { Picture } from "../hub/picture.ts";
import type { Patience } from "../hub/presence.ts";
import { createSocketsBetweenHubs, type OpenSocket } from "./sockets-between-hubs.ts";
import type { ConsoleId } from "../wire.ts";

/** The parts of a hub that the other hubs use. */
interface JoiningHub {
  readonly hub: HubId;
  /** Returns the facts about this hub that the other hubs show. */
  facts(): HubFacts;
  readonly picture: Picture;
  readonly dialled: Dialled;
  readonly patience: Patience;
  /** Opens a socket to a console that this hub holds. */
  readonly open: OpenSocket;
  /** Sends commands to consoles that this hub holds. */
  readonly commands: Commands;
}

/** The parts of the other hubs that this hub uses. */
export interface JoinedHubs {
  /** Says whether another hub holds a console. */
  holds(id: ConsoleId): boolean;
  /** Opens a socket to a console that another hub holds. */
  readonly open: OpenSocket;
  /** Sends commands to all consoles. */
  readonly commands: Commands;
  readonly between: BetweenHubs;
  /** Returns the other hubs that are heard, by their names. */
  hubs(): readonly ListedHub[];
  close(): void;
}

/** Joins a hub with the other hubs; undefined without a bus. */
export function joinHubs(
  { bus, name, organisation, clock, timer, random, onFault }: {
    readonly bus?: Bus | undefined;
    readonly name: string;
    readonly organisation: string;
    readonly clock: Clock;
    readonly timer: Timer;
    readonly random: Random;
    onFault(fault: unknown): void;
  },
  joining: JoiningHub,
): JoinedHubs | undefined {
  if (bus === undefined) return undefined;
  const subjects = peerSubjects(organisation);
  const peers = followPeers({ ...joining, bus, subjects, timer, onFault });
  const sockets = createSocketsBetweenHubs({ ...joining, bus, subjects, peers, timer, random });
  const between = { hub: joining.hub, bus, subjects, peers, clock };
  const commands = createCommandsBetweenHubs(joining.commands, between);
  return {
    commands,
    between: {
      name,
      ask: (what, value, ms) => bus.ask(subjects.between(what), value, ms),
      serve: (what, answer) => bus.serve(subjects.between(what), answer),
      onLost(boot, listener) {
        if (!peers.isHeard(boot)) listener();
        return peers.onLost((lost) => {
          if (lost === boot) listener();
        });
      },
    },
    holds: (id) => peers.holderOf(id) !== undefined,
    open: sockets.open,
    hubs: peers.list,
    close() {
      commands.close();
      sockets.close();
      peers.close();
    },
  };
}
