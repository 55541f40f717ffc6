/**
 * Users, and the actors of commands (decisions.md, "Users").
 *
 * @module
 */
import type { FleetCommand } from "../fleet-commands/fleet-command.ts";

/**
 * The rights of users beyond their groups, each more than the one before: `view` reads, subscribes
 * and downloads; `press` also presses buttons of external lists; `operate` also sets faders, keys
 * and labels, and everything else that belongs to a programme; `configure` also sets up the
 * console: routing, phantom power, processing (`tree/operated.ts`).
 */
export const MAY = ["view", "press", "operate", "configure"] as const;

/** A right of a user. */
export type May = typeof MAY[number];

/** A person or an automation that may log in. The device keeps only a hash of the token. */
export interface User {
  readonly name: string;
  /** The groups that the user is in, as a bitmask: group N (1..8) is 2^(N-1). */
  readonly groups: number;
  /** Whether the user may back up, restore, and change users. */
  readonly admin: boolean;
  /** Whether the user is an audio engine, and may claim paths and report. */
  readonly engine: boolean;
  /** Time at which the user was added, in ISO 8601 and UTC. */
  readonly created: string;
  /** The right of the user. An admin may always configure, whatever this right is. */
  readonly may: May;
  /** Time at which the token expires, in ISO 8601 and UTC; absent if it never does. */
  readonly expires?: string;
  /**
   * Time at which the token was last used, in ISO 8601 and UTC, to the hour; absent until its first
   * use. It stays on this console: backups do not contain it.
   */
  readonly used?: string;
  /** The SHA-256 of the token, in lower-case hexadecimal. */
  readonly tokenHash: string;
  /**
   * Set for a user of the fleet that this console belongs to: the hub vouches for it, so it is not
   * among the users of the console, and is never stored.
   */
  readonly vouched?: true;
}

/** The users by name, in the order in which they were added. */
export type Users = ReadonlyMap<string, User>;

/**
 * An actor is the sender of a command: a user or an anonymous caller, over a WebSocket or not.
 * Every command is decided with its actor.
 */
export interface Actor {
  /** The user who is logged in; undefined where nobody is. */
  readonly user?: User | undefined;
  /** The number of the WebSocket connection; undefined over HTTP. */
  readonly connection?: number | undefined;
  /** The address of the client, as the limits count it; undefined on the machine itself. */
  readonly address?: string | undefined;
  /**
   * The configured right of clients of an interface without users, such as Ember+. Undefined for an
   * interface with users.
   */
  readonly may?: May | undefined;
  /**
   * The upper limit of the rights while nobody is logged in; undefined if only the configuration
   * limits them.
   */
  readonly atMost?: May | undefined;
  /** Set for commands of engines, which need no other right of the user. */
  readonly asEngine?: true | undefined;
  /** Set for the device itself, which may do whatever a user with every right may do. */
  readonly isDevice?: true | undefined;
  /**
   * The call of the command, as its interface names it; its outcome is in the audit trail.
   * Undefined for commands of the console itself, which are not in the trail.
   */
  readonly call?: string | undefined;
  /** The command of the fleet that the actor carries out; undefined for all other requests. */
  readonly command?: FleetCommand | undefined;
}

/**
 * The actor for the device itself and the person at it: nobody is logged in, and no right is
 * needed.
 */
export const DEVICE: Actor = { isDevice: true };

/** Says whether the token of a user has expired at `now`, in ms since 1970. */
export function isExpired({ expires }: Pick<User, "expires">, now: number): boolean {
  return expires !== undefined && !(Date.parse(expires) > now);
}

/**
 * Returns the actor with the rights that the user has among `users` at `now`, in ms since 1970. A
 * user who was removed since, has another token, or whose token has expired, is not logged in any
 * more. The connections of a user that the fleet vouches for are closed by the hub.
 */
export function refreshActor(users: Users, actor: Actor, now: number): Actor {
  const { user } = actor;
  if (user === undefined || user.vouched === true) return actor;
  const known = users.get(user.name);
  const isThere = known?.tokenHash === user.tokenHash && !isExpired(known, now);
  if (isThere && known === user) return actor;
  return { ...actor, user: isThere ? known : undefined };
}
