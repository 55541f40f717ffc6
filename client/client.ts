/**
 * A client of the control protocol, for browsers, Deno, Node from version 22 on, and Bun.
 *
 * @example Watch a fader, and fade it
 * ```ts ignore
 * import { connect } from "faderd/client";
 *
 * await using desk = connect("ws://127.0.0.1:8080/api/ws", { token: "…" });
 * await desk.ready();
 * const fader = desk.mixer(0).fader(3);
 * (await fader.watch()).listen(({ value }) => console.log(`${value.fader} dB`));
 * await fader.fadeTo(-10, 2);
 * ```
 *
 * @module
 */
import { isBranch } from "../core/tree/tree.ts";
import { createConnection, type StateChange } from "./connection.ts";
import type { Client, ConnectOptions, ListEvent } from "./contract.ts";
import { createHandles } from "./create-handles.ts";
import { createListeners } from "./listeners.ts";
import { RequestError } from "./request-error.ts";
import { type Asker, createRequests, type Message, type Received } from "./requests.ts";
import { createSubscriptions, type SubscribeOptions, type Subscriber } from "./subscriptions.ts";
import { watch } from "./watch.ts";
import { webWorld } from "./world.ts";

export type { ConnectionState, StateChange } from "./connection.ts";
export type * from "./contract.ts";
export type * from "./control-tree.ts";
export type * from "./handles.ts";
export type * from "./paths.ts";
export { RequestError } from "./request-error.ts";
export type * from "./rpcs.ts";
export type { SubscribeOptions, Subscriber } from "./subscriptions.ts";
export type { Watch, Watched } from "./watch.ts";
export type { Socket, World } from "./world.ts";

/** While more bytes than these are on their way, reports are not sent. */
const UNSENT_BYTES = 64 * 1024;

/**
 * Makes a client of the console at `url` (`ws://127.0.0.1:8080/api/ws`) and begins to connect. It
 * comes back by itself whenever the connection is lost, unless the console refuses the token.
 * Throws where `url` is none of a WebSocket, and in a runtime without a `WebSocket`.
 */
export function connect(url: string, options: ConnectOptions = {}): Client {
  const { token, signal, world = webWorld } = options;
  signal?.throwIfAborted();
  const states = createListeners<StateChange>();
  const events = createListeners<ListEvent>();
  const unstored = createListeners<void>();
  const refusedReports = createListeners<RequestError>();
  /** What an engine has asked for, where it has claimed anything. */
  let claim: Message | undefined;
  /** Why it ended, where it has. */
  let ended: RequestError | undefined;

  const connection = createConnection(url, world, {
    opened: logIn,
    received,
    silent: () => requests.ask({ method: "get", path: "/general/_uptime" }, nobody),
    lost(change) {
      requests.fail("lost", "the connection was lost");
      states.tell(change);
    },
  });
  const requests = createRequests(connection.send, refusedReports.tell);
  const subscriptions = createSubscriptions(requests, () => connection.state === "open");

  function logIn(): void {
    if (token === undefined) return claimAgain();
    requests.ask({ method: "auth", token }, {
      resolve: claimAgain,
      reject(error) {
        if (error.code === "lost") return;
        if (error.code === 4) end("refused", error);
        else connection.lose(`the console could not log in: ${error.message}`);
      },
    });
  }

  function claimAgain(): void {
    if (claim === undefined) return opened();
    requests.ask(claim, {
      resolve: opened,
      reject(error) {
        if (error.code !== "lost") connection.lose(`the claim is refused: ${error.message}`);
      },
    });
  }

  function opened(): void {
    connection.established();
    subscriptions.opened();
    states.tell({ state: "open", reason: `connected to ${url}` });
  }

  function received(data: unknown): void {
    const message = parsed(data);
    if (message === undefined || !takes(message)) {
      connection.lose("the console sent what is no message of the protocol");
    }
  }

  /** Acts on a message; says whether it is one by the protocol. */
  function takes(message: Received): boolean {
    const { method, payload, tick } = message;
    if ("success" in message || "msgID" in message) {
      const isAnswer = requests.answered(message);
      if (message.durable === false) unstored.tell();
      return isAnswer;
    }
    if (method !== "update" && method !== "event") return true;
    if (!isBranch(payload)) return false;
    if (method === "event") events.tell(payload as unknown as ListEvent);
    else subscriptions.changed(payload, typeof tick === "number" ? tick : undefined);
    return true;
  }

  function ask(message: Message): Promise<unknown> {
    return new Promise((resolve, reject) => {
      if (connection.state === "open") requests.ask(message, { resolve, reject });
      else reject(ended ?? new RequestError("lost", `no connection to ${url}: nothing was sent`));
    });
  }

  function report(what: object): boolean {
    const mayGo = connection.state === "open" && connection.unsent <= UNSENT_BYTES;
    if (mayGo) connection.send(JSON.stringify({ method: "report", ...what }));
    return mayGo;
  }

  function end(state: "refused" | "closed", error: RequestError): Promise<void> {
    ended = error;
    const gone = connection.end(state);
    requests.fail("closed", "the client was closed");
    subscriptions.end(error);
    states.tell({ state, reason: error.message });
    return gone;
  }

  function close(): Promise<void> {
    signal?.removeEventListener("abort", close);
    return connection.state === "closed"
      ? Promise.resolve()
      : end("closed", new RequestError("closed", "the client was closed"));
  }

  signal?.addEventListener("abort", close);

  // The types of paths, methods and values are those of the interface: nothing here knows them.
  const protocol = {
    get state() {
      return connection.state;
    },
    onState: states.add,
    ready: () =>
      new Promise<void>((resolve, reject) => {
        if (connection.state === "open") return resolve();
        if (ended !== undefined) return reject(ended);
        const stop = states.add(({ state, reason }) => {
          stop();
          if (state === "open") resolve();
          else reject(ended ?? new RequestError("lost", `no connection to ${url}: ${reason}`));
        });
      }),
    get: (path: string) => ask({ method: "get", path }),
    set: (path: string, payload: unknown) => ask({ method: "set", path, payload }),
    async rpc(method: string, params: unknown) {
      const answer = await ask({ method: "rpc", payload: { method, params } });
      return (answer as { result: unknown }).result;
    },
    subscribe,
    watch: (path: string, wanted?: SubscribeOptions) =>
      watch((subscriber) => subscribe(path, subscriber, wanted)),
    onEvent: events.add,
    onUnstored: unstored.add,
    async engine(paths?: readonly string[]) {
      await ask(claimOf(paths));
      claim = paths?.length === 0 ? undefined : claimOf(paths);
    },
    report: (payload: unknown) => report({ payload }),
    reportLate: (late: boolean) => report({ late }),
    onRefusedReport: refusedReports.add,
    async reportCounted(payload: unknown) {
      return (await ask({ method: "report", payload }) as { taken: number }).taken;
    },
    close,
    [Symbol.asyncDispose]: close,
  };
  const client = protocol as unknown as Client;
  return Object.assign(client, createHandles(client));

  function subscribe(
    path: string,
    subscriber: Subscriber<unknown, unknown>,
    wanted: SubscribeOptions = {},
  ): () => void {
    if (ended === undefined) return subscriptions.add(path, subscriber, wanted);
    const error = ended;
    queueMicrotask(() => subscriber.ended(error));
    return () => {};
  }
}

/** Asks for an answer that nobody waits for. */
const nobody: Asker = { resolve() {}, reject() {} };

function claimOf(paths: readonly string[] | undefined): Message {
  return { method: "engine", ...(paths === undefined ? {} : { paths }) };
}

function parsed(data: unknown): Received | undefined {
  try {
    const message: unknown = JSON.parse(data as string);
    return isBranch(message) ? message : undefined;
  } catch {
    return undefined;
  }
}
