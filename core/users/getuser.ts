/**
 * The identity of the caller: the RPC `getuser`.
 *
 * @module
 */
import type { State } from "../state.ts";
import { mayOf, mayOfNobody } from "./may.ts";
import type { Actor, May } from "./user.ts";

/** The user of a caller, as reported to the caller. */
export interface OwnUser {
  /** `null` for a caller who is not logged in. */
  readonly name: string | null;
  /** The groups, as a bitmask: group N (1..8) is 2^(N-1). */
  readonly groups: number;
  readonly admin: boolean;
  readonly engine: boolean;
  /**
   * The right of the user; without a login, the right that the configuration grants to everybody.
   */
  readonly may: May;
  /** Time at which the token expires, in ISO 8601 and UTC; `null` for never. */
  readonly expires: string | null;
}

/** Returns the user and the rights of an actor. */
export function tellUser({ configuration }: State, actor: Actor): OwnUser {
  const { user } = actor;
  return {
    name: user?.name ?? null,
    groups: user?.groups ?? 0,
    admin: user?.admin ?? false,
    engine: user?.engine ?? false,
    may: user === undefined ? mayOfNobody(configuration, actor) ?? "view" : mayOf(user),
    expires: user?.expires ?? null,
  };
}
