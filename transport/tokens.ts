/**
 * Judges the tokens of requests, whichever interface they come by.
 *
 * @module
 */
import type { Console } from "../core/console.ts";
import { isRefusal, type Refusal } from "../core/errors.ts";
import { LATE_ANSWERS, TOKEN_USE_KEPT_MS } from "../core/limits.ts";
import { after, type Timer } from "../core/ports.ts";
import { noteUse } from "../core/users/last-use.ts";
import { DEVICE, type User } from "../core/users/user.ts";
import type { WrongTokens } from "./wrong-tokens.ts";

/** What the token of a request comes to: its user, or a refusal (4), which may be late. */
export type Judged = User | Refusal | Promise<Refusal>;

/** Judges tokens. */
export interface Tokens {
  /**
   * Answers the user of a token that came from an address, at once. A wrong one, or one that has
   * expired, is refused (4): late where many came from there (`wrong-tokens.ts`).
   */
  judge(token: unknown, address: string): Judged;
  /** Is told when a user asks for something who is logged in. */
  used(user: User): void;
}

/** Makes the judge of a console's tokens. */
export function createTokens(console: Console, timer: Timer, wrongTokens: WrongTokens): Tokens {
  /** When the use of a token was last noted, by its hash, in monotonic ms. */
  const noted = new Map<string, number>();
  let late = 0;

  function used({ name, tokenHash }: User): void {
    const now = timer.monotonic();
    if (now - (noted.get(tokenHash) ?? -Infinity) < TOKEN_USE_KEPT_MS) return;
    // There are more only after changes of users; the console knows the hour, too.
    if (noted.size > console.state.users.size) noted.clear();
    noted.set(tokenHash, now);
    console.dispatch(noteUse(name), DEVICE);
  }

  return {
    judge(token, address) {
      const user = console.userOf(token);
      if (!isRefusal(user)) {
        used(user);
        return user;
      }
      const delay = wrongTokens.count(address, timer.monotonic());
      if (delay === 0 || late === LATE_ANSWERS) return user;
      late++;
      return new Promise((resolve) =>
        after(timer, delay, () => {
          late--;
          resolve(user);
        })
      );
    },
    used,
  };
}
