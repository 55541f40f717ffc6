/**
 * All fuzzers, by name, and the function that runs them: with some cases for the tests, with many
 * for `deno task fuzz`.
 *
 * @module
 */
import fc from "fast-check";
import { archivesProperty } from "./archives.ts";
import { ecpProperty } from "./ecp.ts";
import { emberProperty } from "./ember.ts";
import { messagesProperty } from "./messages.ts";
import { requestsProperty } from "./requests.ts";

/** A fuzzer, and its share of all cases. */
export interface Fuzzer {
  readonly property: fc.IAsyncPropertyWithHooks<never>;
  /** Its share of the cases, in per cent. */
  readonly share: number;
}

const of = <Case>(share: number, property: fc.IAsyncPropertyWithHooks<Case>) => ({
  share,
  property: property as unknown as fc.IAsyncPropertyWithHooks<never>,
});

/** The fuzzers. */
export const fuzzers = {
  messages: of(50, messagesProperty),
  requests: of(45, requestsProperty),
  archives: of(5, archivesProperty),
  // A case has four frames or more: the tests run 12,000 of them.
  ember: of(100, emberProperty),
  // A case has four blocks or more.
  ecp: of(100, ecpProperty),
} satisfies Readonly<Record<string, Fuzzer>>;

/** The name of a fuzzer. */
export type FuzzerName = keyof typeof fuzzers;

/** The number of cases that the tests run of the first three fuzzers together. */
export const TESTED_CASES = 3000;

/**
 * Runs a fuzzer's share of a number of cases, or throws the failure with its seed and path. By
 * default the seed is random; with the path of a failure only that case is run.
 */
export async function fuzz(
  name: FuzzerName,
  cases: number,
  again: { readonly seed?: number; readonly path?: string } = {},
): Promise<void> {
  const { property, share } = fuzzers[name];
  await fc.assert(property, { numRuns: Math.ceil(cases * share / 100), ...again });
}
