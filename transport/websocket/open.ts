/**
 * Opens WebSockets, if the origin, the token and the limits on connections permit it.
 *
 * @module
 */
import type { Console } from "../../core/console.ts";
import { isRefusal, refuse } from "../../core/errors.ts";
import type { Arrival, HttpRequest, Listener } from "../arrival.ts";
import { longestMessage } from "../control-api/envelope.ts";
import { refused } from "../json-answers.ts";
import { mayOpenWebSocket, originRefusal, PAGE_CALL } from "../origin.ts";
import type { Places } from "../places.ts";
import { authenticateActor, tokenBeside, wrongToken } from "../request-token.ts";
import { TRY_AGAIN_LATER } from "./close-codes.ts";
import type { Socket } from "./send-buffer.ts";
import type { Sessions } from "./sessions.ts";

/** The path of WebSockets; a trailing slash is allowed. */
export const WEBSOCKET_PATH = "/api/ws";

/** Opens a WebSocket for a request at `now`, in ms since 1970, or answers why it is refused. */
export function openWebSocket(
  console: Console,
  sessions: Sessions,
  places: Places,
  asked: HttpRequest,
  upgrade: Arrival["upgrade"],
  now: () => number,
): Response | Promise<Response> {
  const { request, client } = asked;
  const { limits, websocket } = console.state.configuration;
  if (request.headers.get("upgrade")?.toLowerCase() !== "websocket") {
    const refusal = refuse("webSocketOnly", `${WEBSOCKET_PATH} is for WebSockets`);
    return refused(426, refusal, { upgrade: "websocket" });
  }
  if (!mayOpenWebSocket(request, websocket.origins)) {
    const refusal = originRefusal(request);
    console.tellRefused({ address: client, call: PAGE_CALL }, refusal, WEBSOCKET_PATH);
    return refused(403, refusal);
  }
  const actor = authenticateActor(sessions.tokens, asked, tokenBeside(asked));
  if (actor instanceof Promise) {
    return actor.then((refusal) => wrongToken(console, asked, refusal));
  }
  if (isRefusal(actor)) return wrongToken(console, asked, actor);
  const { user, atMost } = actor;
  const isAdmin = user?.admin === true;
  const full = `there are ${limits.connections} connections already`;
  if (isAdmin && places.areTaken(client)) sessions.makePlace(client);
  if (sessions.count >= limits.connections) {
    if (!isAdmin) return refused(503, refuse("limitReached", full), { "retry-after": "5" });
    sessions.makePlace();
  }

  function open(socket: Socket): Listener {
    const session = sessions.open(socket, { address: client, user, atMost, since: now() });
    // Concurrent handshakes may exceed the limits, so they are checked again.
    const isFull = sessions.count > limits.connections ||
      sessions.countFrom(client) > limits.connectionsPerAddress;
    if (isFull && !isAdmin) session.close(TRY_AGAIN_LATER, full);
    return session;
  }

  return upgrade(open, () => longestMessage(console.state));
}
