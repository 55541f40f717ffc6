/**
 * Delays of the answers to wrong tokens, by client address: they stop an attacker who tries one
 * token after the other, and a user who mistypes one does not notice.
 *
 * @module
 */
import { createAddresses } from "../core/addresses.ts";
import { ADDRESSES, WRONG_TOKEN_DELAY_MS, WRONG_TOKENS, WRONG_TOKENS_MS } from "../core/limits.ts";

/** What is remembered of an address. */
interface History {
  /** When the first and the last wrong token came that count, in monotonic ms. */
  readonly first: number;
  readonly last: number;
  readonly count: number;
  /** When `onMany` was last told. */
  readonly told: number;
}

/** Counts the wrong tokens of all addresses. */
export interface WrongTokens {
  /** Counts one more, at `now` in monotonic ms. Returns how late its answer has to be, in ms. */
  count(address: string, now: number): number;
}

/**
 * Makes the count of wrong tokens; `most` addresses are remembered. Of one address 10 that come
 * within a minute are answered at once. The next is answered 0.25 s late, and each further one
 * twice as late as the one before, up to 5 s, until a minute has passed without any. `onMany` is
 * told then of the address and how many have come, once a minute while they do.
 */
export function createWrongTokens(
  onMany: (address: string, count: number) => void,
  most: number = ADDRESSES,
): WrongTokens {
  const histories = createAddresses<History>(most);
  return {
    count(address, now) {
      const known = histories.get(address);
      const before = known === undefined || isSpent(known, now)
        ? { first: now, count: 0, told: -Infinity }
        : known;
      const count = before.count + 1;
      const over = count - WRONG_TOKENS;
      const tells = over > 0 && now >= before.told + WRONG_TOKENS_MS;
      const history = { ...before, last: now, count, told: tells ? now : before.told };
      histories.set(address, history, (other) => isSpent(other, now));
      if (tells) onMany(address, count);
      const { first, most } = WRONG_TOKEN_DELAY_MS;
      return over > 0 ? Math.min(most, first * 2 ** (over - 1)) : 0;
    },
  };
}

function isSpent({ first, last, count }: History, now: number): boolean {
  return now >= (count > WRONG_TOKENS ? last : first) + WRONG_TOKENS_MS;
}
