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
import type { Client, ClientWithoutHandles, ConnectOptions } from "./contract.ts";
import { createHandles } from "./create-handles.ts";
import { RequestError } from "./request-error.ts";
import type { Message } from "./requests.ts";
import { createSession, type Session } from "./session.ts";
import type { AnySubscriber, Extent, SubscribeOptions, WantedOptions } from "./subscriptions.ts";
import { watch } from "./watch.ts";
import { webWorld } from "./world.ts";

export type { ConnectionState, StateChange } from "./connection.ts";
export type * from "./contract.ts";
export type * from "./control-tree.ts";
export type * from "./handles.ts";
export type * from "./paths.ts";
export { RequestError } from "./request-error.ts";
export type * from "./rpcs.ts";
export type { Extent, SubscribeOptions, Subscriber } from "./subscriptions.ts";
export type { Watch, Watched } from "./watch.ts";
export type { Socket, World } from "./world.ts";

/** Reports are dropped while more than this many bytes wait to be sent. */
const MAX_UNSENT_BYTES = 64 * 1024;

/**
 * Maximum numbers of values in a message, and of members in an object or a list of it. The console
 * does not read a message beyond them: its refusal does not say which message it is for, and nobody
 * waits for the answer to a report, so another request would take it.
 */
const MAX_VALUES = 25_000;
const MAX_MEMBERS = 4096;

/** A message of at most this many characters cannot exceed those limits: a value takes 2 or more. */
const READ_CHARACTERS = 2 * MAX_MEMBERS;

/**
 * Makes a client of the console at `url` (`ws://127.0.0.1:8080/api/ws`) and starts to connect. A
 * lost connection is made again, unless the console refuses the token. Throws where `url` is not
 * the address of a WebSocket, and in a runtime without `WebSocket`.
 */
export function connect(url: string, options: ConnectOptions = {}): Client {
  const client = connectWithoutHandles(url, options);
  return Object.assign(client, createHandles(client));
}

/** Does the same as {@linkcode connect}, for a program whose bundle is to have no handles. */
export function connectWithoutHandles(
  url: string,
  options: ConnectOptions = {},
): ClientWithoutHandles {
  const { token, signal, world = webWorld } = options;
  signal?.throwIfAborted();
  // An empty token counts as none, for example that of an empty environment variable.
  const session = createSession(url, token === "" ? undefined : token, world);
  let closing = Promise.resolve();
  signal?.addEventListener("abort", close);
  // The types of paths, methods and values are those of the interface: nothing here knows them.
  return protocolOf(session, url, close) as unknown as ClientWithoutHandles;

  function close(): Promise<void> {
    signal?.removeEventListener("abort", close);
    if (session.connection.state !== "closed") {
      closing = session.end("closed", new RequestError("closed", "the client was closed"));
    }
    return closing;
  }
}

function protocolOf(session: Session, url: string, close: () => Promise<void>) {
  const { ask, connection, keepClaim } = session;
  return {
    get state() {
      return connection.state;
    },
    onState: session.states.add,
    ready: () => ready(session, url),
    get: (path: string, extent?: Extent) => ask({ method: "get", path, ...extent }),
    set: (path: string, payload: unknown) => ask({ method: "set", path, payload }),
    async rpc(method: string, params: unknown) {
      const answer = await ask({ method: "rpc", payload: { method, params } });
      return (answer as { result: unknown }).result;
    },
    subscribe(path: string, subscriber: AnySubscriber, wanted?: WantedOptions) {
      return subscribe(session, path, subscriber, wanted);
    },
    watch: (path: string, wanted?: SubscribeOptions) =>
      watch((subscriber) => subscribe(session, path, subscriber, wanted)),
    onEvent: session.events.add,
    onUnstored: session.unstored.add,
    async engine(paths?: readonly string[]) {
      const claim: Message = { method: "engine", ...(paths === undefined ? {} : { paths }) };
      await ask(claim);
      keepClaim(paths?.length === 0 ? undefined : claim);
    },
    report: (payload: unknown) => report(session, { payload }),
    reportLate: (late: boolean) => report(session, { late }),
    onRefusedReport: session.refusedReports.add,
    async reportCounted(payload: unknown) {
      const { connection, refusedClaim } = session;
      if (connection.state === "open" && refusedClaim !== undefined) throw refusedClaim;
      return (await ask({ method: "report", payload }) as { taken: number }).taken;
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

function ready(session: Session, url: string): Promise<void> {
  return new Promise((resolve, reject) => {
    if (session.connection.state === "open") return resolve();
    if (session.ended !== undefined) return reject(session.ended);
    const stop = session.states.add(({ state, reason }) => {
      stop();
      if (state === "open") resolve();
      else reject(session.ended ?? new RequestError("lost", `no connection to ${url}: ${reason}`));
    });
  });
}

function subscribe(
  { ended, subscriptions }: Session,
  path: string,
  subscriber: AnySubscriber,
  wanted: WantedOptions = {},
): () => void {
  checkArguments(path, subscriber);
  if (ended === undefined) return subscriptions.add(path, subscriber, wanted);
  queueMicrotask(() => subscriber.ended(ended));
  return () => {};
}

/** A program without types would fail only when the first value comes. */
function checkArguments(path: unknown, subscriber: Partial<AnySubscriber> | undefined): void {
  if (typeof path !== "string") throw new TypeError("subscribe: the path is not a string");
  const missing = (["whole", "change", "ended"] as const)
    .find((member) => typeof subscriber?.[member] !== "function");
  if (missing === undefined) return;
  throw new TypeError(
    `subscribe: expected an object with whole, change and ended; ${missing} is not a function`,
  );
}

function report(session: Session, what: object): boolean {
  const { connection: { state, unsent, send }, refusedClaim, refusedReports } = session;
  if (state !== "open" || refusedClaim !== undefined || unsent > MAX_UNSENT_BYTES) return false;
  const message = { method: "report", ...what };
  const text = JSON.stringify(message);
  if (text.length > READ_CHARACTERS && valuesIn(message) > MAX_VALUES) {
    const limits =
      `more than ${MAX_VALUES} values, or more than ${MAX_MEMBERS} in an object or a list`;
    refusedReports.tell(new RequestError(1, `the report was not sent: it has ${limits}`));
    return false;
  }
  send(text);
  return true;
}

/** Returns the number of values in a message; infinite if an object or a list has too many. */
function valuesIn(value: unknown): number {
  if (typeof value !== "object" || value === null) return 1;
  const members = Object.values(value);
  if (members.length > MAX_MEMBERS) return Infinity;
  return members.reduce((sum: number, member) => sum + valuesIn(member), 1);
}
