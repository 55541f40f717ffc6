import fc from "fast-check";

/**
 * Numbers spread evenly over `min..max`, both ends included. `fc.double` spreads over exponents:
 * nearly all its numbers of 0..30 are below 1e-9, so only one number in four is from it.
 */
export function evenly(min: number, max: number): fc.Arbitrary<number> {
  const parts = 2 ** 30;
  return fc.oneof(
    { weight: 3, arbitrary: fc.nat(parts).map((n) => min + n / parts * (max - min)) },
    { weight: 1, arbitrary: fc.double({ min, max, noNaN: true }) },
  );
}
