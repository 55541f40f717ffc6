/**
 * Connections in memory that a console dials: the test is the hub at the other end.
 *
 * @module
 */
import type { Dial, LineListener } from "../../fleet/uplink/line.ts";
import type { FromConsole, FromHub } from "../../fleet/wire.ts";
import type { Json } from "../service.ts";

/** One connection, as the hub sees it. */
export interface ScriptedLine {
  readonly hub: string;
  readonly path: string;
  /** The messages that the console has sent. */
  readonly sent: (string | Uint8Array)[];
  /** The frames among them, as values, of one type or of all types. */
  frames(type?: FromConsole["type"]): Json[];
  /** The close code of the console; undefined while it has not closed the line. */
  readonly closedWith: number | undefined;
  /** Bytes that the network has not accepted. */
  bufferedAmount: number;
  readonly listener: LineListener;
  /** Sends a frame to the console. */
  say(frame: FromHub | { readonly type: string }): void;
  /** Ends it from the hub's side. */
  end(code?: number, reason?: string): void;
}

/** Makes a dial function; the test sees its connections. */
export function scriptedLines(): { readonly dial: Dial; readonly lines: ScriptedLine[] } {
  const lines: ScriptedLine[] = [];
  const dial: Dial = (hub, path, listener) => {
    let closedWith: number | undefined;
    let ended = false;
    const line: ScriptedLine = {
      hub,
      path,
      sent: [],
      listener,
      bufferedAmount: 0,
      get closedWith() {
        return closedWith;
      },
      frames: (type) =>
        line.sent.filter((one) => typeof one === "string").map((one) => JSON.parse(one))
          .filter((frame) => type === undefined || frame.type === type),
      say: (frame) => listener.received(JSON.stringify(frame)),
      end(code = 1006, reason = "") {
        if (ended) return;
        ended = true;
        listener.closed(code, reason);
      },
    };
    lines.push(line);
    return {
      send(data) {
        if (!ended) line.sent.push(data);
      },
      close(code, reason) {
        closedWith ??= code;
        line.end(code, reason);
      },
      get bufferedAmount() {
        return line.bufferedAmount;
      },
    };
  };
  return { dial, lines };
}
