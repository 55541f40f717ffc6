/**
 * The core of a hub: the picture, the enrolments, the users, and the ways to consoles. It has no
 * listener: `fleet/hub/serve-hub.ts` passes it the requests that arrive.
 *
 * @module
 */
import { type Refusal, refuse } from "../../core/errors.ts";
import { hexOf } from "../../core/hex.ts";
import type { Clock, Random, Timer } from "../../core/ports.ts";
import { BAD_TOKEN } from "../../core/users/token.ts";
import {
  createRefuseLate,
  type RefuseLate,
  type WrongTokens,
} from "../../transport/wrong-tokens.ts";
import { createAdministration } from "./administration.ts";
import type { Bus } from "../several-hubs/bus.ts";
import { joinHubs } from "../several-hubs/joined-hubs.ts";
import { type ConsoleRequests, createConsoleRequests } from "./console-requests.ts";
import { createConsoleRights } from "./console-rights.ts";
import { unreachable } from "./console-state.ts";
import { followStoredBatches } from "../batches/stored-batches.ts";
import { createCommands } from "../commands/commands.ts";
import { createDialled, type Dialled } from "./dialled.ts";
import { type Enrolments, followEnrolments } from "./enrolments.ts";
import { createHeldConsoles } from "./held-consoles.ts";
import type { HubCore, ListedHub } from "./hub-core.ts";
import { followLeases, type Leases } from "../ledger/lease.ts";
import type { Ledger } from "../ledger/ledger.ts";
import { observeLedger } from "../ledger/observed-ledger.ts";
import { createOpened } from "./opened.ts";
import { followPeople, type People } from "./people.ts";
import { createPicture } from "./picture.ts";
import { storeReportedNames } from "./reported-names.ts";
import type { OpenSocket } from "../several-hubs/sockets-between-hubs.ts";
import { followTemplates } from "../drift/templates.ts";
import { createTickets, type Tickets } from "./tickets.ts";
import { createTrail } from "./trail.ts";
import type { ConsoleId } from "../wire.ts";

/** The parts of a hub. */
export interface HubParts {
  readonly ledger: Ledger;
  /**
   * Says whether the medium of the ledger takes writes; undefined for a ledger in memory or on other
   * machines.
   */
  readonly takesWrites?: () => boolean;
  /** The bus to other hubs that share the ledger; undefined for a single hub. */
  readonly bus?: Bus | undefined;
  readonly clock: Clock;
  readonly timer: Timer;
  readonly random: Random;
  readonly wrongTokens: WrongTokens;
  readonly organisation: string;
  /** The name of this hub, for its consoles. */
  readonly name: string;
  /** The version of faderd. */
  readonly version: string;
  readonly anonymous: "none" | "console";
  /** Time in ms without a sign of a console after which it is stale. */
  readonly staleAfter: number;
  /**
   * Called with faults of the hub, and of writes that no caller waits for; with those of writes to
   * the audit trail at most once a minute.
   */
  onFault(fault: unknown): void;
}

/** The counts of a hub. */
export interface HubFigures {
  /** Control sockets of consoles. */
  readonly uplinks: number;
  /** Sockets that consoles have dialled for sessions and requests. */
  readonly sessions: number;
  /** Number of frames of control sockets since the start, and of their characters. */
  readonly frames: number;
  readonly bytes: number;
  /** Whether the ledger stores changes now, as far as known. */
  readonly isStoring: boolean;
  /** Calls that a limit kept out of the audit trail. */
  readonly linesLeftOut: number;
  /** Lines that consoles told, and that are not in the audit trail. */
  readonly toldLeftOut: number;
}

/** A hub. */
export interface Hub extends HubCore, Pick<ConsoleRequests, "fetchAsHub"> {
  readonly figures: HubFigures;
  readonly enrolments: Enrolments;
  readonly people: People;
  readonly dialled: Dialled;
  readonly tickets: Tickets;
  /** The leases of jobs that one hub does for all; undefined for a single hub. */
  readonly leases: Leases | undefined;
  /** Shows an alarm of the hub itself on a console; undefined removes it. */
  note(id: ConsoleId, alarm: string | undefined): void;
  readonly refuseLate: RefuseLate;
  /** Calls `listener` when the hub closes; the returned function ends that. */
  onClose(listener: () => void): () => void;
  /** Closes all sockets, and the ledger. */
  close(): Promise<void>;
}

/** Makes a hub on a ledger; resolves once the hub has read the whole ledger. */
export async function createHub(given: HubParts): Promise<Hub> {
  const observed = observeLedger(given.ledger, given.takesWrites);
  const parts = { ...given, ledger: observed.ledger };
  const { ledger, clock, timer, random, wrongTokens, organisation, anonymous, staleAfter } = parts;
  const boot = hexOf(random.bytes(16));
  const since = new Date(clock.now()).toISOString();
  const patience = { staleAfter };
  const picture = createPicture({ clock, timer, patience });
  const tickets = createTickets({ timer, random });
  const people = await followPeople(ledger, { clock, random });
  const { mayAt, vouchedAt } = createConsoleRights(picture, people, anonymous);
  const held = createHeldConsoles(picture);
  const isDialled = (id: ConsoleId) => held.get(id) !== undefined;
  const enrolments = await followEnrolments(ledger, { clock, random, isDialled });
  const templates = await followTemplates(ledger);
  const storedBatches = await followStoredBatches(ledger, { clock });
  const leases = parts.bus && await followLeases(ledger, { hub: boot, timer });
  const isAdmin = (name: string) => people.refresh({ name })?.may === "admin";
  const trail = createTrail({ ...parts, isAdmin });
  const opened = createOpened(vouchedAt);
  const closers = new Set<() => void>();
  const refuseLate = createRefuseLate(wrongTokens, timer);

  const dialled = createDialled({
    picture,
    enrolments,
    tickets,
    clock,
    timer,
    patience,
    answers: {
      answered: (id, answer, send) => commands.answered(id, answer, send),
      lost: (id, send) => commands.lost(id, send),
    },
    hub: parts.name,
    boot,
    told: (id, told) => trail.told(id, told, (name) => mayAt({ name }, id)),
    broke: (id, from, why) =>
      trail.tell({ user: undefined, from, what: "uplink", target: id, refused: why }),
  });

  const stopStoringNames = storeReportedNames({ ...parts, dialled, enrolments });

  const commands = await createCommands({
    ...parts,
    console: picture.now,
    reachRefusal,
    sender: dialled.sender,
    held: held.get,
    vouchedAt,
    refresh: people.refresh,
    async isCurrent({ console, by }) {
      // Both together: the ledger is compared with what this hub knows at the call.
      const asked = [enrolments.isCurrent(console), people.isCurrent(by.name)];
      return (await Promise.all(asked)).every((isCurrent) => isCurrent);
    },
    forgetBatch: storedBatches.forget,
    watchConsoles: picture.watch,
  });

  people.watch(opened.judgeAll);
  // The console may be at another site now, where a user may have another right.
  picture.watch((id) => opened.judge(id));

  /**
   * Refuses a request for a console that cannot be reached now, with a sentence that says since
   * when.
   */
  function reachRefusal(id: ConsoleId): Refusal | undefined {
    const entry = picture.now(id);
    return entry?.state === "live" ? undefined : unreachable(entry, id);
  }

  /**
   * Opens a socket by a ticket of this hub; `open` also reaches consoles that another hub holds.
   */
  const openHere: OpenSocket = async (id, kind, as, from, listener) => {
    const refusal = reachRefusal(id);
    if (refusal !== undefined) return refusal;
    const send = dialled.sender(id);
    if (send === undefined) return refuse("noSuchObject", "the console is not connected");
    return await tickets.open({ id, kind, as, from, send, listener });
  };
  const facts = () => ({
    name: parts.name,
    version: parts.version,
    since,
    stores: observed.isStoring,
  });
  const joining = { hub: boot, facts, picture, dialled, patience, open: openHere, commands };
  const others = joinHubs(parts, joining);
  const open: OpenSocket = (id, ...asked) =>
    (others?.holds(id) && reachRefusal(id) === undefined ? others.open : openHere)(id, ...asked);

  const requests = createConsoleRequests({
    timer,
    picture,
    held,
    trail,
    opened,
    vouchedAt,
    reachRefusal,
    open,
  });

  /** Returns this hub, and the other hubs whose beats it receives. */
  function hubs(): readonly ListedHub[] {
    const ids = [...picture.entries.keys()];
    const consoles = ids.filter((id) => dialled.sender(id) !== undefined).length;
    return [{ id: boot, here: true, consoles, ...facts() }, ...others?.hubs() ?? []];
  }

  return {
    organisation,
    boot,
    anonymous,
    enrolments,
    people,
    templates,
    storedBatches,
    dialled,
    tickets,
    leases,
    between: others?.between,
    get figures() {
      return {
        ...dialled.figures,
        sessions: tickets.count(),
        isStoring: observed.isStoring,
        linesLeftOut: trail.leftOut,
        toldLeftOut: trail.toldLeftOut,
      };
    },
    refuseLate,
    commands: others?.commands ?? commands,
    consoles: () => picture.entries,
    watch: picture.watch,
    hold: held.hold,
    session: (id, as, from, listener) =>
      opened.open(
        id,
        as,
        listener,
        (user, heard) =>
          held.get(id)?.session(id, user, from, heard) ?? open(id, "session", user, from, heard),
      ),
    fetch: requests.fetch,
    fetchAsHub: requests.fetchAsHub,
    note: picture.note,
    authenticate(token, from) {
      return people.ofToken(token) ?? refuseLate(BAD_TOKEN, from);
    },
    refresh: people.refresh,
    watchUsers: people.watch,
    mayAt,
    ...createAdministration({ ledger, people, enrolments, trail, hubs }),
    tell: trail.tell,
    onClose(listener) {
      closers.add(listener);
      return () => void closers.delete(listener);
    },
    async close() {
      for (const close of [...closers]) close();
      others?.close();
      stopStoringNames();
      dialled.close();
      commands.close();
      picture.close();
      held.close();
      await ledger.close();
    },
  };
}
