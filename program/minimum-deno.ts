/**
 * The oldest supported Deno: `engines` of deno.json.
 *
 * @module
 */
import manifest from "../deno.json" with { type: "json" };

const MINIMUM = manifest.engines.deno.replace(">=", "");

/** Returns the sentence that this Deno, such as "2.8.3", is too old; undefined if it is not. */
export function tooOld(version: string): string | undefined {
  const least = numbersOf(MINIMUM);
  const numbers = numbersOf(version);
  const first = numbers.findIndex((number, place) => number !== least[place]);
  if (first === -1 || numbers[first]! > least[first]!) return undefined;
  return `this is Deno ${version}; faderd needs Deno ${MINIMUM} or later, and may fail here`;
}

/** The three numbers of a version; what follows them, as in "2.9.0-rc.1", does not count. */
function numbersOf(version: string): number[] {
  return version.split(".").slice(0, 3).map((part) => Number.parseInt(part));
}
