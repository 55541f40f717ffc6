/**
 * A console that has no uplink, such as an older one, or a device of another vendor with the same
 * protocol: the hub dials it, reads its summary at intervals, and passes sessions on to it.
 *
 * The console knows one user of this hub. So a user of the fleet reaches it only with at least the
 * right of that user.
 *
 * @module
 */
import { type Client, connect } from "../../client/client.ts";
import { createListeners } from "../../client/listeners.ts";
import { webWorld, type World } from "../../client/world.ts";
import { type Refusal, refuse } from "../../core/errors.ts";
import { hexOf } from "../../core/hex.ts";
import { after, type Clock, type Timer } from "../../core/ports.ts";
import { sha256 } from "../../core/sha256.ts";
import { refused } from "../../transport/json-answers.ts";
import { GOING_AWAY, SERVICE_RESTART } from "../../transport/websocket/close-codes.ts";
import { unreachable } from "../hub/console-state.ts";
import { fetchDirect } from "./direct-fetch.ts";
import { createDirectReader } from "./direct-reader.ts";
import { createDirectSessions } from "./direct-sessions.ts";
import { directSummary, type Read } from "./direct-summary.ts";
import type { ConsoleEntry, ConsoleState, HeldConsole } from "../hub/hub-core.ts";
import { BEAT_MS, type ConsoleId, FLEET_MAY, type FleetMay, type FleetUser } from "../wire.ts";

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

/** Time in ms after which a console that refused the hub's token is dialled again. */
const REFUSED_MS = 30_000;

const ID_DIGITS = 32;

const REFUSED = "The console does not take the token by which the hub calls it.";

/** Dials a console, until it is closed. */
export function createDirect(options: DirectOptions, ports: DirectWorld): HeldConsole {
  const { url, token, site } = options;
  const { clock, timer, staleAfter, world = webWorld, fetch = globalThis.fetch } = ports;
  const id = directId(options);
  const base = url.replace(/^ws/, "http").replace(/(\/api\/ws)?\/*$/, "");
  const socketUrl = `${base.replace(/^http/, "ws")}/api/ws`;
  const listeners = createListeners<ConsoleEntry>();
  const sessions = createDirectSessions({ url: socketUrl, token, world, timer });
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
  const reader = createDirectReader(timer, hear);
  let isClosed = false;
  let cancelBeat = () => {};
  let cancelDial = () => {};
  let client = dial();
  watchBeats();

  function dial(): Client {
    const dialled = connect(socketUrl, { world, ...(token === undefined ? {} : { token }) });
    dialled.onState(({ state }) => {
      if (state === "open") {
        reader.startAnew();
        learn({ trouble: undefined, may: "admin" });
        beat();
      } else if (state === "lost") learn({ trouble: undefined });
      if (state !== "refused") return;
      learn({ trouble: REFUSED });
      // The console may take the token later, as after a restore of its users.
      cancelDial = after(timer, REFUSED_MS, dialAnew);
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

  function beat(): void {
    look();
    reader.read(client);
  }

  function learn(part: Partial<Read>): void {
    read = { ...read, ...part };
    look();
  }

  /**
   * Takes values of the console. The sessions of users whose right no longer suffices end. They
   * stay while the right is only assumed, after the hub's own connection was lost.
   */
  function hear(part: Partial<Read>): void {
    learn(part);
    if (part.may === undefined) return;
    const why = "the console gives the hub a higher right";
    sessions.end(hasTooLittle, SERVICE_RESTART, why);
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
    return timer.monotonic() - reader.heardAt() < staleAfter ? "live" : "stale";
  }

  /** Says whether the right of a user of the fleet is less than the right of the hub's user. */
  function hasTooLittle(as: FleetUser | undefined): as is FleetUser {
    return token !== undefined && as !== undefined && rank(as.may) < rank(read.may);
  }

  function refusalFor(as: FleetUser | undefined): Refusal | undefined {
    if (entry.state !== "live") return unreachable(entry, id);
    if (!hasTooLittle(as)) return undefined;
    const sentence = `the hub reaches this console with the right to ${read.may}, which user ` +
      `${as.name} does not have`;
    return refuse("noRight", sentence);
  }

  return {
    entry: () => entry,
    watch: listeners.add,
    session: async (_id, as, _from, listener) =>
      refusalFor(as) ?? await sessions.open(as, listener),
    async fetch(_id, as, _from, request) {
      const refusal = refusalFor(as);
      if (refusal !== undefined) {
        request.body?.cancel().catch(() => {});
        return refused(entry.state === "live" ? 403 : 503, refusal);
      }
      const user = as === undefined ? undefined : token;
      return await fetchDirect(request, { base, token: user, timer, fetch });
    },
    close() {
      if (isClosed) return;
      isClosed = true;
      cancelBeat();
      cancelDial();
      sessions.end(() => true, GOING_AWAY, "the hub stops");
      client.close();
    },
  };
}

/** Returns the id of a console; without one in its options, one that stays as its address does. */
export function directId({ id, url }: Pick<DirectOptions, "id" | "url">): ConsoleId {
  return id ?? hexOf(sha256(new TextEncoder().encode(url))).slice(0, ID_DIGITS);
}

function rank(may: FleetMay): number {
  return FLEET_MAY.indexOf(may);
}
