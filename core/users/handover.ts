/**
 * Hand-over of a user to a device: a code that can be used once stands in for the token, which
 * nobody has to read or to type (docs/interfaces.md, "Users").
 *
 * @module
 */
import { HANDOVER_MINUTES } from "../limits.ts";
import type { User } from "./user.ts";

/** The latest code of a user. It is held in memory only: a restart forgets it. */
export interface Handover {
  /** The SHA-256 of the code, in lower-case hexadecimal. */
  readonly codeHash: string;
  /**
   * The hash of the token that the new token replaces: the code is void once the user has another
   * token, or is another user of the same name.
   */
  readonly tokenHash: string;
  /** Time at which the code expires, in ISO 8601 and UTC. */
  readonly expires: string;
  /** The WebSocket connection that asked for the code; undefined over HTTP. */
  readonly connection?: number | undefined;
  /**
   * Set once the code is used; a used code is kept, so that its second use is refused with the
   * reason.
   */
  readonly isTaken?: true;
}

/** The codes by the names of their users, the oldest first. */
export type Handovers = ReadonlyMap<string, Handover>;

/** Says whether a code was made for this user, with the token that the user still has. */
export function isFor({ tokenHash }: Handover, user: User | undefined): user is User {
  return user?.tokenHash === tokenHash;
}

/**
 * Says whether a code was made while the clock was far ahead of `now`, in ms since 1970: it would be
 * valid long after. The clock may be set back by some minutes while a code is valid.
 */
export function isAhead({ expires }: Handover, now: number): boolean {
  return Date.parse(expires) - now > 2 * HANDOVER_MINUTES.max * 60_000;
}
