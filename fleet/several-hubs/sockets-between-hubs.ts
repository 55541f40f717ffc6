/**
 * Sockets to consoles that another hub holds: the other hub asks the console for a socket by a
 * ticket, as for a client of its own, and passes its frames on over the bus. So clients reach each
 * console through each hub, and hubs need no connection to each other besides the bus.
 *
 * @module
 */
import { isRefusal, type Refusal, refuse } from "../../core/errors.ts";
import { hexOf } from "../../core/hex.ts";
import type { Json } from "../../core/json.ts";
import { after, type Random, type Timer } from "../../core/ports.ts";
import type { Listener } from "../../transport/arrival.ts";
import type { Socket } from "../../transport/websocket/send-buffer.ts";
import type { Bus } from "./bus.ts";
import { BROKEN, type BusLine, openBusLine } from "./bus-line.ts";
import type { HubId, PeerOpen, PeerSubjects } from "./peer-frames.ts";
import type { Peers } from "./peers.ts";
import { type ConsoleId, type FleetUser, TICKET_MS } from "../wire.ts";

/** Time in ms that the other hub has to answer: the console has the time of a ticket. */
const OPEN_MS = TICKET_MS + 1000;

/** Maximum number of bytes from a console that the hub of the client has not taken. */
const UNTAKEN_BYTES = 16 * 1024 * 1024;

/** Opens a socket to a console, as a user with the right that counts there. */
export type OpenSocket = (
  id: ConsoleId,
  kind: "session" | "http",
  as: FleetUser | undefined,
  from: string,
  listener: Listener,
) => Promise<Socket | Refusal>;

/** The parts of {@link createSocketsBetweenHubs}. */
export interface SocketsParts {
  readonly bus: Bus;
  readonly subjects: PeerSubjects;
  readonly hub: HubId;
  readonly peers: Peers;
  readonly timer: Timer;
  readonly random: Random;
  /** Opens a socket to a console that this hub holds. */
  readonly open: OpenSocket;
}

/** The sockets between hubs. */
export interface SocketsBetweenHubs {
  /** Opens a socket to a console that another hub holds; refused if no hub holds it. */
  readonly open: OpenSocket;
  close(): void;
}

/** The answer of a hub: empty if the socket is open. */
interface Answer {
  readonly refusal?: Refusal;
}

/** The two ends of a socket. */
interface Ends {
  /** The hub at the other end. */
  readonly other: HubId;
  readonly console: ConsoleId;
  /** The hub that the console was connected to when the socket was opened. */
  readonly holder: HubId;
}

/** Makes the sockets between hubs; none is open. */
export function createSocketsBetweenHubs(parts: SocketsParts): SocketsBetweenHubs {
  const { bus, subjects, hub, peers, timer, random } = parts;
  const lines = new Map<BusLine, Ends>();

  const stopHearing = [
    peers.onLost((lost) => {
      for (const [line, { other }] of [...lines]) {
        if (other === lost) line.break("the hub at the other end is gone");
      }
    }),
    // Consoles know first that their hub is dead, and dial another one at once.
    peers.onConnected((id) => {
      const holder = peers.holderOf(id) ?? hub;
      for (const [line, ends] of [...lines]) {
        if (ends.console === id && ends.holder !== holder) line.break(MOVED);
      }
    }),
  ];
  const stopServing = bus.serve(
    subjects.at(hub),
    async (value) => await serve(value as unknown as PeerOpen) as unknown as Json,
  );

  function open(
    other: HubId,
    console: ConsoleId,
    socket: string,
    side: "client" | "console",
    listener: Listener,
    waiting?: () => number,
  ): BusLine {
    const line = openBusLine({
      bus,
      timer,
      out: subjects.socket(socket, side === "client" ? "console" : "client"),
      in: subjects.socket(socket, side),
      listener,
      ended: () => lines.delete(line),
      ...(waiting === undefined ? {} : { waiting }),
    });
    lines.set(line, { other, console, holder: side === "client" ? other : hub });
    return line;
  }

  /** Opens a socket to a console of this hub for a client of another one. */
  async function serve(asked: PeerOpen): Promise<Answer> {
    const { hub: other, console, kind, as, from, socket: name } = asked;
    let toConsole: Socket | undefined = undefined;
    const line = open(other, console, name, "console", {
      receive(data) {
        if (typeof data === "string") toConsole?.send(data);
        else toConsole?.sendBytes?.(new Uint8Array(data as ArrayBuffer));
      },
      closed: (code, reason) => toConsole?.close(code ?? GOING_AWAY, reason ?? ""),
    }, () => toConsole?.bufferedAmount ?? 0);
    const socket = await parts.open(console, kind, as, from, {
      receive(data) {
        if (line.socket.bufferedAmount > UNTAKEN_BYTES) return line.break(TOO_MUCH);
        if (typeof data === "string") line.socket.send(data);
        else line.socket.sendBytes?.(new Uint8Array(data as ArrayBuffer));
      },
      closed: (code, reason) => line.socket.close(code ?? GOING_AWAY, reason ?? ""),
    });
    if (isRefusal(socket)) {
      // The answer has the reason; a close with BROKEN would replace it at the other hub.
      line.socket.close(GOING_AWAY, "");
      return { refusal: socket };
    }
    toConsole = socket;
    // The other hub may be gone by now.
    if (!lines.has(line)) socket.close(GOING_AWAY, "the client is gone");
    return {};
  }

  return {
    async open(id, kind, as, from, listener) {
      const other = peers.holderOf(id);
      if (other === undefined) return NOT_CONNECTED;
      const name = hexOf(random.bytes(16));
      const early: (() => void)[] = [];
      let isTaken = false;
      const inTurn = (work: () => void) => isTaken ? work() : void early.push(work);
      const broken = Promise.withResolvers<Answer>();
      const line = open(other, id, name, "client", {
        receive: (data) => inTurn(() => listener.receive(data)),
        closed(code, reason) {
          if (code === BROKEN) broken.resolve({ refusal: refuse("noSuchObject", reason!) });
          inTurn(() => listener.closed(code, reason));
        },
      });
      const asked: PeerOpen = { hub, console: id, kind, from, socket: name, ...(as && { as }) };
      let answer: Answer;
      try {
        const answered = bus.ask(subjects.at(other), asked as unknown as Json, OPEN_MS);
        answer = await Promise.race([answered as Promise<Answer>, broken.promise]);
      } catch {
        line.socket.close(GOING_AWAY, "the hub did not answer");
        return refuse("noSuchObject", "the hub that the console is connected to did not answer");
      }
      if (answer.refusal !== undefined) {
        // The other end has ended itself.
        line.break(answer.refusal.message);
        return answer.refusal;
      }
      // The caller gets the socket before the first frame from it.
      after(timer, 0, () => {
        isTaken = true;
        for (const work of early) work();
      });
      return line.socket;
    },
    close() {
      for (const stop of stopHearing) stop();
      stopServing();
      for (const line of [...lines.keys()]) line.socket.close(GOING_AWAY, "the hub is stopping");
    },
  };
}

/** "Going away". */
const GOING_AWAY = 1001;

const TOO_MUCH = "the console sends more than the hub of the client takes";

const MOVED = "the console is connected to another hub now";

const NOT_CONNECTED = refuse("noSuchObject", "the console is not connected");
