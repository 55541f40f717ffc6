/**
 * A console that has no uplink, such as an older one, or a device of another vendor with the same
 * protocol: the hub dials it, reads its summary at intervals, and passes sessions on to it.
 *
 * The console knows one user of this hub. So a user of the fleet reaches it only with at least the
 * right of that user.
 *
 * @module
 */
import { type Client, connect, RequestError } from "../../client/client.ts";
import { createListeners } from "../../client/listeners.ts";
import { webWorld, type World } from "../../client/world.ts";
import { errorCodes, isRefusal, type Refusal, refuse } from "../../core/errors.ts";
import { hexOf } from "../../core/hex.ts";
import { after, type Clock, type Timer } from "../../core/ports.ts";
import { sha256 } from "../../core/sha256.ts";
import { refused } from "../../transport/json-answers.ts";
import { unreachable } from "../hub/console-state.ts";
import { inert, requestHeaders } from "../hub/relayed-headers.ts";
import { openDirectSession } from "./direct-session.ts";
import { directSummary, MIXERS_EXTENT, type Read } from "./direct-summary.ts";
import type { ConsoleEntry, ConsoleState, HeldConsole } from "../hub/hub-core.ts";
import { EXCHANGE_MS } from "../hub/hub-limits.ts";
import {
  BEAT_MS,
  type ConsoleId,
  FLEET_MAY,
  type FleetMay,
  type FleetUser,
  FRAME_BYTES,
} from "../wire.ts";

/** A console that the hub dials, as the configuration names it. */
export interface DirectOptions {
  /** By default derived from the address. */
  readonly id?: ConsoleId | undefined;
  /** The name that the hub shows; by default the console's own name. */
  readonly name?: string | undefined;
  readonly site: string;
  /** The address of its WebSocket, such as `ws://10.0.0.5:8080/api/ws`. */
  readonly url: string;
  /** The token of the user as whom the hub logs in; without it the hub is anonymous. */
  readonly token?: string | undefined;
}

/** The ports of a direct console. */
export interface DirectWorld {
  readonly clock: Clock;
  readonly timer: Timer;
  /** Time in ms without a sign of a console after which it is stale. */
  readonly staleAfter: number;
  readonly world?: World;
  readonly fetch?: typeof globalThis.fetch;
}

/** Intervals in ms at which labels and keys, and the right of the hub's user, are read. */
const MIXERS_MS = 2000;
const MAY_MS = 10_000;

/** Time in ms after which a console that left a question unanswered is asked again. */
const UNANSWERED_MS = 10_000;

/** Time in ms after which a console that refused the hub's token is dialled again. */
const REFUSED_MS = 30_000;

/** Maximum time in ms that a console has for a request with a body, such as an archive. */
const UPLOAD_MS = 10 * 60_000;

const ID_DIGITS = 32;

const REFUSED = "The console does not take the token by which the hub calls it.";

/** Dials a console, until it is closed. */
export function createDirect(options: DirectOptions, ports: DirectWorld): HeldConsole {
  const { url, token, site } = options;
  const { clock, timer, staleAfter, world = webWorld, fetch = globalThis.fetch } = ports;
  const id = options.id ?? idOf(url);
  const base = url.replace(/^ws/, "http").replace(/(\/api\/ws)?\/*$/, "");
  const socketUrl = `${base.replace(/^http/, "ws")}/api/ws`;
  const listeners = createListeners<ConsoleEntry>();
  const sessions = new Set<() => void>();
  let read: Read = {
    name: options.name,
    site,
    // Until the console has reported the right of the hub's user, the highest right is assumed.
    may: "admin",
    trouble: undefined,
    general: undefined,
    mixers: undefined,
  };
  let entry: ConsoleEntry = {
    id,
    state: "gone",
    since: clock.now(),
    isAwaited: true,
    summary: directSummary(read, undefined),
  };
  let heardAt = -Infinity;
  let mixersAt = -Infinity;
  let mayAt = -Infinity;
  let isClosed = false;
  /** The time until which the answer to the last question is waited for. */
  let waitsUntil = -Infinity;
  let cancelBeat = () => {};
  let cancelDial = () => {};
  let client = dial();
  watchBeats();

  function dial(): Client {
    const dialled = connect(socketUrl, { world, ...(token === undefined ? {} : { token }) });
    dialled.onState(({ state }) => {
      if (state === "open") {
        heardAt = timer.monotonic();
        mixersAt = -Infinity;
        mayAt = -Infinity;
        waitsUntil = -Infinity;
        learn({ trouble: undefined, may: "admin" });
        beat();
      } else learn({ trouble: state === "refused" ? REFUSED : undefined });
      // The console may take the token later, as after a restore of its users.
      if (state === "refused") cancelDial = after(timer, REFUSED_MS, dialAnew);
    });
    return dialled;
  }

  function dialAnew(): void {
    client.close();
    client = dial();
  }

  function watchBeats(): void {
    cancelBeat = after(timer, BEAT_MS, () => {
      watchBeats();
      beat();
    });
  }

  /**
   * Reads `/general`, as a sign of life, and now and then the labels and keys of the faders, and
   * the right of the hub's user.
   */
  async function beat(): Promise<void> {
    look();
    const now = timer.monotonic();
    if (client.state !== "open" || now < waitsUntil) return;
    waitsUntil = now + UNANSWERED_MS;
    if (now - mayAt >= MAY_MS) {
      mayAt = now;
      askMay();
    }
    try {
      const general = await client.get("/general", { depth: 1 });
      heardAt = timer.monotonic();
      learn({ general: bounded(general) });
      if (heardAt - mixersAt >= MIXERS_MS) {
        mixersAt = heardAt;
        learn({ mixers: bounded(await client.get("/audio/mixers", MIXERS_EXTENT)) });
      }
    } catch {
      // A refusal leaves the known values; a loss shows in the state of the client.
    } finally {
      waitsUntil = -Infinity;
    }
  }

  /**
   * Asks for the right of the hub's user there. A console that does not know the method counts as
   * allowing to operate; without an answer the highest right stays assumed.
   */
  async function askMay(): Promise<void> {
    try {
      const user = await client.rpc("getuser", {});
      const may = user.admin ? "admin" : user.may;
      // Without a right that this version knows, the highest right stays assumed.
      if (FLEET_MAY.includes(may)) learn({ may });
    } catch (fault) {
      if (fault instanceof RequestError && fault.code === errorCodes.unknownMethod) {
        learn({ may: "operate" });
      }
    }
  }

  function learn(part: Partial<Read>): void {
    read = { ...read, ...part };
    look();
  }

  /** Determines the present state of the console, and reports a change. */
  function look(): void {
    if (isClosed) return;
    const summary = directSummary(read, entry.summary);
    const state = stateNow();
    if (state === entry.state && summary === entry.summary) return;
    const since = state === entry.state ? entry.since : clock.now();
    entry = { id, state, since, summary };
    listeners.tell(entry);
  }

  function stateNow(): ConsoleState {
    if (client.state !== "open") return "gone";
    return timer.monotonic() - heardAt < staleAfter ? "live" : "stale";
  }

  /** Refuses a user of the fleet whose right is less than the right of the hub's user. */
  function refusalFor(as: FleetUser | undefined): Refusal | undefined {
    if (entry.state !== "live") return unreachable(entry, id);
    if (token === undefined || as === undefined || rank(as.may) >= rank(read.may)) return undefined;
    const sentence = `the hub reaches this console with the right to ${read.may}, which user ` +
      `${as.name} does not have`;
    return refuse("noRight", sentence);
  }

  return {
    entry: () => entry,
    watch: listeners.add,
    async session(_id, as, _from, listener) {
      const refusal = refusalFor(as);
      if (refusal !== undefined) return refusal;
      const end = () => {
        sessions.delete(end);
        socket.then((known) => isRefusal(known) || known.close(1001, "the hub stops"));
      };
      const socket = openDirectSession(
        { url: socketUrl, token: as === undefined ? undefined : token, world, timer },
        {
          receive: listener.receive,
          closed(code, reason) {
            sessions.delete(end);
            listener.closed(code, reason);
          },
        },
      );
      sessions.add(end);
      const opened = await socket;
      if (isRefusal(opened)) sessions.delete(end);
      return opened;
    },
    async fetch(_id, as, _from, request) {
      const refusal = refusalFor(as);
      if (refusal !== undefined) {
        request.body?.cancel().catch(() => {});
        return refused(entry.state === "live" ? 403 : 503, refusal);
      }
      const { pathname, search } = new URL(request.url);
      const headers = new Headers();
      for (const [name, value] of requestHeaders(request)) headers.set(name, value);
      // The hub's own HTTP client would decompress a compressed answer.
      headers.set("accept-encoding", "identity");
      if (token !== undefined && as !== undefined) headers.set("authorization", `Bearer ${token}`);
      const { method, body } = request;
      const late = new AbortController();
      const ms = body === null ? EXCHANGE_MS : UPLOAD_MS;
      const stopWaiting = after(timer, ms, () => late.abort());
      const signal = AbortSignal.any([late.signal, request.signal]);
      const init = { method, headers, body, redirect: "manual", duplex: "half", signal };
      try {
        const answer = await fetch(`${base}${pathname}${search}`, init as RequestInit);
        return new Response(answer.body, {
          status: answer.status,
          headers: inert(answer.headers),
        });
      } catch {
        return refused(503, refuse("noSuchObject", "the console did not answer"));
      } finally {
        stopWaiting();
      }
    },
    close() {
      if (isClosed) return;
      isClosed = true;
      cancelBeat();
      cancelDial();
      for (const end of [...sessions]) end();
      client.close();
    },
  };
}

/**
 * Returns a read value, unless it is longer than a console that dials the hub may report: each
 * subscriber of the hub gets it.
 */
function bounded(value: unknown): unknown {
  return (JSON.stringify(value) ?? "").length <= FRAME_BYTES ? value : undefined;
}

/** Returns an id that stays as long as the address does. */
function idOf(url: string): ConsoleId {
  return hexOf(sha256(new TextEncoder().encode(url))).slice(0, ID_DIGITS);
}

function rank(may: FleetMay): number {
  return FLEET_MAY.indexOf(may);
}
