/**
 * One row of a table of the specification: a service for each test, called over both transports.
 *
 * @module
 */
import { assert, assertEquals, assertMatch } from "@std/assert";
import {
  type Json,
  startService,
  stillClock,
  type TestConsole,
  type TestService,
  type TestSocket,
  tokens,
  unlimitedWith,
} from "../service.ts";

/** Factory snapshots of the demo console. */
export const factory = {
  channel: "0f0c0001-0000-4000-8000-000000000001",
  mixer: "0f0c0002-0000-4000-8000-000000000001",
  processing: "0f0c0003-0000-4000-8000-000000000001",
} as const;

/** The first fader of the demo console. */
export const FADER = "/audio/mixers/0/faders/0";

/** The arguments of a test: a service with one connection, and functions that call RPCs on both. */
export interface Given {
  readonly service: TestService;
  readonly socket: TestSocket;
  /** The value at a path of the control tree, as a client reads it. */
  value(path: string): Promise<Json>;
  /** Calls an RPC over HTTP and over WebSocket, asserts that the answers are equal, returns one. */
  both(method: string, params: unknown, token?: unknown): Promise<Json>;
  /** Asserts the error codes and messages of calls, over HTTP and over WebSocket. */
  assertCodes(calls: readonly Coded[]): Promise<void>;
}

const configuration = unlimitedWith();

/**
 * A test on a demo console whose clock stands still, so that only requests change it, and that
 * takes any number of requests.
 */
export function test(
  name: string,
  run: (given: Given) => Promise<void>,
  options: TestConsole = {},
): void {
  Deno.test(name, async () => {
    await using service = await startService({ clock: stillClock(), configuration, ...options });
    const socket = await service.open();
    await run({
      service,
      socket,
      value: async (path) => (await service.post({ method: "get", path })).payload,
      both: (method, params, token) => both(service, socket, method, params, token),
      assertCodes: (calls) => assertCodes(service, socket, calls),
    });
  });
}

/** The message of an RPC. */
export function call(method: string, params: object) {
  return { method: "rpc", payload: { method, params } };
}

/** A call of an RPC, its error code (undefined for success), and a pattern of the message. */
export type Coded = readonly [
  method: string,
  params: unknown,
  code?: number | undefined,
  sentence?: RegExp,
];

async function assertCodes(
  service: TestService,
  socket: TestSocket,
  calls: readonly Coded[],
): Promise<void> {
  for (const [method, params, code, sentence = /./] of calls) {
    const { success, error } = await both(service, socket, method, params);
    const what = `${method} ${JSON.stringify(params)}`;
    assertEquals([success, error?.code], [code === undefined, code], what);
    if (code !== undefined) assertMatch(error.message, sentence, what);
  }
}

/** The error code of the answer to a message over a WebSocket; undefined for success. */
export async function codeOf(socket: TestSocket, message: object): Promise<number | undefined> {
  return (await socket.ask(message)).error?.code;
}

/** The error code of an RPC over a WebSocket with the token of a user; undefined for success. */
export function codeFor(
  socket: TestSocket,
  token: string | undefined,
  [method, params]: readonly [string, object],
): Promise<number | undefined> {
  return codeOf(socket, { ...call(method, params), token });
}

async function both(
  service: TestService,
  socket: TestSocket,
  method: string,
  params: unknown,
  token: unknown = tokens.admin,
): Promise<Json> {
  const message = { method: "rpc", token, payload: { method, params } };
  const overHttp = await service.post(message);
  const overSocket = await socket.ask(message);
  assertEquals(overHttp, overSocket, `${method} over HTTP and over WebSocket`);
  return overSocket;
}

/** The entries of `getsnapshotlist`. */
export async function list(service: TestService, type: number, mixer?: number): Promise<Json[]> {
  return (await service.rpc("getsnapshotlist", { type, mixer })).payload.result;
}

/** Saves a snapshot, by default of mixer 0, and answers its entry in the list. */
export async function save(
  service: TestService,
  params: { readonly type?: number; readonly mixer?: number; readonly [name: string]: unknown },
): Promise<Json> {
  const given = { type: 2, id: "", writegroups: 255, name: "One", ...params };
  const answer = await service.rpc("savesnapshot", given);
  assert(answer.success, JSON.stringify(answer));
  return (await list(service, given.type, given.mixer)).at(-1);
}

/** Fetches the `snapshotdata` of a snapshot. */
export async function dataOf(service: TestService, id: string): Promise<Json> {
  return (await service.rpc("getsnapshot", { id })).payload.result.snapshotdata;
}

/** A store that fails while it has a fault. */
export function failingStore(): { fault?: Error; append(): Promise<void> } {
  return {
    append() {
      return this.fault === undefined ? Promise.resolve() : Promise.reject(this.fault);
    },
  };
}
