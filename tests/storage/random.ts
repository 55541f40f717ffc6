/**
 * A random source whose numbers a seed repeats.
 *
 * @module
 */

/** Random decisions, all from one seed. */
export interface Chance {
  /** True with probability `p`. */
  hits(p: number): boolean;
  /** An integer from `low` to `high`, both included. */
  between(low: number, high: number): number;
}

/** Decisions that the same `seed` repeats (mulberry32). */
export function chanceOf(seed: number): Chance {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    hits: (p) => next() < p,
    between: (low, high) => low + Math.floor(next() * (high - low + 1)),
  };
}

/**
 * The seed of this run: `FADERD_SEED`, a new one for `FADERD_SEED=any`, or 1. So a run that gates a
 * change is repeatable, and other runs search for new inputs. The tests print the seed.
 */
export function seedOfRun(): number {
  const given = Deno.env.get("FADERD_SEED") ?? "1";
  return given === "any" ? crypto.getRandomValues(new Uint32Array(1))[0]! : Number(given);
}
