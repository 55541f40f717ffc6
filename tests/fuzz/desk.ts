/**
 * A service in this process for fuzzers: each case has its own, which begins at a state that all
 * cases share, and whose time stands still.
 *
 * @module
 */
import { assert, assertEquals } from "@std/assert";
import { createConsole } from "../../core/console.ts";
import { isRefusal } from "../../core/errors.ts";
import { withoutPauses } from "../../core/cooperative-scheduler.ts";
import type { Timer } from "../../core/ports.ts";
import { saveSnapshot } from "../../core/snapshots/savesnapshot.ts";
import type { State } from "../../core/state.ts";
import type { Listener } from "../../transport/arrival.ts";
import { addUser } from "../../core/users/adduser.ts";
import { makeHandover } from "../../core/users/makehandover.ts";
import { DEVICE } from "../../core/users/user.ts";
import { actor } from "../core/actors.ts";
import { forgetful, serviceOf, stillClock, testConsole, unlimitedWith } from "../service.ts";

/** The address of the client, and the address and port of the service. */
const CLIENT = "127.0.0.1";
const HOST = "127.0.0.1:8080";
const URL_OF_SERVICE = `http://${HOST}`;

/** Maximum time of an answer in ms; even on a busy machine an answer takes far less. */
const PATIENCE_MS = 20_000;

/** The token of a user who is an engine with the right to view. */
export const ENGINE_TOKEN = "eeeeeeee-00000000-00000000-00000005";

/** The last request, where reports may have no answer: its answer comes after all others. */
const LAST = { msgID: "the last one", method: "get", path: "/general/_api_version" };

/** A timer whose time stands still. */
const never: Timer = { monotonic: () => 0, at: () => () => {} };

const base = await testConsole({ configuration: unlimitedWith(), clock: stillClock() });
for (const type of [1, 2, 3] as const) {
  const parameters = { type, id: "", fader: 0, fp: 0, name: "Own", writegroups: 1, readgroups: 0 };
  const saved = await base.dispatch(saveSnapshot(parameters), actor(base, "one"));
  if (isRefusal(saved)) throw new Error(saved.message);
}
const dsp = { name: "dsp", groups: 0, admin: false, engine: true, may: "view" } as const;
const added = await base.dispatch(addUser({ ...dsp, token: ENGINE_TOKEN }), DEVICE);
if (isRefusal(added)) throw new Error(added.message);
const handedOver = await base.dispatch(makeHandover("two", 60), DEVICE);
if (isRefusal(handedOver)) throw new Error(handedOver.message);
const factory = new Set(base.state.configuration.factorySnapshots.map(({ id }) => id));

/** The ids of the snapshots of user `one`: a channel, a mixer and a processing snapshot. */
export const ownSnapshots: readonly string[] = [...base.state.snapshots.keys()]
  .filter((key) => !factory.has(key) && !key.startsWith("default"));

/** A code that hands over user `two`. */
export const handoverCode = handedOver.result.code;

/** A WebSocket on a desk. */
export interface DeskSocket {
  /**
   * Sends messages at once, without waiting for answers; resolves with the answers, in order. The
   * last may be a close code.
   */
  send(...data: readonly unknown[]): Promise<readonly (string | number)[]>;
}

/** A service of one case. */
export interface Desk {
  readonly state: State;
  /** Sends a request; `path` begins with a slash. Undefined where it is no valid `Request`. */
  ask(path: string, request: RequestInit): Promise<Response> | undefined;
  /** Opens a WebSocket, with a login if a token is given. */
  open(token?: string): Promise<DeskSocket>;
}

/** Makes a service, runs a case on it, and asserts that the service still answers afterwards. */
export async function atDesk(run: (desk: Desk) => Promise<void>): Promise<void> {
  const console = createConsole({
    state: base.state,
    store: forgetful,
    clock: stillClock(),
    random: { bytes: (count) => crypto.getRandomValues(new Uint8Array(count)) },
    connections: () => 0,
    readAudit: () => Promise.resolve([]),
  });
  const world = { clock: stillClock(), timer: never, scheduler: withoutPauses };
  const { sessions, service, fadeDriver } = serviceOf(console, world);
  const noUpgrade = () => {
    throw new Error("no WebSocket was asked for");
  };

  const desk: Desk = {
    get state() {
      return console.state;
    },
    ask(path, init) {
      let request: Request;
      try {
        request = new Request(`${URL_OF_SERVICE}${path}`, init);
        if (!request.headers.has("host")) request.headers.set("host", HOST);
      } catch {
        return undefined;
      }
      const arrival = { request, client: CLIENT, upgrade: noUpgrade };
      return inTime(Promise.resolve(service(arrival)));
    },
    async open(token) {
      let listener: Listener | undefined;
      const answers: (string | number)[] = [];
      let answered = Promise.withResolvers<readonly (string | number)[]>();
      const take = (answer: string | number) => {
        const isLast = typeof answer === "string" && JSON.parse(answer).msgID === LAST.msgID;
        if (!isLast) answers.push(answer);
        if (isLast || typeof answer === "number") answered.resolve(answers.splice(0));
      };
      const headers = {
        host: HOST,
        upgrade: "websocket",
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      };
      await service({
        request: new Request(`${URL_OF_SERVICE}/api/ws`, { headers }),
        client: CLIENT,
        upgrade(open) {
          listener = open({
            send(text) {
              if (!/^\{"method":"(update|event)","payload"/.test(text)) take(text);
            },
            close(code, reason, fault) {
              if (fault === undefined) take(code);
              else answered.reject(fault);
              assert(new TextEncoder().encode(reason).length <= 123, reason);
            },
            bufferedAmount: 0,
          });
          return new Response();
        },
      });
      assert(listener !== undefined, "no WebSocket was opened");
      return {
        send(...data) {
          answered = Promise.withResolvers();
          for (const one of [...data, JSON.stringify(LAST)]) listener!.receive(one);
          return inTime(answered.promise);
        },
      };
    },
  };

  await run(desk);
  const after = await desk.ask("/api/rest/general/_api_version", {});
  assert(after!.status < 500, "it does not answer any more");
  await after!.body?.cancel();
  sessions.closeAll(1001, "the case is over");
  await fadeDriver.stop();
}

async function inTime<Answer>(answer: Promise<Answer>): Promise<Answer> {
  let timeout: ReturnType<typeof setTimeout> | undefined;
  const missing = new Promise<never>((_, reject) => {
    timeout = setTimeout(() => reject(new Error("no answer came")), PATIENCE_MS);
  });
  try {
    return await Promise.race([answer, missing]);
  } finally {
    clearTimeout(timeout);
  }
}

/**
 * Asserts that all parts of a state have equal values, except the last use of a token: a request
 * that is refused for another reason may change that.
 */
export function assertUnchanged(before: State, after: State, what: string): void {
  if (before === after) return;
  for (const part of Object.keys(before) as (keyof State)[]) {
    if (before[part] === after[part]) continue;
    assertEquals(textOf(after[part]), textOf(before[part]), `${part} was changed by ${what}`);
  }
}

function textOf(part: unknown): string {
  const plain = (member: string, value: unknown) =>
    member === "used" ? undefined : value instanceof Map ? [...value] : value;
  return JSON.stringify(part, plain) ?? "";
}
