import { fuzz, TESTED_CASES } from "../fuzz/fuzzers.ts";

Deno.test("altered archives: each is restored, or refused and nothing is changed", () =>
  fuzz("archives", TESTED_CASES));
