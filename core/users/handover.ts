/**
 * Hand-over of a user to a device: a code that is used up once stands in for the token, which
 * nobody has to read or to type (docs/interfaces.md, "Users").
 *
 * @module
 */
import type { User } from "./user.ts";

/** The latest code of a user. It is held in memory only: a restart forgets it. */
export interface Handover {
  /** The SHA-256 of the code, in lower-case hexadecimal. */
  readonly codeHash: string;
  /**
   * The token in whose place the new one comes, by its hash: once the user has another one, or is
   * another one of the same name, the code is worth nothing.
   */
  readonly tokenHash: string;
  /** When the code expires, in ISO 8601 and UTC. */
  readonly expires: string;
  /** The WebSocket connection that asked for the code; undefined over HTTP. */
  readonly connection?: number | undefined;
  /** Set once the code is used up; it is kept to say so to whoever comes second. */
  readonly isTaken?: true;
}

/** The codes by the names of their users, the oldest first. */
export type Handovers = ReadonlyMap<string, Handover>;

/** Says whether a code was made for this user, with the token that the user still has. */
export function isFor({ tokenHash }: Handover, user: User | undefined): user is User {
  return user?.tokenHash === tokenHash;
}
