/**
 * The core of a hub: the picture, the enrolments, the users, and the ways to consoles. It listens to
 * nothing: `fleet/serve-hub.ts` gives it what arrives.
 *
 * @module
 */
import { isRefusal, type Refusal, refuse } from "../core/errors.ts";
import { hexOf } from "../core/hex.ts";
import { after, type Clock, type Random, type Timer } from "../core/ports.ts";
import { LATE_ANSWERS } from "../core/limits.ts";
import { BAD_TOKEN } from "../core/users/token.ts";
import type { Listener } from "../transport/arrival.ts";
import { refused } from "../transport/json.ts";
import type { Socket } from "../transport/websocket/outbox.ts";
import type { WrongTokens } from "../transport/wrong-tokens.ts";
import type { Commands } from "./command.ts";
import { createDialled, type Dialled } from "./dialled.ts";
import { type Enrolments, followEnrolments, noConsole } from "./enrolments.ts";
import { createExchanges } from "./exchanges.ts";
import type { ConsoleEntry, FleetActor, HeldConsole, HubCore } from "./hub-core.ts";
import { STRANGERS_REFUSALS } from "./hub-limits.ts";
import type { Json } from "./json.ts";
import type { Ledger } from "./ledger.ts";
import { followPeople, type People } from "./people.ts";
import { createPicture } from "./picture.ts";
import { createRate } from "./rate.ts";
import { createTickets, type Tickets } from "./tickets.ts";
import type { ConsoleId, FleetUser } from "./wire.ts";

/** The parts of a hub. */
export interface HubParts {
  readonly ledger: Ledger;
  readonly clock: Clock;
  readonly timer: Timer;
  readonly random: Random;
  readonly wrongTokens: WrongTokens;
  readonly organisation: string;
  /** The name of this hub, for its consoles. */
  readonly name: string;
  readonly anonymous: "none" | "console";
  /** Time in ms without a sign of a console after which it is stale. */
  readonly staleAfter: number;
  /** Hears of what could not be written to the audit trail. */
  onFault(fault: unknown): void;
}

/** A hub. */
export interface Hub extends HubCore {
  readonly enrolments: Enrolments;
  readonly people: People;
  readonly dialled: Dialled;
  readonly tickets: Tickets;
  /** Refuses what stands in for a token, as late as a wrong token from that address. */
  refuseLate(refusal: Refusal, from: string): Refusal | Promise<Refusal>;
  /** Calls `listener` when the hub closes; the returned function ends that. */
  onClose(listener: () => void): () => void;
  /** Closes all sockets, and the ledger. */
  close(): Promise<void>;
}

/** The close code of a session whose user was removed, or has another right: "policy violation". */
const REVOKED = 1008;

/** Makes a hub on a ledger; resolves once all that is in the ledger is known. */
export async function createHub(parts: HubParts): Promise<Hub> {
  const { ledger, clock, timer, random, wrongTokens, organisation, anonymous, staleAfter } = parts;
  const boot = hexOf(random.bytes(16));
  const patience = { staleAfter };
  const picture = createPicture({ clock, timer, patience });
  const tickets = createTickets({ timer, random });
  const exchanges = createExchanges(timer);
  const people = await followPeople(ledger, { clock, random });
  const enrolments = await followEnrolments(ledger, { clock, random });
  const held = new Map<ConsoleId, HeldConsole>();
  /** The sockets that were opened for users. */
  const opened = new Set<{ readonly as: FleetUser; readonly close: () => void }>();
  const refusals = createRate(STRANGERS_REFUSALS.most, STRANGERS_REFUSALS.perSecond);
  const closers = new Set<() => void>();
  let delayed = 0;

  const dialled = createDialled({
    picture,
    enrolments,
    tickets,
    clock,
    timer,
    patience,
    hub: parts.name,
    boot,
    broke: (id, from, why) =>
      tell({ user: undefined, from, what: "uplink", target: id, refused: why }),
  });

  people.watch(() => {
    for (const socket of [...opened]) {
      if (people.refresh(socket.as)?.may !== socket.as.may) socket.close();
    }
  });

  function tell(entry: Parameters<HubCore["tell"]>[0]): void {
    // Whoever is nobody may not push what users did out of the trail.
    const isStrangers = entry.user === undefined && entry.refused !== undefined;
    if (isStrangers && !refusals.take(1, timer.monotonic())) return;
    const time = new Date(clock.now()).toISOString();
    ledger.append({ time, ...entry }).catch(parts.onFault);
  }

  function refuseLate(refusal: Refusal, from: string): Refusal | Promise<Refusal> {
    const ms = wrongTokens.count(from, timer.monotonic());
    if (ms === 0 || delayed === LATE_ANSWERS) return refusal;
    delayed++;
    return new Promise((resolve) =>
      after(timer, ms, () => {
        delayed--;
        resolve(refusal);
      })
    );
  }

  /** Does what only admins may, and tells the audit trail what came of it. */
  async function asAdmin<Result extends object | undefined>(
    by: FleetActor,
    what: string,
    target: Json | undefined,
    work: () => Promise<Result | Refusal>,
  ): Promise<Result | Refusal> {
    const outcome = adminRefusal(by) ?? await work();
    const isRefused = outcome !== undefined && isRefusal(outcome);
    tell({
      user: by.user?.name,
      from: by.from,
      what,
      ...(target === undefined ? {} : { target }),
      ...(isRefused ? { refused: outcome.message } : {}),
    });
    return outcome;
  }

  function adminRefusal({ user }: FleetActor): Refusal | undefined {
    const now = user && people.refresh(user);
    if (now === undefined) {
      return refuse("notLoggedIn", "expected the token of an admin of the fleet", "token");
    }
    if (now.may === "admin") return undefined;
    return refuse("noRight", `user ${now.name} may only ${now.may}, and this needs an admin`);
  }

  /** Refuses a console that cannot be reached now, by a sentence that says since when. */
  function reachRefusal(id: ConsoleId): Refusal | undefined {
    const entry = picture.now(id);
    if (entry === undefined) return noConsole(id);
    return entry.state === "live" ? undefined : notLive(entry);
  }

  async function open(
    id: ConsoleId,
    kind: "session" | "http",
    as: FleetUser | undefined,
    from: string,
    listener: Listener,
  ): Promise<Socket | Refusal> {
    const refusal = reachRefusal(id);
    if (refusal !== undefined) return refusal;
    const send = dialled.sender(id);
    if (send === undefined) return refuse("noSuchObject", "the console is not connected");
    return await openAs(
      as,
      listener,
      (user, heard) => tickets.open({ id, kind, as: user, from, send, listener: heard }),
    );
  }

  /** Opens a socket to a console as a user, and closes it when the rights of that one change. */
  async function openAs(
    as: FleetUser | undefined,
    listener: Listener,
    open: (user: FleetUser | undefined, listener: Listener) => Promise<Socket | Refusal>,
  ): Promise<Socket | Refusal> {
    if (as === undefined) return await open(undefined, listener);
    const user = people.refresh(as);
    if (user === undefined) return BAD_TOKEN;
    const watched = { as: user, close: () => {} };
    opened.add(watched);
    const socket = await open(user, {
      receive: (data) => listener.receive(data),
      closed(code, reason) {
        opened.delete(watched);
        listener.closed(code, reason);
      },
    });
    if (isRefusal(socket)) {
      opened.delete(watched);
      return socket;
    }
    watched.close = () => {
      opened.delete(watched);
      socket.close(REVOKED, "the rights of the user have changed");
      listener.closed(REVOKED, "the rights of the user have changed");
    };
    // They may have changed while the console dialled.
    if (people.refresh(user)?.may === user.may) return socket;
    watched.close();
    return BAD_TOKEN;
  }

  return {
    organisation,
    boot,
    anonymous,
    enrolments,
    people,
    dialled,
    tickets,
    refuseLate,
    commands: NO_COMMANDS,
    consoles: () => picture.entries,
    watch: picture.watch,
    hold(console) {
      const { id } = console.entry();
      held.set(id, console);
      const stop = console.watch((entry) => picture.show(id, entry));
      picture.show(id, console.entry());
      return () => {
        stop();
        if (held.get(id) !== console) return;
        held.delete(id);
        picture.show(id, undefined);
        console.close();
      };
    },
    async session(id, as, from, listener) {
      const console = held.get(id);
      if (console === undefined) return await open(id, "session", as, from, listener);
      return await openAs(
        as,
        listener,
        (user, heard) => console.session(id, user, from, heard),
      );
    },
    async fetch(id, as, from, request) {
      const console = held.get(id);
      if (console !== undefined) {
        const user = as && people.refresh(as);
        if (as === undefined || user !== undefined) {
          return await console.fetch(id, user, from, request);
        }
        request.body?.cancel().catch(() => {});
        return refused(401, BAD_TOKEN);
      }
      const refusal = reachRefusal(id);
      if (refusal !== undefined) {
        request.body?.cancel().catch(() => {});
        const status = picture.entries.has(id) ? 503 : 404;
        return refused(status, refusal, status === 503 ? { "retry-after": "5" } : {});
      }
      const { pathname, search } = new URL(request.url);
      const user = as && people.refresh(as);
      const key = JSON.stringify([id, user?.name, user?.may, from]);
      const openLine = (listener: Listener) => open(id, "http", as, from, listener);
      return await exchanges.fetch(key, openLine, pathname + search, request);
    },
    authenticate(token, from) {
      return people.ofToken(token) ?? refuseLate(BAD_TOKEN, from);
    },
    refresh: people.refresh,
    watchUsers: people.watch,
    makeCode: (by) => asAdmin(by, "makecode", undefined, () => enrolments.makeCode()),
    approve: (id, by) => asAdmin(by, "approve", id, () => enrolments.approve(id)),
    remove: (id, by) => asAdmin(by, "remove", id, () => enrolments.remove(id)),
    users: (by) => adminRefusal(by) ?? people.list(),
    addUser: (user, by) =>
      asAdmin(by, "adduser", { name: user.name, may: user.may }, () => people.add(user)),
    removeUser: (name, by) => asAdmin(by, "removeuser", name, () => people.remove(name)),
    audit: async (most, by) => adminRefusal(by) ?? await ledger.audit(most),
    tell,
    onClose(listener) {
      closers.add(listener);
      return () => void closers.delete(listener);
    },
    async close() {
      for (const close of [...closers]) close();
      dialled.close();
      picture.close();
      for (const console of held.values()) console.close();
      await ledger.close();
    },
  };
}

const NO_COMMANDS: Commands = {
  submit: () => Promise.reject(new Error("it has no way for commands to consoles yet")),
  preview: () => Promise.resolve([]),
  watch: () => () => {},
};

function notLive({ id, state, since, summary }: ConsoleEntry): Refusal {
  const name = summary.name || id;
  const sentence = state === "quarantined"
    ? `console ${name} is in quarantine until somebody approves it`
    : `console ${name} cannot be reached: it is ${state} since ${new Date(since).toISOString()}`;
  return refuse("noSuchObject", sentence);
}
