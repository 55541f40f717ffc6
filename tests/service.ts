/**
 * A real service for tests: a console on a store, listening on a free port of this machine.
 *
 * @module
 */
import type { Audit } from "../core/audit.ts";
import type { ReadAudit } from "../core/audit-query.ts";
import { readConfiguration } from "../core/configuration/configuration.ts";
import { demoConfiguration } from "../core/configuration/demo.ts";
import type { WrittenConfiguration } from "../core/configuration/schema.ts";
import type { Command } from "../core/command.ts";
import { type Console, createConsole } from "../core/console.ts";
import { isRefusal, type Refusal } from "../core/errors.ts";
import type { Clock, CooperativeScheduler, Store, Timer } from "../core/ports.ts";
import { addUser } from "../core/users/adduser.ts";
import { noteUse } from "../core/users/last-use.ts";
import { DEVICE } from "../core/users/user.ts";
import { machineScheduler, machineTimer, punctualTimer } from "../runtimes/clock.ts";
import { type Device, noDevice } from "../core/backup/device.ts";
import type { Service } from "../transport/arrival.ts";
import {
  serveConsole,
  type ServeConsoleOptions,
  type ServedConsole,
} from "../transport/serve-console.ts";
import type { View } from "../transport/view.ts";
import type { WrongTokens } from "../transport/wrong-tokens.ts";
import { replayed } from "./core/stores.ts";
import { listen } from "./listen.ts";

export { until } from "./until.ts";

/** The tokens of the users of every test service. */
export const tokens = {
  admin: "aaaaaaaa-00000000-00000000-00000001",
  /** Of a user in group 1 only. */
  one: "bbbbbbbb-00000000-00000000-00000002",
  /** Of a user in group 2 only. */
  two: "cccccccc-00000000-00000000-00000003",
  /** Of a user in no group. */
  none: "dddddddd-00000000-00000000-00000004",
} as const;

/** A store that keeps nothing and never fails. */
export const forgetful: Store = { append: () => Promise.resolve() };

/** A store that holds records until the test stores or fails them. */
export interface HeldStore extends Store {
  /** Holds records from now on. */
  hold(): void;
  /** The number of held records. */
  readonly waiting: number;
  /** Confirms the held records as stored on the medium. */
  store(): void;
  /** Fails the held records. */
  fail(reason: string): void;
}

/** A store that confirms records at once, until `hold` is called. */
export function heldStore(): HeldStore {
  let holding = false;
  const waiting: { readonly resolve: () => void; readonly reject: (fault: Error) => void }[] = [];
  return {
    append() {
      if (!holding) return Promise.resolve();
      return new Promise<void>((resolve, reject) => void waiting.push({ resolve, reject }));
    },
    hold() {
      holding = true;
    },
    get waiting() {
      return waiting.length;
    },
    store() {
      for (const one of waiting.splice(0)) one.resolve();
    },
    fail(reason) {
      for (const one of waiting.splice(0)) one.reject(new Error(reason));
    },
  };
}

/** A clock that stands still, so that nothing changes by itself; `tick` advances it. */
export function stillClock(): Clock & { tick(ms: number): void } {
  let time = 0;
  return { now: () => time, monotonic: () => time, tick: (ms) => void (time += ms) };
}

/** The clock of this machine. */
export const realClock: Clock = { now: Date.now, monotonic: () => performance.now() };

/** The demo configuration with parts of it replaced. */
export function demoWith(parts: Partial<WrittenConfiguration>): WrittenConfiguration {
  return { ...demoConfiguration, ...parts };
}

/** The demo configuration without a limit on REST requests, with parts of it replaced. */
export function unlimitedWith(parts: Partial<WrittenConfiguration> = {}): WrittenConfiguration {
  return demoWith({ limits: { rest: { burst: 0 } }, ...parts });
}

/** The demo configuration of a console that refuses every change that cannot be stored. */
export const refusing: WrittenConfiguration = demoWith({ storage: { onFault: "refuse" } });

/** The parts of a test console, each with a default. */
export interface TestConsole {
  readonly configuration?: WrittenConfiguration;
  readonly store?: Store;
  readonly clock?: Clock;
  /** The timer of the fades. */
  readonly timer?: Timer;
  /** The timer of the service; with a clock of the test it ignores timeouts of 0.9 s or more. */
  readonly serviceTimer?: Timer;
  readonly records?: Iterable<Uint8Array>;
  readonly device?: Device;
  /** By default wrong tokens are not delayed: all clients of a test have the same address. */
  readonly wrongTokens?: WrongTokens;
  readonly scheduler?: CooperativeScheduler;
  /** The number of connections; a service counts its own. */
  readonly connections?: () => number;
  readonly audit?: Audit;
  /** By default an empty audit trail; undefined for a console without an audit trail. */
  readonly readAudit?: ReadAudit | undefined;
  readonly onStoreFault?: (fault: unknown) => void;
  readonly onWatcherFault?: (fault: unknown) => void;
  /** The files of the device view; by default there is no view. */
  readonly view?: View;
}

/** A console with the users of {@link tokens}, by default the demo console. */
export async function testConsole(options: TestConsole = {}): Promise<Console> {
  const read = readConfiguration(options.configuration ?? demoConfiguration);
  if ("faults" in read) throw new Error(JSON.stringify(read.faults));
  const console = createConsole({
    state: replayed(read.configuration, options.records ?? []),
    store: options.store ?? forgetful,
    clock: options.clock ?? realClock,
    random: { bytes: (count) => crypto.getRandomValues(new Uint8Array(count)) },
    connections: options.connections ?? (() => 0),
    audit: options.audit,
    readAudit: "readAudit" in options ? options.readAudit : () => Promise.resolve([]),
    ...(options.onStoreFault && { onStoreFault: options.onStoreFault }),
    ...(options.onWatcherFault && { onWatcherFault: options.onWatcherFault }),
  });
  const groups = { admin: 255, one: 1, two: 2, none: 0 };
  for (const name of ["admin", "one", "two", "none"] as const) {
    if (console.state.users.has(name)) continue;
    const user = { name, groups: groups[name], admin: name === "admin", token: tokens[name] };
    await result(console, addUser(user));
  }
  return console;
}

/** Carries out a command as the device; throws when it is refused. */
export async function result<Result>(console: Console, command: Command<Result>): Promise<Result> {
  const outcome = await console.dispatch(command, DEVICE);
  if ("code" in outcome) throw new Error(`${outcome.code}: ${outcome.message}`);
  return outcome.result;
}

/** Returns an outcome that is a refusal; throws at any other outcome. */
export function refusalOf(outcome: object): Refusal {
  if (!isRefusal(outcome)) throw new Error(`not refused: ${JSON.stringify(outcome)}`);
  return outcome;
}

/** An answer in JSON. */
export type Json = ReturnType<typeof JSON.parse>;

/** A WebSocket client. */
export interface TestSocket {
  readonly socket: WebSocket;
  send(message: unknown): void;
  /** Takes the next message, in order of arrival. */
  next(): Promise<Json>;
  /** Sends a request and takes the next message. */
  ask(message: unknown): Promise<Json>;
  /** Calls an RPC and takes the next message. */
  rpc(method: string, params: unknown): Promise<Json>;
  /** The received messages that have not been taken. */
  readonly untaken: readonly Json[];
  /** The close code, once the connection is closed. */
  readonly closed: Promise<number>;
  close(): Promise<void>;
}

/** A listening service. */
export interface TestService extends AsyncDisposable {
  readonly console: Console;
  /** `http://127.0.0.1:port` */
  readonly url: string;
  /** The codes with which the service closed WebSockets, also before the client receives them. */
  readonly closedWith: readonly number[];
  /** POSTs an envelope with the admin's token, unless the message has a token. */
  post(message: object): Promise<Json>;
  /** Calls an RPC over HTTP. */
  rpc(method: string, params: unknown, token?: string): Promise<Json>;
  open(): Promise<TestSocket>;
  /** Closes all WebSockets, as a restarting service does. */
  closeSockets(): void;
}

/** A timer of this machine that ignores timeouts of 0.9 s or more. */
const impatientTimer: Timer = {
  ...machineTimer,
  at: (due, wake) => due < machineTimer.monotonic() + 900 ? machineTimer.at(due, wake) : () => {},
};

/**
 * The defaults with a clock of the test, so that nothing changes by itself: long timeouts are
 * ignored, and connections are not counted.
 */
const still = { connections: () => 0, serviceTimer: impatientTimer };

const neverLate: WrongTokens = { count: () => 0 };

/** Serves a console without listening, and without counting wrong tokens unless the test does. */
export function serviceOf(console: Console, options: ServeConsoleOptions): ServedConsole {
  return serveConsole(console, { wrongTokens: neverLate, ...options });
}

/** Starts a service; `await using service = await startService()` stops it. */
export async function startService(given: TestConsole = {}): Promise<TestService> {
  const counting = { connections: () => sessions.count };
  const options = { ...(given.clock === undefined ? counting : still), ...given };
  const console = await testConsole(options);
  // Otherwise the first request with a token would change the user's last use.
  for (const name of console.state.users.keys()) await result(console, noteUse(name));
  const clock = options.clock ?? realClock;
  const { device = noDevice, wrongTokens = neverLate, view } = options;
  const { sessions, service: made, fadeDriver } = serviceOf(console, {
    clock,
    timer: options.serviceTimer ?? machineTimer,
    fadeTimer: options.timer ?? punctualTimer,
    scheduler: options.scheduler ?? machineScheduler(),
    device,
    wrongTokens,
    view,
  });
  const closedWith: number[] = [];
  const service = noteCloses(made, closedWith);
  const onFault = (fault: unknown) => {
    throw fault;
  };
  const parts = { service, timer: machineTimer, onFault };
  const server = await listen({ hostname: "127.0.0.1", port: 0 }, parts);
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
    closedWith,
    post,
    rpc: (method, params, token = tokens.admin) =>
      post({ method: "rpc", token, payload: { method, params } }),
    async open() {
      const socket = await openSocket(`${url.replace("http", "ws")}/api/ws`);
      sockets.push(socket);
      return socket;
    },
    closeSockets: () => sessions.closeAll(1012, "the test says so"),
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) await socket.close();
      sessions.closeAll(1001, "the test is over");
      await server.stop();
      await fadeDriver.stop();
    },
  };
}

function noteCloses(service: Service, codes: number[]): Service {
  return (arrival) =>
    service({
      ...arrival,
      upgrade: (open, longest) =>
        arrival.upgrade((socket) =>
          open({
            send: (text) => socket.send(text),
            close(code, reason, fault) {
              codes.push(code);
              socket.close(code, reason, fault);
            },
            get bufferedAmount() {
              return socket.bufferedAmount;
            },
          }), longest),
    });
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

/** The forms of a REST action's parameters: of GET, and three of POST. */
export const actionForms = ["GET", "query", "urlencoded", "multipart"] as const;

/** One of {@link actionForms}. */
export type ActionForm = (typeof actionForms)[number];

type ActionValue = string | number | File | undefined;

/** Parameters of a REST action: a list repeats its name, an undefined parameter is left out. */
export interface ActionParameters {
  readonly [name: string]: ActionValue | readonly ActionValue[];
}

/** The answer of a REST action. */
export interface ActionAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The parsed body, if it is JSON. */
  readonly json: Json;
}

/** Calls a REST action; further headers are sent unchanged. */
export async function act(
  { url }: Pick<TestService, "url">,
  name: string,
  parameters: ActionParameters = {},
  form: ActionForm = "GET",
  headers: Readonly<Record<string, string>> = {},
): Promise<ActionAnswer> {
  const given = Object.entries(parameters)
    .flatMap(([name, value]) => [value].flat().map((one) => [name, one] as const))
    .filter(([, value]) => value !== undefined);
  const pairs = given.map(([name, value]) => [name, String(value)]);
  const address = `${url}/action/${name}`;
  let response: Response;
  if (form === "GET") response = await fetch(`${address}?${encoded(pairs)}`, { headers });
  else if (form === "query") {
    response = await fetch(`${address}?${encoded(pairs)}`, { method: "POST", headers });
  } else if (form === "urlencoded") {
    const body = encoded(pairs);
    response = await fetch(address, { method: "POST", headers, body });
  } else {
    const body = new FormData();
    for (const [name, value] of given) {
      body.append(name, value instanceof File ? value : String(value));
    }
    response = await fetch(address, { method: "POST", headers, body });
  }
  const text = await response.text();
  const isJson = response.headers.get("content-type") === "application/json";
  const json = isJson ? JSON.parse(text) : undefined;
  return { status: response.status, headers: response.headers, text, json };
}

function encoded(pairs: readonly (readonly string[])[]): URLSearchParams {
  return new URLSearchParams(pairs as string[][]);
}

/** A file in a form. */
export function formFile(content: Uint8Array | string, name = "file"): File {
  return new File([content as BlobPart], name);
}
