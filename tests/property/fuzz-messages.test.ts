import { fuzz, TESTED_CASES } from "../fuzz/fuzzers.ts";

Deno.test("altered messages over a WebSocket: each is answered or closes it, no refusal changes anything", () =>
  fuzz("messages", TESTED_CASES));
