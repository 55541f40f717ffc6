/**
 * A real service for tests: a console on a store, listening on a free port of this machine.
 *
 * @module
 */
import { readConfiguration } from "../core/configuration/configuration.ts";
import { demoConfiguration } from "../core/configuration/demo.ts";
import type { WrittenConfiguration } from "../core/configuration/schema.ts";
import { type Command, type Console, createConsole } from "../core/console.ts";
import type { Clock, Store } from "../core/ports.ts";
import { addUser } from "../core/users/add.ts";
import { DEVICE } from "../core/users/user.ts";
import { listen } from "../transport/server.ts";
import { createService } from "../transport/service.ts";
import { createSessions } from "../transport/sessions.ts";

/** Tokens of users that every test service has. */
export const tokens = {
  admin: "aaaaaaaa-00000000-00000000-00000001",
  /** In group 1 alone. */
  one: "bbbbbbbb-00000000-00000000-00000002",
  /** In group 2 alone. */
  two: "cccccccc-00000000-00000000-00000003",
  /** In no group. */
  none: "dddddddd-00000000-00000000-00000004",
} as const;

/** A store that keeps nothing and never fails. */
export const forgetful: Store = { append: () => Promise.resolve() };

/** The clock of this machine. */
export const realClock: Clock = { now: Date.now, monotonic: () => performance.now() };

/** The demo configuration with parts of it replaced. */
export function demoWith(parts: Partial<WrittenConfiguration>): WrittenConfiguration {
  return { ...demoConfiguration, ...parts };
}

/** What a test console is made of, where it differs. */
export interface TestConsole {
  readonly configuration?: WrittenConfiguration;
  readonly store?: Store;
  readonly clock?: Clock;
  readonly records?: Iterable<Uint8Array>;
}

/** A console with the users of {@link tokens}, by default the demo console. */
export async function testConsole(options: TestConsole = {}): Promise<Console> {
  const read = readConfiguration(options.configuration ?? demoConfiguration);
  if ("faults" in read) throw new Error(JSON.stringify(read.faults));
  const console = createConsole({
    configuration: read.configuration,
    store: options.store ?? forgetful,
    clock: options.clock ?? realClock,
    random: { bytes: (count) => crypto.getRandomValues(new Uint8Array(count)) },
    ...(options.records === undefined ? {} : { records: options.records }),
  });
  const groups = { admin: 255, one: 1, two: 2, none: 0 };
  for (const name of ["admin", "one", "two", "none"] as const) {
    if (console.state.users.has(name)) continue;
    const user = { name, groups: groups[name], admin: name === "admin", token: tokens[name] };
    await result(console, addUser(user));
  }
  return console;
}

/** Carries a command out as the device; throws when it is refused. */
export async function result<Result>(console: Console, command: Command<Result>): Promise<Result> {
  const outcome = await console.dispatch(command, DEVICE);
  if ("code" in outcome) throw new Error(`${outcome.code}: ${outcome.message}`);
  return outcome.result;
}

/** A JSON object, as answers are. */
export type Json = ReturnType<typeof JSON.parse>;

/** One WebSocket client. */
export interface TestSocket {
  readonly socket: WebSocket;
  send(message: unknown): void;
  /** The next message that nobody has taken yet, in order of arrival. */
  next(): Promise<Json>;
  /** Sends a request and takes the next message. */
  ask(message: unknown): Promise<Json>;
  /** Calls an RPC and takes the next message. */
  rpc(method: string, params: unknown): Promise<Json>;
  /** Messages that have come and nobody has taken. */
  readonly untaken: readonly Json[];
  /** The close code, once the connection is closed. */
  readonly closed: Promise<number>;
  close(): Promise<void>;
}

/** A service that listens. */
export interface TestService extends AsyncDisposable {
  readonly console: Console;
  /** `http://127.0.0.1:port` */
  readonly url: string;
  /** POSTs an envelope with the admin's token, unless the message has one. */
  post(message: object): Promise<Json>;
  /** Calls an RPC over HTTP. */
  rpc(method: string, params: unknown, token?: string): Promise<Json>;
  open(): Promise<TestSocket>;
}

/** Starts a service; `await using service = await startService()` stops it. */
export async function startService(options: TestConsole = {}): Promise<TestService> {
  const console = await testConsole(options);
  const sessions = createSessions(console);
  const clock = options.clock ?? realClock;
  const service = createService({ console, sessions, clock });
  const server = listen({ hostname: "127.0.0.1", port: 0 }, service, (fault) => {
    throw fault;
  });
  const url = `http://127.0.0.1:${server.address.port}`;
  const sockets: TestSocket[] = [];

  async function post(message: object): Promise<Json> {
    const body = JSON.stringify({ token: tokens.admin, ...message });
    const response = await fetch(`${url}/api/rest`, { method: "POST", body });
    return await response.json();
  }

  return {
    console,
    url,
    post,
    rpc: (method, params, token = tokens.admin) =>
      post({ method: "rpc", token, payload: { method, params } }),
    async open() {
      const socket = await openSocket(`${url.replace("http", "ws")}/api/ws`);
      sockets.push(socket);
      return socket;
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) await socket.close();
      sessions.closeAll(1001, "the test is over");
      await server.stop();
    },
  };
}

/** Connects a WebSocket client. */
export async function openSocket(url: string): Promise<TestSocket> {
  const socket = new WebSocket(url);
  const untaken: Json[] = [];
  const waiting: ((message: Json) => void)[] = [];
  const closed = new Promise<number>((resolve) => {
    socket.onclose = ({ code }) => resolve(code);
  });
  socket.onmessage = ({ data }) => {
    const message = JSON.parse(data);
    const taker = waiting.shift();
    if (taker === undefined) untaken.push(message);
    else taker(message);
  };
  await new Promise((resolve, reject) => {
    socket.onopen = resolve;
    socket.onerror = reject;
  });
  socket.onerror = null;

  const next = () =>
    untaken.length > 0
      ? Promise.resolve(untaken.shift())
      : new Promise<Json>((resolve) => waiting.push(resolve));
  const send = (message: unknown) =>
    socket.send(typeof message === "string" ? message : JSON.stringify(message));
  const ask = (message: unknown) => {
    send(message);
    return next();
  };
  return {
    socket,
    untaken,
    closed,
    send,
    next,
    ask,
    rpc: (method, params) => ask({ method: "rpc", payload: { method, params } }),
    async close() {
      if (socket.readyState !== WebSocket.CLOSED) socket.close();
      await closed;
    },
  };
}
