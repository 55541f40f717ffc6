/**
 * The core of a hub, as its interfaces see it: its control API, its page, its command line, and the
 * consoles that it dials itself. Sockets and ledgers are behind it.
 *
 * @module
 */
import type { Refusal } from "../../core/errors.ts";
import type { Listener } from "../../transport/arrival.ts";
import type { Socket } from "../../transport/websocket/send-buffer.ts";
import type { StoredBatches } from "../batches/stored-batches.ts";
import type { BetweenHubs } from "../several-hubs/between-hubs.ts";
import type { Commands } from "../commands/command.ts";
import type { FleetAuditEntry } from "../ledger/ledger.ts";
import type { Person } from "./rights.ts";
import type { Templates } from "../drift/templates.ts";
import type { ConsoleId, FleetMay, FleetUser, Summary } from "../wire.ts";

/**
 * How a hub reaches a console: `live`; `stale` while its beats are missing; `gone` without a
 * connection; `quarantined` until somebody approves it, whether it is connected or not.
 */
export const CONSOLE_STATES = ["live", "stale", "gone", "quarantined"] as const;

/** One of {@link CONSOLE_STATES}. */
export type ConsoleState = typeof CONSOLE_STATES[number];

/**
 * A console of the fleet. It is immutable: a change makes a new entry, which shares the unchanged
 * parts.
 */
export interface ConsoleEntry {
  readonly id: ConsoleId;
  readonly state: ConsoleState;
  /** When that state began, in ms since 1970. */
  readonly since: number;
  /**
   * Whether this hub has heard nothing of the console since it began to wait for it. `since` is
   * then the beginning of that wait: this hub does not know when the console was last connected.
   */
  readonly isAwaited?: boolean;
  /** Its last summary; for a console that was not heard yet, the facts of its enrolment. */
  readonly summary: Summary;
  /** The digests of its sections, by their names; none for a console without an uplink. */
  readonly digests?: Readonly<Record<string, string>>;
}

/** The sender of a request to a hub. */
export interface FleetActor {
  /** Undefined without a login, and for the hub itself. */
  readonly user: Person | undefined;
  /** The address of the client, or "hub" (`HUB_ITSELF` of trail.ts). */
  readonly from: string;
}

/** A user of the fleet, as a list shows it. */
export interface ListedFleetUser extends Person {
  /** When the user was added, in ISO 8601 and UTC. */
  readonly created: string;
}

/** The facts about a hub that it reports to the other hubs. */
export interface HubFacts {
  /** Its name; several hubs may have the same. */
  readonly name: string;
  /** The version of faderd. */
  readonly version: string;
  /** When it started, in ISO 8601 and UTC, by its own clock. */
  readonly since: string;
  /** Whether its ledger stores changes now, as far as known. */
  readonly stores: boolean;
}

/**
 * A hub of the organisation. For a hub that reports no facts, only its id and its consoles are
 * known.
 */
export interface ListedHub extends Partial<HubFacts> {
  /** Random id of its current run ({@link HubCore.boot}). */
  readonly id: string;
  /** Whether it is this hub. */
  readonly here: boolean;
  /** Number of consoles that have dialled it, and are connected. */
  readonly consoles: number;
}

/** A console that a hub reaches without an uplink of that console. */
export interface HeldConsole {
  /** Returns the console as it is now. */
  entry(): ConsoleEntry;
  /** Calls `listener` with each further entry; the returned function ends that. */
  watch(listener: (entry: ConsoleEntry) => void): () => void;
  /** As {@link HubCore.session}, for a user with the right that counts there. */
  session(
    id: ConsoleId,
    as: FleetUser | undefined,
    from: string,
    listener: Listener,
  ): Promise<Socket | Refusal>;
  /** As {@link HubCore.fetch}, for a user with the right that counts there. */
  fetch(
    id: ConsoleId,
    as: FleetUser | undefined,
    from: string,
    request: Request,
  ): Promise<Response>;
  /** Ends the connection. */
  close(): void;
}

/**
 * The core of a hub. It checks the rights of the actor for each change of the fleet, refuses (5) a
 * change beyond them, and reports changes and refusals to the audit trail.
 */
export interface HubCore {
  readonly organisation: string;
  /** Random at each start. */
  readonly boot: string;
  /** Whether callers without a token of the fleet reach consoles (`anonymous`). */
  readonly anonymous: "none" | "console";

  /** The questions to the other hubs; undefined for a single hub. */
  readonly between?: BetweenHubs | undefined;

  /** The templates by which consoles are compared. */
  readonly templates: Templates;

  /** Returns all consoles. */
  consoles(): ReadonlyMap<ConsoleId, ConsoleEntry>;
  /** Calls `listener` with each change; the entry of a console that was removed is undefined. */
  watch(listener: (id: ConsoleId, entry: ConsoleEntry | undefined) => void): () => void;
  /** The batches of kept commands in the ledger. */
  readonly storedBatches: StoredBatches;
  /** Sends commands to consoles, and reports their outcomes. */
  readonly commands: Commands;

  /** Adds a console that has no uplink; the returned function removes it. */
  hold(console: HeldConsole): () => void;

  /**
   * Opens a session on a console, whose messages the listener receives. Refused if the user does
   * not see the console, or if it is not live or gives the user no session.
   */
  session(
    id: ConsoleId,
    as: Person | undefined,
    from: string,
    listener: Listener,
  ): Promise<Socket | Refusal>;
  /**
   * Carries out an HTTP request on a console; the target is a path of the console itself. The
   * answer has status 503 if the console is not live, and 404 if the user does not see it.
   */
  fetch(
    id: ConsoleId,
    as: Person | undefined,
    from: string,
    request: Request,
  ): Promise<Response>;

  /** Returns the user of a token; a wrong token is refused (4), and the refusal may be delayed. */
  authenticate(token: unknown, from: string): Person | Refusal | Promise<Refusal>;
  /**
   * Returns the present entry of the user; undefined if the user was removed, even if another user
   * has the name since.
   */
  refresh(user: Person): Person | undefined;
  /**
   * Returns the right of a user on a console now, which the console may limit further; undefined
   * where the user does not see the console or was removed, or where there is no such console.
   * Every interface asks this before it shows or touches a console. A caller without a user sees
   * every console if `anonymous` allows it; the console itself then decides about the rights.
   */
  mayAt(user: Person | undefined, id: ConsoleId): FleetMay | undefined;
  /** Calls `listener` whenever users have changed. */
  watchUsers(listener: () => void): () => void;

  /** Makes a code of enrolment. For admins. */
  makeCode(by: FleetActor): Promise<{ readonly code: string; readonly expires: string } | Refusal>;
  /** Takes a console out of quarantine. For admins. */
  approve(id: ConsoleId, by: FleetActor): Promise<Refusal | undefined>;
  /** Removes a console, whose token is then no longer valid. For admins. */
  remove(id: ConsoleId, by: FleetActor): Promise<Refusal | undefined>;
  /** Returns the users. For admins. */
  users(by: FleetActor): readonly ListedFleetUser[] | Refusal;
  /** Returns the hubs whose beats this hub receives, itself first. For admins. */
  hubs(by: FleetActor): readonly ListedHub[] | Refusal;
  /** Adds a user, and returns the token, which is not shown again. For admins. */
  addUser(user: Person, by: FleetActor): Promise<{ readonly token: string } | Refusal>;
  /**
   * Replaces all rights of a user. Closes their connections to the hub, and to consoles on which
   * their right has changed. For admins.
   */
  modifyUser(user: Person, by: FleetActor): Promise<Refusal | undefined>;
  /** Removes a user, whose connections are closed. For admins. */
  removeUser(name: string, by: FleetActor): Promise<Refusal | undefined>;
  /**
   * Returns the newest entries of the audit trail, the newest first; refused (12) while the ledger
   * does not answer. For admins.
   */
  audit(most: number, by: FleetActor): Promise<readonly FleetAuditEntry[] | Refusal>;
  /** Reports another request to the audit trail. */
  tell(entry: Omit<FleetAuditEntry, "time">): void;
}
