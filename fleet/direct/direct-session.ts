/**
 * A session on a console that the hub dials itself: a WebSocket of the hub's own, which is logged
 * in before any user gets it.
 *
 * @module
 */
import type { World } from "../../client/world.ts";
import { type Refusal, refuse } from "../../core/errors.ts";
import { after, type Timer } from "../../core/ports.ts";
import { isBranch } from "../../core/tree/tree.ts";
import type { Listener } from "../../transport/arrival.ts";
import type { Socket } from "../../transport/websocket/send-buffer.ts";
import { sentenceOf } from "../hub/console-state.ts";

/** The console and the user of the session. */
export interface DirectSessionOptions {
  /** The address of the WebSocket. */
  readonly url: string;
  /** Without it the session is anonymous. */
  readonly token: string | undefined;
  readonly world: World;
  readonly timer: Timer;
}

/** Time in ms that a console has to let the hub in. */
const OPEN_MS = 10_000;

/** Opens a session; refused where the console cannot be reached, or does not take the token. */
export function openDirectSession(
  { url, token, world, timer }: DirectSessionOptions,
  listener: Listener,
): Promise<Socket | Refusal> {
  return new Promise((resolve) => {
    const socket = world.open(url);
    let isGiven = false;
    const cancel = after(timer, OPEN_MS, () => giveUp("it did not answer in time"));

    function give(): void {
      cancel();
      isGiven = true;
      resolve({
        send: (data: string) => socket.send(data),
        close: (code, reason) => socket.close(allowed(code), reason),
        get bufferedAmount() {
          return socket.bufferedAmount;
        },
      } as Socket);
    }

    function giveUp(why: string): void {
      cancel();
      socket.onclose = socket.onmessage = socket.onopen = null;
      socket.onerror = () => {};
      socket.close();
      resolve(refuse("noSuchObject", `the console does not let the hub in: ${why}`));
    }

    socket.onopen = () => {
      if (token === undefined) give();
      else socket.send(JSON.stringify({ method: "auth", token }));
    };
    socket.onmessage = ({ data }) => {
      if (isGiven) return listener.receive(data);
      // Nobody has sent or subscribed to anything yet: this is the answer to the login.
      const refusal = refusalIn(data);
      if (refusal === undefined) give();
      else giveUp(refusal);
    };
    socket.onerror = () => isGiven || giveUp("it could not be reached");
    socket.onclose = ({ code, reason }) => {
      if (isGiven) listener.closed(code, reason);
      else giveUp("it closed the connection");
    };
  });
}

function refusalIn(data: unknown): string | undefined {
  try {
    const answer = JSON.parse(data as string);
    if (answer.success === true) return undefined;
    return isBranch(answer.error)
      ? sentenceOf(String(answer.error.message))
      : "it does not take the token";
  } catch {
    return "it broke the protocol";
  }
}

/** A WebSocket of the platform is closed with these codes alone (RFC 6455, section 7.4.2). */
function allowed(code: number): number {
  return code === 1000 || (code >= 3000 && code <= 4999) ? code : 1000;
}
