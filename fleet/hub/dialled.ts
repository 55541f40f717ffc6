/**
 * The control sockets of consoles that dialled this hub: their frames make the picture. A console
 * that breaks the protocol in any way is dropped, and does no other console harm.
 *
 * @module
 */
import { after, type Clock, type Timer } from "../../core/ports.ts";
import type { Listener } from "../../transport/arrival.ts";
import type { Socket } from "../../transport/websocket/outbox.ts";
import type { Enrolments } from "./enrolments.ts";
import { readFrame } from "./frames.ts";
import { BIRTH_RATE, CLOSING_RATE, PENALTY_MS } from "./hub-limits.ts";
import { createFrameAllowance } from "./frame-allowance.ts";
import { createOwedBirth } from "./owed-birth.ts";
import type { Picture } from "./picture.ts";
import {
  approved,
  awaited,
  born,
  changed,
  closesClients,
  type ConnectionKey,
  ended,
  heard,
  type Patience,
  type Presence,
} from "./presence.ts";
import { createRate, type Rate } from "./rate.ts";
import type { Tickets } from "./tickets.ts";
import {
  BEAT_MS,
  type ConsoleId,
  FRAME_BYTES,
  type FromConsole,
  type FromHub,
  type Summary,
  UNSENT_BYTES,
  UPLINK_CLOSE,
} from "../wire.ts";

/** The parts of {@link createDialled}. */
export interface DialledParts {
  readonly picture: Picture;
  readonly enrolments: Enrolments;
  readonly tickets: Tickets;
  readonly clock: Clock;
  readonly timer: Timer;
  readonly patience: Patience;
  /** The name of this hub, and its boot. */
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

interface Connection {
  readonly socket: Socket;
  send(frame: FromHub): void;
  end(code: number, reason: string): void;
}

const GOING_AWAY = 1001;

const NEWER = "a newer connection of this console is there";

const CLOSES_CLIENTS = "a console that loses values or changes its site again and again";

/** Maximum number of control sockets of a console, of which all but one are about to end. */
const CONNECTIONS_PER_CONSOLE = 4;

/** Makes the control sockets of a hub, and keeps the picture of its enrolled consoles. */
export function createDialled(parts: DialledParts): Dialled {
  const { picture, enrolments, tickets, answers, clock, timer, patience, hub, boot } = parts;
  const connections = new Map<ConsoleId, Set<Connection>>();
  const deafUntil = new Map<ConsoleId, number>();
  /** The rates of the reports that disconnect clients, whatever connections they come on. */
  const closing = new Map<ConsoleId, Rate>();
  const followers = new Set<Follower>();
  const now = timer.monotonic;
  let frames = 0;
  let frameBytes = 0;

  for (const [id, enrolled] of enrolments.consoles) picture.set(awaited(id, enrolled, now()));
  const stopFollowing = enrolments.watch((id, before) => {
    const enrolled = enrolments.consoles.get(id);
    // A hub that was cut off from the ledger may miss a removal, and hear only of the next
    // enrolment.
    if (before !== undefined && enrolled?.tokenHash !== before.tokenHash) forget(id);
    if (enrolled === undefined) return;
    const presence = picture.presence(id);
    if (presence === undefined) return picture.set(awaited(id, enrolled, now()));
    if (!enrolled.isApproved || presence.isApproved) return;
    picture.set(approved(presence, now(), patience));
    for (const { send } of connections.get(id) ?? []) {
      send(welcome(false));
      send({ type: "rebirth", within: 0 });
    }
  });

  function forget(id: ConsoleId): void {
    for (const connection of [...connections.get(id) ?? []]) {
      connection.end(UPLINK_CLOSE.notEnrolled, "removed from the fleet");
    }
    tickets.end(id, "the console was removed from the fleet");
    deafUntil.delete(id);
    closing.delete(id);
    picture.remove(id);
  }

  /**
   * Returns a connection of this hub; the key of a console of another hub is no such connection.
   */
  function ownConnection(id: ConsoleId, key: ConnectionKey | undefined): Connection | undefined {
    return [...connections.get(id) ?? []].find((connection) => connection === key);
  }

  /** Says whether a console may report a summary that disconnects clients, if it does. */
  function mayClose(id: ConsoleId, before: Summary, after: Summary): boolean {
    if (before === after || !closesClients(before, after)) return true;
    const rate = closing.get(id) ?? createRate(CLOSING_RATE.most, CLOSING_RATE.perSecond);
    closing.set(id, rate);
    return rate.take(1, now());
  }

  function welcome(quarantined: boolean): FromHub {
    return { type: "welcome", hub, boot, t: clock.now(), quarantined, takesTold: true };
  }

  function open(id: ConsoleId, from: string, socket: Socket): Listener {
    const allowance = createFrameAllowance();
    const birthRate = createRate(BIRTH_RATE.births, BIRTH_RATE.perSecond);
    let isOpen = true;
    let stopBeating = after(timer, BEAT_MS, beat);
    let lastBeat: { readonly t: number; readonly at: number } | undefined;
    const births = createOwedBirth(timer, {
      ask: () => connection.send({ type: "rebirth", within: 0 }),
      fail,
    });

    const connection: Connection = {
      socket,
      send(frame) {
        if (!isOpen) return;
        if (frame.type === "do" || frame.type === "preview") allowance.asked();
        socket.send(JSON.stringify(frame));
      },
      end(code, reason) {
        if (!isOpen) return;
        release();
        socket.close(code, reason);
      },
    };
    const ofConsole = connections.get(id) ?? new Set();
    connections.set(id, ofConsole.add(connection));
    const [oldest] = ofConsole;
    if (ofConsole.size > CONNECTIONS_PER_CONSOLE) {
      oldest?.end(UPLINK_CLOSE.replaced, "too many connections of this console");
    }
    const isApproved = enrolments.consoles.get(id)?.isApproved === true;
    connection.send(welcome(!isApproved));

    function beat(): void {
      stopBeating = after(timer, BEAT_MS, beat);
      if (socket.bufferedAmount > UNSENT_BYTES) return;
      const heard = lastBeat && { t: lastBeat.t, ms: now() - lastBeat.at };
      connection.send({ type: "beat", t: clock.now(), boot, ...(heard && { heard }) });
    }

    function release(): void {
      isOpen = false;
      stopBeating();
      births.stop();
      ofConsole.delete(connection);
      if (ofConsole.size === 0 && connections.get(id) === ofConsole) connections.delete(id);
      const presence = picture.presence(id);
      if (presence?.connection === connection) {
        picture.set(ended(presence, connection, now(), patience));
        for (const follower of followers) follower.ended(id);
      }
      answers.lost(id, connection.send);
    }

    function fail(why: string): void {
      if (!isOpen) return;
      deafUntil.set(id, now() + PENALTY_MS);
      parts.broke(id, from, why);
      connection.end(UPLINK_CLOSE.malformed, why);
    }

    function take(frame: FromConsole, length: number): void {
      const presence = picture.presence(id);
      if (presence === undefined) return;
      if (frame.type === "beat" && frame.t >= 0) lastBeat = { t: frame.t, at: now() };
      if (frame.type === "did" || frame.type === "would") {
        return answers.answered(id, frame, connection.send);
      }
      if (frame.type === "unused") return tickets.unused(id, frame.ticket, frame.why);
      if (frame.type === "birth") {
        if (frame.console !== id) return fail("a birth with the id of another console");
        if (!birthRate.take(1, now())) return fail("more births than a console sends");
        const reborn = born(presence, frame, connection, now(), patience);
        if (reborn === "older") {
          return connection.end(UPLINK_CLOSE.replaced, NEWER);
        }
        if (!mayClose(id, presence.summary, reborn.summary)) return fail(CLOSES_CLIENTS);
        births.came();
        picture.set(reborn);
        for (const other of [...ofConsole]) {
          if (other === connection || other !== presence.connection) continue;
          other.end(UPLINK_CLOSE.replaced, NEWER);
        }
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
      if (!mayClose(id, presence.summary, altered.summary)) return fail(CLOSES_CLIENTS);
      picture.set(altered);
      for (const follower of followers) follower.changed(altered, frame);
      if (altered.hasGap) births.ask();
      births.grew(length);
    }

    return {
      receive(data) {
        if (!isOpen) return;
        frames++;
        if (typeof data === "string") frameBytes += data.length;
        if (typeof data !== "string") return fail("a binary frame");
        if (data.length > FRAME_BYTES) return fail(`a frame of more than ${FRAME_BYTES} bytes`);
        if (!allowance.takes(data, now())) return fail("more frames than a console sends");
        const frame = readFrame(data);
        if (frame === undefined) return fail("a frame that the protocol does not have");
        take(frame, data.length);
      },
      closed() {
        if (isOpen) release();
      },
    };
  }

  return {
    get figures() {
      const uplinks = connections.values().reduce((sum, ofConsole) => sum + ofConsole.size, 0);
      return { uplinks, frames, bytes: frameBytes };
    },
    penalty(id) {
      const until = deafUntil.get(id) ?? -Infinity;
      if (until > now()) return until - now();
      deafUntil.delete(id);
      return 0;
    },
    open,
    sender: (id) => ownConnection(id, picture.presence(id)?.connection)?.send,
    replace: (id, key) => ownConnection(id, key)?.end(UPLINK_CLOSE.replaced, NEWER),
    follow(follower) {
      followers.add(follower);
      return () => void followers.delete(follower);
    },
    close() {
      stopFollowing();
      for (const ofConsole of [...connections.values()]) {
        for (const connection of [...ofConsole]) {
          connection.end(GOING_AWAY, "the hub is stopping");
        }
      }
    },
  };
}
