/**
 * Delays of the answers to wrong tokens, by client address: they stop an attacker who tries many
 * tokens, but are not noticed by a user who mistypes one.
 *
 * @module
 */
import { createAddresses } from "../core/addresses.ts";
import type { Refusal } from "../core/errors.ts";
import {
  ADDRESSES,
  LATE_ANSWERS,
  WRONG_TOKEN_DELAY_MS,
  WRONG_TOKENS,
  WRONG_TOKENS_MS,
} from "../core/limits.ts";
import { after, type Timer } from "../core/ports.ts";

/** The wrong tokens of an address. */
interface History {
  /** Times of the first and the last counted wrong token in monotonic ms. */
  readonly first: number;
  readonly last: number;
  readonly count: number;
  /** Time of the last call of `onMany` in monotonic ms. */
  readonly told: number;
}

/** Counts the wrong tokens of all addresses. */
export interface WrongTokens {
  /** Counts a wrong token at `now` in monotonic ms. Returns the delay of its answer in ms. */
  count(address: string, now: number): number;
}

/**
 * Refuses a wrong token, or a wrong code that stands in for one, that came from an address: counts
 * it, and delays the refusal if many came from there.
 */
export type RefuseLate = (refusal: Refusal, address: string) => Refusal | Promise<Refusal>;

/**
 * Makes the counter of wrong tokens for at most `most` addresses. The first 10 wrong tokens of an
 * address within a minute are answered at once. The next answer is delayed by 0.25 s, and the delay
 * doubles with each further one, up to 5 s, until a minute has passed without any. Meanwhile
 * `onMany` is called once a minute with the address and the number of wrong tokens.
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

/** Makes the function that refuses late, for at most {@linkcode LATE_ANSWERS} answers at a time. */
export function createRefuseLate(wrongTokens: WrongTokens, timer: Timer): RefuseLate {
  let delayed = 0;
  return (refusal, address) => {
    const ms = wrongTokens.count(address, timer.monotonic());
    if (ms === 0 || delayed === LATE_ANSWERS) return refusal;
    delayed++;
    return new Promise((resolve) =>
      after(timer, ms, () => {
        delayed--;
        resolve(refusal);
      })
    );
  };
}

function isSpent({ first, last, count }: History, now: number): boolean {
  return now >= (count > WRONG_TOKENS ? last : first) + WRONG_TOKENS_MS;
}
