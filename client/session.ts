/**
 * The session of a client, which outlasts single connections: its token, the claim of an engine,
 * its subscriptions, and the reason of its end.
 *
 * @module
 */
import { isBranch } from "../core/wire.ts";
import { backOffMs, type Connection, createConnection, type StateChange } from "./connection.ts";
import type { DeskEvent } from "./contract.ts";
import { createListeners, type Listeners } from "./listeners.ts";
import { RequestError } from "./request-error.ts";
import { createRequests, ignored, type Message, type Requests } from "./requests.ts";
import { createSubscriptions, type Subscriptions } from "./subscriptions.ts";
import type { World } from "./world.ts";

/** The session of a client with its console. */
export interface Session extends Receivers {
  readonly connection: Connection;
  readonly states: Listeners<StateChange>;
  readonly refusedReports: Listeners<RequestError>;
  /**
   * The refusal of the repeated claim; undefined while it is not refused. Until the claim is
   * accepted no report may be sent, because a report without a claim claims everything.
   */
  readonly refusedClaim: RequestError | undefined;
  /** Why the session has ended; undefined while it goes on. */
  readonly ended: RequestError | undefined;
  /** Sends a request; rejects without a connection. */
  ask(message: Message): Promise<unknown>;
  /**
   * Repeats a claim of an engine on each new connection, until it is accepted there; undefined
   * repeats none.
   */
  keepClaim(claim: Message | undefined): void;
  /** Ends the session; resolves when the connection is closed. */
  end(state: "refused" | "closed", error: RequestError): Promise<void>;
}

/** The receivers of messages from the console. */
interface Receivers {
  readonly requests: Requests;
  readonly subscriptions: Subscriptions;
  readonly events: Listeners<DeskEvent>;
  readonly unstored: Listeners<void>;
}

/** Starts a session; throws if `url` is not the address of a WebSocket. */
export function createSession(url: string, token: string | undefined, world: World): Session {
  const states = createListeners<StateChange>();
  const refusedReports = createListeners<RequestError>();
  let claim: Message | undefined;
  let refusedClaim: RequestError | undefined;
  let cancelClaim = () => {};
  let ended: RequestError | undefined;

  const connection = createConnection(url, world, {
    opened: logIn,
    received(data) {
      if (!receive(data, receivers)) connection.lose("the console broke the protocol");
    },
    isWaiting: () => requests.isWaiting(),
    silent: () => requests.ask({ method: "get", path: "/general/_uptime" }, ignored),
    lost(change) {
      cancelClaim();
      requests.fail("lost", "the connection was lost");
      states.tell(change);
    },
  });
  const requests = createRequests(connection.send, refusedReports.tell);
  const subscriptions = createSubscriptions(requests, () => connection.state === "open");
  const receivers: Receivers = {
    requests,
    subscriptions,
    events: createListeners(),
    unstored: createListeners(),
  };

  function logIn(): void {
    const auth = token === undefined ? undefined : { method: "auth", token };
    askFirst(requests, auth, () => claimAgain(0), (error) => {
      if (error.code === 4) end("refused", error);
      else connection.lose(`the login failed: ${error.message}`);
    });
  }

  /** Makes the claim, which was refused `refusals` times on this connection. */
  function claimAgain(refusals: number): void {
    askFirst(requests, claim, () => {
      refusedClaim = undefined;
      if (refusals === 0) opened();
      else states.tell({ state: "open", reason: "the claim is accepted" });
    }, ({ code, message }) => {
      // A claim of the program itself, which is under way, counts instead.
      const retry = () => {
        cancelClaim = world.after(
          backOffMs(refusals),
          () => requests.isWaiting() ? retry() : claimAgain(refusals + 1),
        );
      };
      refusedClaim = new RequestError(code, `the claim is refused: ${message}`);
      retry();
      // Without its claim, too, an engine has to hear what is switched off.
      if (refusals === 0) opened();
      refusedReports.tell(refusedClaim);
    });
  }

  function opened(): void {
    connection.established();
    subscriptions.opened();
    states.tell({ state: "open", reason: `connected to ${url}` });
  }

  function end(state: "refused" | "closed", error: RequestError): Promise<void> {
    ended = error;
    cancelClaim();
    const gone = connection.end(state);
    requests.fail("closed", "the client was closed");
    subscriptions.end(error);
    states.tell({ state, reason: error.message });
    return gone;
  }

  return {
    ...receivers,
    connection,
    states,
    refusedReports,
    get refusedClaim() {
      return refusedClaim;
    },
    get ended() {
      return ended;
    },
    ask: (message) =>
      new Promise((resolve, reject) => {
        if (connection.state === "open") requests.ask(message, { resolve, reject });
        else reject(ended ?? new RequestError("lost", `no connection to ${url}: nothing was sent`));
      }),
    keepClaim(kept) {
      cancelClaim();
      refusedClaim = undefined;
      claim = kept;
    },
    end,
  };
}

/** Sends a message that has to be answered before `next`; undefined sends nothing. */
function askFirst(
  requests: Requests,
  message: Message | undefined,
  next: () => void,
  refused: (error: RequestError) => void,
): void {
  if (message === undefined) return next();
  const reject = (error: RequestError) => typeof error.code === "number" && refused(error);
  requests.ask(message, { resolve: next, reject });
}

/** Passes a message to its receiver; returns whether it belongs to the protocol. */
function receive(data: unknown, { requests, subscriptions, events, unstored }: Receivers): boolean {
  const message = parsed(data);
  if (!isBranch(message)) return false;
  const { method, payload, tick } = message;
  if ("success" in message || "msgID" in message) {
    const isAnswer = requests.answered(message);
    if (message.durable === false) unstored.tell();
    return isAnswer;
  }
  if (method !== "update" && method !== "event") return true;
  if (!isBranch(payload)) return false;
  if (method === "event") events.tell(payload as unknown as DeskEvent);
  else subscriptions.changed(payload, typeof tick === "number" ? tick : undefined);
  return true;
}

function parsed(data: unknown): unknown {
  try {
    return JSON.parse(data as string);
  } catch {
    return undefined;
  }
}
