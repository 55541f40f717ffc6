import { fuzz, TESTED_CASES } from "../fuzz/fuzzers.ts";

Deno.test("altered requests over HTTP: each is answered, none with a fault, no refusal changes anything", () =>
  fuzz("requests", TESTED_CASES));
