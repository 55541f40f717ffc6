/**
 * A client of the control protocol, for browsers, Deno, Node from version 22 on, and Bun.
 *
 * @example Watch a fader, and fade it
 * ```ts ignore
 * import { connect } from "faderd/client";
 *
 * await using desk = connect("ws://127.0.0.1:8080/api/ws", { token: "…" });
 * await desk.ready();
 * const fader = await desk.watch("/audio/mixers/0/faders/3/fader");
 * fader.listen(({ value }) => console.log(`${value} dB`));
 * await desk.rpc("fadetovalue", { fader: 3, time: 2, value: -10 });
 * ```
 *
 * @module
 */
import { isBranch } from "../core/tree/tree.ts";
import { createConnection, type State, type StateChange } from "./connection.ts";
import type { ControlTree } from "./control-tree.ts";
import { createListeners } from "./listeners.ts";
import type { Change, ValueAt, Writable } from "./paths.ts";
import { RequestError } from "./request-error.ts";
import { type Asker, createRequests, type Message, type Received } from "./requests.ts";
import type { RpcName, RpcParams, RpcResult } from "./rpcs.ts";
import { createSubscriptions, type SubscribeOptions, type Subscriber } from "./subscriptions.ts";
import { type Watch, watch } from "./watch.ts";
import { webWorld, type World } from "./world.ts";

export type { State, StateChange } from "./connection.ts";
export type * from "./control-tree.ts";
export type * from "./paths.ts";
export { RequestError } from "./request-error.ts";
export type * from "./rpcs.ts";
export type { SubscribeOptions, Subscriber } from "./subscriptions.ts";
export type { Watch, Watched } from "./watch.ts";
export type { Socket, World } from "./world.ts";

/** How to connect. */
export interface ConnectOptions {
  /** The token of a user; without one the client acts as nobody, where the console lets it. */
  readonly token?: string;
  /** Closes the client when it is aborted. */
  readonly signal?: AbortSignal;
  /** Sockets and time; those of the platform, unless a test gives others. */
  readonly world?: World;
}

/** A button of an external list was pressed (`on` 1) or released (`on` 0). */
export interface ListEvent {
  readonly type: "extlistnotified";
  readonly params: { readonly entry: number; readonly list: number; readonly on: 0 | 1 };
}

/**
 * A client of one console.
 *
 * A request is sent at once or not at all, and never twice. It is rejected with a
 * {@link RequestError} where the console refuses it, where there is no connection, and where the
 * connection is lost before the answer came. Subscriptions, live copies and the claim of an engine
 * outlast the connection: they are made again on the next one.
 */
export interface Client extends AsyncDisposable {
  readonly state: State;
  /**
   * Tells `listener` of each change of `state`, and of each attempt that failed, with the reason;
   * the answer ends that.
   */
  onState(listener: (change: StateChange) => void): () => void;
  /** Resolves once the state is `open`; rejects when it never will be. */
  ready(): Promise<void>;

  /** Reads what stands at a path. */
  get<const Path extends string>(path: Path): Promise<ValueAt<Path>>;
  /**
   * Writes a value, or some of the values below a path: all of them or none. Resolves with what is
   * in force then, for numbers go to the nearest bound.
   */
  set<const Path extends string>(
    path: Path,
    value: Writable<ValueAt<Path>>,
  ): Promise<Writable<ValueAt<Path>>>;
  /** Calls an RPC method, and resolves with its result. */
  rpc<Name extends RpcName>(name: Name, params: RpcParams<Name>): Promise<RpcResult<Name>>;

  /**
   * Tells `subscriber` what stands at a path, then what changes at and below it; the answer ends
   * that. A path may be subscribed to more than once: then all are told what the one wants who
   * wants most. What changes below a path and one inside it may be told twice.
   */
  subscribe<const Path extends string>(
    path: Path,
    subscriber: Subscriber<ValueAt<Path>, Change<ValueAt<Path>>>,
    options?: SubscribeOptions,
  ): () => void;
  /** Keeps a live copy of what stands at a path; resolves once there is one. */
  watch<const Path extends string>(
    path: Path,
    options?: SubscribeOptions,
  ): Promise<Watch<ValueAt<Path>, Change<ValueAt<Path>>>>;
  /**
   * Tells `listener` of buttons of those external lists that this connection has registered; the
   * answer ends that. After a loss of the connection lists have to be registered again.
   */
  onEvent(listener: (event: ListEvent) => void): () => void;

  /**
   * Claims to be the audio engine of what lies below the paths, or of everything where none is
   * named. The claim is made again on each new connection; while it is refused there, as by a dead
   * connection of this very engine, that counts as a loss.
   */
  engine(paths?: readonly string[]): Promise<void>;
  /**
   * Reports read-only values as an engine, without an answer. Answers whether it was sent: not
   * without a connection, nor while much that was sent before is still on its way.
   */
  report(patch: Change<ControlTree>): boolean;
  /** Reports, too, and resolves with how many values were taken. */
  reportCounted(patch: Change<ControlTree>): Promise<number>;

  /** Ends everything; resolves when the connection is gone. */
  close(): Promise<void>;
}

/** While more bytes than these are on their way, reports are not sent. */
const UNSENT_BYTES = 64 * 1024;

/**
 * Makes a client of the console at `url` (`ws://127.0.0.1:8080/api/ws`) and begins to connect. It
 * comes back by itself whenever the connection is lost, unless the console refuses the token.
 * Throws where `url` is none of a WebSocket.
 */
export function connect(url: string, options: ConnectOptions = {}): Client {
  const { token, signal, world = webWorld } = options;
  signal?.throwIfAborted();
  const states = createListeners<StateChange>();
  const events = createListeners<ListEvent>();
  let claimed: readonly string[] | undefined;
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
  const requests = createRequests(connection.send);
  const subscriptions = createSubscriptions(requests, () => connection.state === "open");

  function logIn(): void {
    if (token === undefined) return claim();
    requests.ask({ method: "auth", token }, {
      resolve: claim,
      reject(error) {
        if (error.code === "lost") return;
        if (error.code === 4) end("refused", error);
        else connection.lose(`the console could not log in: ${error.message}`);
      },
    });
  }

  function claim(): void {
    if (claimed === undefined) return opened();
    requests.ask(claimOf(claimed), {
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
    if ("success" in message || "msgID" in message) return requests.answered(message);
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
  const client = {
    get state() {
      return connection.state;
    },
    onState: states.add,
    ready: () =>
      new Promise<void>((resolve, reject) => {
        if (connection.state === "open") return resolve();
        if (ended !== undefined) return reject(ended);
        const stop = states.add(({ state }) => {
          if (state === "open") resolve();
          else if (ended !== undefined) reject(ended);
          else return;
          stop();
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
    async engine(paths: readonly string[] = []) {
      await ask(claimOf(paths));
      claimed = paths;
    },
    report(payload: unknown) {
      const mayGo = connection.state === "open" && connection.unsent <= UNSENT_BYTES;
      if (mayGo) connection.send(JSON.stringify({ method: "report", payload }));
      return mayGo;
    },
    async reportCounted(payload: unknown) {
      return (await ask({ method: "report", payload }) as { taken: number }).taken;
    },
    close,
    [Symbol.asyncDispose]: close,
  };
  return client as Client;

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

function claimOf(paths: readonly string[]): Message {
  return { method: "engine", ...(paths.length === 0 ? {} : { paths }) };
}

function parsed(data: unknown): Received | undefined {
  try {
    const message: unknown = JSON.parse(data as string);
    return isBranch(message) ? message : undefined;
  } catch {
    return undefined;
  }
}
