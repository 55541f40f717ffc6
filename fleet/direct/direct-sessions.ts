/**
 * The open sessions of users of the fleet on a console that the hub dials itself.
 *
 * @module
 */
import { isRefusal, type Refusal } from "../../core/errors.ts";
import type { Listener } from "../../transport/arrival.ts";
import type { Socket } from "../../transport/websocket/send-buffer.ts";
import type { FleetUser } from "../wire.ts";
import { type DirectSessionOptions, openDirectSession } from "./direct-session.ts";

type Who = FleetUser | undefined;

/** The sessions of one console. */
export interface DirectSessions {
  /** Opens a session; refused as {@link openDirectSession} says. Without a user it is anonymous. */
  open(as: Who, listener: Listener): Promise<Socket | Refusal>;
  /** Ends the sessions of users whom `isEnded` selects; listeners get the code and the reason. */
  end(isEnded: (as: Who) => boolean, code: number, reason: string): void;
}

/**
 * Makes the sessions of a console, none at first. `options.token` is the token of the hub's user on
 * the console.
 */
export function createDirectSessions(options: DirectSessionOptions): DirectSessions {
  /** The function that ends each session, with the user of the session. */
  const sessions = new Map<(code: number, reason: string) => void, Who>();
  return {
    async open(as, listener) {
      let endedWith: readonly [number, string] | undefined;
      function end(code: number, reason: string): void {
        sessions.delete(end);
        endedWith = [code, reason];
        socket.then((known) => isRefusal(known) || known.close(code, reason));
      }
      const socket = openDirectSession(
        { ...options, token: as === undefined ? undefined : options.token },
        {
          receive: listener.receive,
          closed(code, reason) {
            sessions.delete(end);
            if (endedWith === undefined) listener.closed(code, reason);
            else listener.closed(...endedWith);
          },
        },
      );
      sessions.set(end, as);
      const opened = await socket;
      if (isRefusal(opened)) sessions.delete(end);
      return opened;
    },
    end(isEnded, code, reason) {
      for (const [end, as] of [...sessions]) if (isEnded(as)) end(code, reason);
    },
  };
}
