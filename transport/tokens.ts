/**
 * Acts on the tokens of requests, whichever interface they come by. The console returns the user of
 * a token (`userOf`) without any effect.
 *
 * @module
 */
import type { Console } from "../core/console.ts";
import { isRefusal, type Refusal } from "../core/errors.ts";
import { TOKEN_USE_KEPT_MS } from "../core/limits.ts";
import type { Timer } from "../core/ports.ts";
import { noteUse } from "../core/users/last-use.ts";
import { DEVICE, type User } from "../core/users/user.ts";
import { createRefuseLate, type RefuseLate, type WrongTokens } from "./wrong-tokens.ts";

/** The user of a token, or its refusal (4), which is a promise where it is delayed. */
export type Authenticated = User | Refusal | Promise<Refusal>;

/** Acts on tokens. */
export interface Tokens {
  /**
   * Authenticates a request from an address by its token: notes the use of a right token, counts a
   * wrong or expired one, and delays its refusal if many came from that address
   * (`wrong-tokens.ts`).
   */
  authenticate(token: unknown, address: string): Authenticated;
  /** Does the same, without a delay; undefined for a missing, wrong or expired token. */
  identify(token: unknown, address: string): User | undefined;
  readonly refuseLate: RefuseLate;
  /** Notes that a user who is logged in has sent a request. */
  used(user: User): void;
  /**
   * Called after a change of users, which may have erased their last uses: the next use of each is
   * noted again.
   */
  usersChanged(): void;
}

/** Whether a request brings a token, be it right or wrong. */
export function isGiven(token: unknown): boolean {
  return token !== undefined && token !== "";
}

/** Makes the {@linkcode Tokens} of a console. */
export function createTokens(console: Console, timer: Timer, wrongTokens: WrongTokens): Tokens {
  /** When the use of a token was last noted, in monotonic ms, by its hash. */
  const notedAt = new Map<string, number>();
  const refuseLate = createRefuseLate(wrongTokens, timer);

  function used({ name, tokenHash, vouched }: User): void {
    // The fleet's users have no token here.
    if (vouched === true) return;
    const now = timer.monotonic();
    if (now - (notedAt.get(tokenHash) ?? -Infinity) < TOKEN_USE_KEPT_MS) return;
    notedAt.set(tokenHash, now);
    console.dispatch(noteUse(name), DEVICE);
  }

  return {
    authenticate(token, address) {
      const user = console.userOf(token);
      if (isRefusal(user)) return refuseLate(user, address);
      used(user);
      return user;
    },
    identify(token, address) {
      if (!isGiven(token)) return undefined;
      const user = console.userOf(token);
      if (!isRefusal(user)) {
        used(user);
        return user;
      }
      wrongTokens.count(address, timer.monotonic());
    },
    refuseLate,
    used,
    // It makes no further writes: the console itself limits how often it stores a use.
    usersChanged: () => notedAt.clear(),
  };
}
