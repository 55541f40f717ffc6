/**
 * The control sockets of consoles that dialled this hub: their frames make the picture. A console
 * that breaks the protocol in any way is dropped, and does no other console harm.
 *
 * @module
 */
import type { Clock, Timer } from "../../core/ports.ts";
import type { Listener } from "../../transport/arrival.ts";
import type { Socket } from "../../transport/websocket/send-buffer.ts";
import { createControlSocket } from "./control-socket.ts";
import { createControlSockets } from "./control-sockets.ts";
import { showEnrolled } from "./enrolled-consoles.ts";
import type { Enrolments } from "./enrolments.ts";
import { BIRTH_RATE } from "./hub-limits.ts";
import { createLastingLimits } from "./lasting-limits.ts";
import { createOwedBirth } from "./owed-birth.ts";
import type { Picture } from "./picture.ts";
import {
  born,
  changed,
  type ConnectionKey,
  ended,
  heard,
  type Patience,
  type Presence,
} from "./presence.ts";
import { createRate } from "./rate.ts";
import type { Tickets } from "./tickets.ts";
import { type ConsoleId, type FromConsole, type FromHub, UPLINK_CLOSE } from "../wire.ts";

/** The parts of {@link createDialled}. */
export interface DialledParts {
  readonly picture: Picture;
  readonly enrolments: Enrolments;
  readonly tickets: Tickets;
  readonly clock: Clock;
  readonly timer: Timer;
  readonly patience: Patience;
  /** The name of this hub, and the id of its current run. */
  readonly hub: string;
  readonly boot: string;
  readonly answers: CommandAnswers;
  /** Receives the calls of users of the fleet that a console tells, for the audit trail. */
  told(id: ConsoleId, told: Extract<FromConsole, { readonly type: "told" }>): void;
  /** Reports a console that broke the protocol to the audit trail. */
  broke(id: ConsoleId, from: string, why: string): void;
}

/** Receives the answers of consoles to commands, and the ends of their connections. */
export interface CommandAnswers {
  /** A console answers a command or a preview on the connection of `send`. */
  answered(
    id: ConsoleId,
    answer: Extract<FromConsole, { readonly type: "did" | "would" }>,
    send: (frame: FromHub) => void,
  ): void;
  /** The connection on which `send` sends frames has ended. */
  lost(id: ConsoleId, send: (frame: FromHub) => void): void;
}

/** The control sockets of a hub. */
export interface Dialled {
  /**
   * Number of open sockets, and of the frames and characters that sockets have received since the
   * start.
   */
  readonly figures: {
    readonly uplinks: number;
    readonly frames: number;
    readonly bytes: number;
  };
  /** Returns the remaining time in ms for which a console is refused; 0 without a penalty. */
  penalty(id: ConsoleId): number;
  /** Takes the control socket of a console, from an address. */
  open(id: ConsoleId, from: string, socket: Socket): Listener;
  /** Returns the function that sends frames to a console; undefined without a birth at this hub. */
  sender(id: ConsoleId): ((frame: FromHub) => void) | undefined;
  /**
   * Ends a connection of a console if it is a connection of this hub: a newer one is at another
   * hub.
   */
  replace(id: ConsoleId, connection: ConnectionKey | undefined): void;
  /** Passes the reports of consoles to `follower`; the returned function ends that. */
  follow(follower: Follower): () => void;
  /** Closes all sockets. */
  close(): void;
}

/** Receives each change of the presence of a console by a connection of this hub. */
export interface Follower {
  born(presence: Presence): void;
  changed(presence: Presence, change: Extract<FromConsole, { readonly type: "change" }>): void;
  ended(id: ConsoleId): void;
}

const GOING_AWAY = 1001;

const NEWER = "a newer connection of this console is there";

const CLOSES_CLIENTS = "a console that loses values or changes its site again and again";

/** Makes the control sockets of a hub, and keeps the picture of its enrolled consoles. */
export function createDialled(parts: DialledParts): Dialled {
  const { picture, enrolments, tickets, answers, clock, timer, patience, hub, boot } = parts;
  const sockets = createControlSockets();
  const limits = createLastingLimits(timer);
  const followers = new Set<Follower>();
  const now = timer.monotonic;
  let frames = 0;
  let frameBytes = 0;

  const stopFollowing = showEnrolled({
    ...parts,
    onApproved(id) {
      for (const { send } of sockets.of(id)) {
        send(welcome(false));
        send({ type: "rebirth", within: 0 });
      }
    },
    onRemoved(id) {
      for (const socket of sockets.of(id)) {
        socket.end(UPLINK_CLOSE.notEnrolled, "removed from the fleet");
      }
      tickets.end(id, "the console was removed from the fleet");
      limits.forget(id);
    },
  });

  function welcome(quarantined: boolean): FromHub {
    return { type: "welcome", hub, boot, t: clock.now(), quarantined, takesTold: true };
  }

  function open(id: ConsoleId, from: string, socket: Socket): Listener {
    const birthRate = createRate(BIRTH_RATE.births, BIRTH_RATE.perSecond);
    const connection = createControlSocket(socket, {
      clock,
      timer,
      boot,
      arrived(characters) {
        frames++;
        frameBytes += characters;
      },
      take,
      broke(why) {
        limits.punish(id);
        parts.broke(id, from, why);
      },
      ended: release,
    });
    const { send, fail } = connection;
    const births = createOwedBirth(timer, {
      ask: () => send({ type: "rebirth", within: 0 }),
      fail,
    });
    sockets.add(id, connection);
    const isApproved = enrolments.consoles.get(id)?.isApproved === true;
    send(welcome(!isApproved));

    function release(): void {
      births.stop();
      sockets.remove(id, connection);
      const presence = picture.presence(id);
      if (presence?.connection === connection) {
        picture.set(ended(presence, connection, now(), patience));
        for (const follower of followers) follower.ended(id);
      }
      answers.lost(id, send);
    }

    function take(frame: FromConsole, length: number): void {
      const presence = picture.presence(id);
      if (presence === undefined) return;
      if (frame.type === "did" || frame.type === "would") {
        return answers.answered(id, frame, send);
      }
      if (frame.type === "unused") return tickets.unused(id, frame.ticket, frame.why);
      if (frame.type === "birth") {
        if (frame.console !== id) return fail("a birth with the id of another console");
        if (!birthRate.take(1, now())) return fail("more births than a console sends");
        const reborn = born(presence, frame, connection, now(), patience);
        if (reborn === "older") {
          return connection.end(UPLINK_CLOSE.replaced, NEWER);
        }
        if (!limits.mayClose(id, presence.summary, reborn.summary)) return fail(CLOSES_CLIENTS);
        births.came();
        picture.set(reborn);
        const replaced = sockets.withKey(id, presence.connection);
        if (replaced !== connection) replaced?.end(UPLINK_CLOSE.replaced, NEWER);
        for (const follower of followers) follower.born(reborn);
        return;
      }
      if (presence.connection !== connection) {
        // A beat before the birth tells nothing yet.
        return frame.type === "change" ? births.ask() : undefined;
      }
      if (frame.type === "told") return presence.isApproved ? parts.told(id, frame) : undefined;
      if (frame.type === "beat") {
        const alive = heard(presence, frame, now(), patience);
        picture.set(alive);
        return alive.hasGap ? births.ask() : undefined;
      }
      const altered = changed(presence, frame, now(), patience);
      if (!limits.mayClose(id, presence.summary, altered.summary)) return fail(CLOSES_CLIENTS);
      picture.set(altered);
      for (const follower of followers) follower.changed(altered, frame);
      if (altered.hasGap) births.ask();
      births.grew(length);
    }

    return connection.listener;
  }

  return {
    get figures() {
      return { uplinks: sockets.count(), frames, bytes: frameBytes };
    },
    penalty: limits.penalty,
    open,
    sender: (id) => sockets.withKey(id, picture.presence(id)?.connection)?.send,
    replace: (id, key) => sockets.withKey(id, key)?.end(UPLINK_CLOSE.replaced, NEWER),
    follow(follower) {
      followers.add(follower);
      return () => void followers.delete(follower);
    },
    close() {
      stopFollowing();
      sockets.end(GOING_AWAY, "the hub is stopping");
    },
  };
}
