/**
 * One end of a socket over the bus between hubs. Frames are numbered: when a frame is lost, the
 * socket is closed, as a network would break it off. Each end reports how much it has taken, so
 * that the other end knows how much waits. Every few seconds it also reports how much it has sent,
 * so that a lost last frame, or an end that is gone, is noticed although nothing follows.
 *
 * @module
 */
import type { Json } from "../../core/json.ts";
import { after, type Timer } from "../../core/ports.ts";
import type { Listener } from "../../transport/arrival.ts";
import type { Socket } from "../../transport/websocket/send-buffer.ts";
import type { Bus } from "./bus.ts";

/** Maximum number of characters of a frame in one message; a longer frame is sent in parts. */
const PART_CHARACTERS = 128 * 1024;

/** Additional size of each message, in bytes: many empty frames take memory, too. */
const OVERHEAD = 64;

/** Number of bytes of a part that fills a message in base 64. */
const PART_BYTES = PART_CHARACTERS / 4 * 3;

/** Time in ms after which an end reports how much it has taken. */
const TAKEN_MS = 20;

/** Interval in ms of the reports of an end, and the time without one after which it is gone. */
const ALIVE_MS = 5000;
const SILENT_MS = 3 * ALIVE_MS;

/** Close code of a socket that lost a frame, or whose other hub is gone: "try again later". */
export const BROKEN = 1013;

/** The messages between the ends, in both directions. */
type Message =
  /** A frame or, with `more`, a part of a frame; `bytes` are in base 64. */
  | { readonly n: number; readonly text?: string; readonly bytes?: string; readonly more?: true }
  /**
   * A report: the number of the last message that the end has taken, the number of bytes that wait
   * behind it, and the number of the last message that it has sent.
   */
  | { readonly taken: number; readonly waiting: number; readonly sent: number }
  | { readonly n: number; readonly close: number; readonly reason: string };

/** An end of a socket over the bus. */
export interface BusLine {
  /** Frames that are sent by it arrive at the other end. */
  readonly socket: Socket;
  /** Breaks the socket off at this end: the hub at the other end is gone. */
  break(why: string): void;
}

/** The parts of {@link openBusLine}. */
export interface BusLineParts {
  readonly bus: Bus;
  readonly timer: Timer;
  /** The subjects by which it sends and receives. */
  readonly out: string;
  readonly in: string;
  /**
   * Receives the frames, binary ones as ArrayBuffers; `closed` is called once, unless this end
   * closed the socket.
   */
  readonly listener: Listener;
  /** Returns the number of bytes that wait behind this end. */
  readonly waiting?: () => number;
  /** Called once, whichever end closes it. */
  readonly ended: () => void;
}

/** Opens an end. */
export function openBusLine(parts: BusLineParts): BusLine {
  const { bus, timer, out, listener, waiting = () => 0 } = parts;
  const sizes = new Map<number, number>();
  let sent = 0;
  let unread = 0;
  let waitingThere = 0;
  let received = 0;
  let isOpen = true;
  let partial: string[] = [];
  let stopTelling: (() => void) | undefined;
  let heardAt = timer.monotonic();
  let stopLiving = after(timer, ALIVE_MS, live);

  const stop = bus.subscribe(parts.in, (_subject, value) => {
    if (isOpen) take(value as unknown as Message);
  });

  function say(message: Message): void {
    bus.publish(out, message as unknown as Json);
  }

  function sendPart(part: { readonly text?: string; readonly bytes?: string }, size: number): void {
    sizes.set(++sent, size + OVERHEAD);
    unread += size + OVERHEAD;
    say({ n: sent, ...part } as Message);
  }

  function end(): boolean {
    if (!isOpen) return false;
    isOpen = false;
    stop();
    stopTelling?.();
    stopLiving();
    parts.ended();
    return true;
  }

  function broken(why: string): void {
    if (!end()) return;
    // The other end may be there: then only this hub, or the bus, has stood still.
    say({ n: ++sent, close: BROKEN, reason: why });
    listener.closed(BROKEN, why);
  }

  function report(): number {
    const left = waiting();
    say({ taken: received, waiting: left, sent });
    return left;
  }

  function live(): void {
    if (timer.monotonic() - heardAt >= SILENT_MS) return broken("the other hub is silent");
    stopLiving = after(timer, ALIVE_MS, live);
    report();
  }

  function tellTaken(): void {
    stopTelling = undefined;
    if (report() > 0) stopTelling = after(timer, TAKEN_MS, tellTaken);
  }

  function take(message: Message): void {
    heardAt = timer.monotonic();
    if ("taken" in message) {
      for (const [n, size] of sizes) {
        if (n > message.taken) break;
        sizes.delete(n);
        unread -= size;
      }
      waitingThere = message.waiting;
      return message.sent === received ? undefined : broken(LOST);
    }
    if (message.n !== ++received) return broken(LOST);
    if ("close" in message) {
      if (end()) listener.closed(message.close, message.reason);
      return;
    }
    stopTelling ??= after(timer, TAKEN_MS, tellTaken);
    partial.push(message.text ?? message.bytes ?? "");
    if (message.more === true) return;
    const whole = partial;
    partial = [];
    if (message.bytes === undefined) listener.receive(whole.join(""));
    else listener.receive(joined(whole.map((part) => Uint8Array.fromBase64(part))).buffer);
  }

  return {
    socket: {
      send(text) {
        if (!isOpen) return;
        let at = 0;
        for (; text.length - at > PART_CHARACTERS; at += PART_CHARACTERS) {
          const part = { text: text.slice(at, at + PART_CHARACTERS), more: true };
          sendPart(part, PART_CHARACTERS);
        }
        sendPart({ text: text.slice(at) }, text.length - at);
      },
      sendBytes(bytes) {
        if (!isOpen) return;
        let at = 0;
        for (; bytes.length - at > PART_BYTES; at += PART_BYTES) {
          const part = { bytes: bytes.subarray(at, at + PART_BYTES).toBase64(), more: true };
          sendPart(part, PART_BYTES);
        }
        sendPart({ bytes: bytes.subarray(at).toBase64() }, bytes.length - at);
      },
      close(code, reason) {
        if (end()) say({ n: ++sent, close: code, reason });
      },
      get bufferedAmount() {
        return unread + waitingThere;
      },
    },
    break: broken,
  };
}

const LOST = "a part of what the hubs told each other was lost";

function joined(parts: readonly Uint8Array<ArrayBuffer>[]): Uint8Array<ArrayBuffer> {
  if (parts.length === 1) return parts[0]!;
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
