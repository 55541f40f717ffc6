/**
 * A session of the console's own `/api/ws`, over a socket that the console has dialled.
 *
 * @module
 */
import type { Arrival, Listener, Service } from "../../transport/arrival.ts";
import type { Line, LineListener } from "./line.ts";
import { SESSION_CLOSE_OFFSET } from "../wire.ts";

/** The user and the address of a session, and the service of the console. */
export interface FleetSessionOptions extends Pick<Arrival, "client" | "vouched"> {
  readonly service: Service;
  /** Reports the reason for which there is no session. */
  unused(why: string): void;
}

/**
 * The line has made the handshake of the WebSocket: the request for the session says that it is
 * done.
 */
const UPGRADE = { connection: "upgrade", upgrade: "websocket" };

/** Opens a session; the socket is dialled only if the service admits the caller. */
export async function openFleetSession(
  dial: (listener: LineListener) => Line,
  { service, client, vouched, unused }: FleetSessionOptions,
): Promise<void> {
  const dialled = new Response(null);
  const upgrade: Arrival["upgrade"] = (open) => {
    let listener: Listener | undefined;
    const line = dial({
      opened() {
        listener = open({
          send: (text) => line.send(text),
          close: (code, reason) => line.close(code + SESSION_CLOSE_OFFSET, reason),
          get bufferedAmount() {
            return line.bufferedAmount;
          },
        });
      },
      received: (data) => listener?.receive(data),
      closed: () => listener?.closed(),
    });
    return dialled;
  };
  const request = new Request("http://localhost/api/ws", { headers: UPGRADE });
  const answer = await service({ request, client, vouched, upgrade });
  if (answer !== dialled) unused(await reasonOf(answer));
}

/** Returns the sentence of a refusal. */
async function reasonOf(answer: Response): Promise<string> {
  const said: unknown = await answer.json().catch(() => undefined);
  const { error } = Object(said) as { readonly error?: { readonly message?: unknown } };
  const message = error?.message;
  return typeof message === "string" ? message : `the console answers with status ${answer.status}`;
}
