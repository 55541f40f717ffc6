/**
 * One control socket of a console, at the hub's end: the frames of the console are limited and
 * read, and beats of the hub are sent. What the frames mean is for `fleet/hub/dialled.ts`.
 *
 * @module
 */
import { after, type Clock, type Timer } from "../../core/ports.ts";
import type { Listener } from "../../transport/arrival.ts";
import type { Socket } from "../../transport/websocket/send-buffer.ts";
import { createFrameAllowance } from "./frame-allowance.ts";
import { readFrame } from "./frames.ts";
import {
  BEAT_MS,
  FRAME_BYTES,
  type FromConsole,
  type FromHub,
  UNSENT_BYTES,
  UPLINK_CLOSE,
} from "../wire.ts";

/** The parts of {@link createControlSocket}. */
export interface ControlSocketParts {
  readonly clock: Pick<Clock, "now">;
  readonly timer: Timer;
  /** The id of the current run of this hub. */
  readonly boot: string;
  /** Called with the characters of each message that comes, before it is read; 0 if binary. */
  arrived(characters: number): void;
  /** Takes a frame of the protocol, and its length in characters. */
  take(frame: FromConsole, characters: number): void;
  /** Called when the console has broken the protocol, just before the socket is ended for it. */
  broke(why: string): void;
  /** Called once, when the socket is ended by either side. */
  ended(): void;
}

/** One control socket. */
export interface ControlSocket {
  /** Sends a frame; does nothing after the end. The same function for the whole life. */
  readonly send: (frame: FromHub) => void;
  /** Ends it with a close code. */
  end(code: number, reason: string): void;
  /** Ends it because the console broke the protocol. */
  fail(why: string): void;
  /** Receives the events of the socket. */
  readonly listener: Listener;
}

/** Makes the control socket of a console on an open WebSocket, and begins to send beats. */
export function createControlSocket(socket: Socket, parts: ControlSocketParts): ControlSocket {
  const { clock, timer, boot } = parts;
  const now = timer.monotonic;
  const allowance = createFrameAllowance();
  let isOpen = true;
  let stopBeating = after(timer, BEAT_MS, beat);
  /** The time in the last beat of the console, and the monotonic time at which it came. */
  let lastBeat: { readonly t: number; readonly at: number } | undefined;

  function send(frame: FromHub): void {
    if (!isOpen) return;
    if (frame.type === "do" || frame.type === "preview") allowance.asked();
    socket.send(JSON.stringify(frame));
  }

  function beat(): void {
    stopBeating = after(timer, BEAT_MS, beat);
    if (socket.bufferedAmount > UNSENT_BYTES) return;
    const heard = lastBeat && { t: lastBeat.t, ms: now() - lastBeat.at };
    send({ type: "beat", t: clock.now(), boot, ...(heard && { heard }) });
  }

  function release(): void {
    isOpen = false;
    stopBeating();
    parts.ended();
  }

  function end(code: number, reason: string): void {
    if (!isOpen) return;
    release();
    socket.close(code, reason);
  }

  function fail(why: string): void {
    if (!isOpen) return;
    parts.broke(why);
    end(UPLINK_CLOSE.malformed, why);
  }

  function receive(data: unknown): void {
    if (!isOpen) return;
    parts.arrived(typeof data === "string" ? data.length : 0);
    if (typeof data !== "string") return fail("a binary frame");
    if (data.length > FRAME_BYTES) return fail(`a frame of more than ${FRAME_BYTES} bytes`);
    if (!allowance.takes(data, now())) return fail("more frames than a console sends");
    const frame = readFrame(data);
    if (frame === undefined) return fail("a frame that the protocol does not have");
    if (frame.type === "beat" && frame.t >= 0) lastBeat = { t: frame.t, at: now() };
    parts.take(frame, data.length);
  }

  return {
    send,
    end,
    fail,
    listener: {
      receive,
      closed() {
        if (isOpen) release();
      },
    },
  };
}
