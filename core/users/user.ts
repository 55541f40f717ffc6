/**
 * Users, and who acts (decisions.md, "Users").
 *
 * @module
 */

/** A person or an automation that may log in. The device keeps only a hash of the token. */
export interface User {
  readonly name: string;
  /** Bitmask: group N (1..8) is 2^(N-1). */
  readonly groups: number;
  /** May back up, restore, and change users. */
  readonly admin: boolean;
  /** Is an audio engine; nothing depends on it yet. Absent in older logs and backups: it is none. */
  readonly engine?: boolean;
  /** When the user was added, ISO 8601 in UTC. Absent in older logs and backups: nobody knows. */
  readonly created?: string;
  /** SHA-256 of the token, in lower-case hexadecimal. */
  readonly tokenHash: string;
}

/** The users by name, in the order in which they were added. */
export type Users = ReadonlyMap<string, User>;

/** Who asks for something: a user or nobody known, over a WebSocket connection or not. */
export interface Actor {
  /** Undefined for one who is not logged in. */
  readonly user?: User | undefined;
  /** The number of the WebSocket connection; undefined over HTTP. */
  readonly connection?: number | undefined;
}

/** The device itself: not logged in, and over no connection. */
export const DEVICE: Actor = {};

/**
 * The same who asks, with the rights that the user has among `users`; not logged in any more if the
 * user was removed, or has another token since.
 */
export function stillThere(users: Users, actor: Actor): Actor {
  const { user } = actor;
  if (user === undefined) return actor;
  const now = users.get(user.name);
  if (now === user) return actor;
  return { ...actor, user: now?.tokenHash === user.tokenHash ? now : undefined };
}
