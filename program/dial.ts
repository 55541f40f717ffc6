/**
 * Dials the hubs of a fleet.
 *
 * @module
 */
import { reasonOf } from "../core/errors.ts";
import { after, type Timer } from "../core/ports.ts";
import type { Dial } from "../fleet/uplink/line.ts";
import { createClosing } from "../runtimes/closing.ts";
import { dropSocket } from "../runtimes/deno/drop-socket.ts";
import { createPinnedClient, trustPublicAuthorities } from "./pinned-client.ts";

/** The options of a dialler. */
export interface DialOptions {
  /** The token that is sent, as `Authorization: Bearer`. */
  readonly token: string;
  /** Certificates, PEM, that alone vouch for hubs; undefined for the public authorities. */
  readonly ca: string | undefined;
  readonly timer: Timer;
  readonly onFault: (fault: unknown) => void;
}

/** Close code of a socket without a handshake, and of a socket that ended without a code. */
const ABNORMAL = 1006;

/**
 * The WebSocket of Deno takes headers and certificates, which the types of browsers do not have.
 */
const WebSocketOfDeno = WebSocket as unknown as new (url: string, options: object) => WebSocket;

/** Makes a dialler; throws a `Failure` if it cannot trust `ca` alone. */
export function createDial({ token, ca, timer, onFault }: DialOptions): Dial {
  const client = ca === undefined ? undefined : createPinnedClient(ca);
  const options = { headers: { authorization: `Bearer ${token}` }, ...(client && { client }) };

  return (hub, path, listener) => {
    let ended = false;
    let isClosing = false;
    /** The reason for which it could not be dialled, which the close event does not have. */
    let why = "";

    function end(code: number, reason: string): void {
      if (ended) return;
      ended = true;
      closing.end();
      listener.closed(code, reason);
    }

    function drop(): void {
      dropSocket(socket, onFault);
      end(ABNORMAL, "the other end did not answer the close of the connection");
    }

    const closing = createClosing(timer, drop, onFault);
    let socket: WebSocket;
    if (client === undefined && hub.startsWith("wss:")) trustPublicAuthorities();
    try {
      socket = new WebSocketOfDeno(`${hub}${path}`, options);
    } catch (fault) {
      // `deno task start` lets a service reach the hubs that were known when it started.
      const reason = fault instanceof Deno.errors.NotCapable
        ? `the service may not reach it before its next start: ${reasonOf(fault)}`
        : reasonOf(fault);
      after(timer, 0, () => end(ABNORMAL, reason));
      return { send() {}, close() {}, bufferedAmount: 0 };
    }
    socket.binaryType = "arraybuffer";
    socket.onopen = () => {
      if (!ended) listener.opened();
    };
    socket.onmessage = ({ data }) => {
      if (!ended) listener.received(typeof data === "string" ? data : new Uint8Array(data));
    };
    socket.onerror = (event) => {
      event.preventDefault();
      // The time at which a refused certificate was verified differs at each attempt: it is left
      // out.
      why = (event as ErrorEvent).message.replace(/^.*failed to connect to WebSocket: /, "")
        .replace(/: verification time \d+ .*$/, "");
    };
    socket.onclose = ({ code, reason }) => end(code || ABNORMAL, reason || why);
    return {
      send(data) {
        if (socket.readyState === WebSocket.OPEN) socket.send(data as string);
      },
      close(code, reason) {
        if (ended || isClosing) return;
        isClosing = true;
        const isConnected = socket.readyState !== WebSocket.CONNECTING;
        // If a connection is closed from within `onmessage`, Deno 2.9 drops it without sending the
        // code.
        after(timer, 0, () => {
          socket.close(code, reason);
          if (!isConnected) end(ABNORMAL, reason);
        });
        if (isConnected) closing.begin();
      },
      get bufferedAmount() {
        return socket.bufferedAmount;
      },
    };
  };
}
