/** Some cases of each fuzzer; `deno task fuzz` runs many. */
import { fuzz, type FuzzerName, fuzzers, TESTED_CASES } from "../fuzz/fuzzers.ts";

const says: Readonly<Record<FuzzerName, string>> = {
  messages: "each message over a WebSocket is answered or closes it, no refusal changes anything",
  requests: "each request over HTTP is answered, none with a fault, no refusal changes anything",
  ember:
    "each frame of Ember+ is answered or dropped, and none changes anything or leaves anything",
  ecp: "each block of ECP is answered or dropped, and none changes anything or leaves anything",
  archives: "each archive is restored, or refused and nothing is changed",
};

for (const name of Object.keys(fuzzers) as FuzzerName[]) {
  Deno.test(`altered ${name}: ${says[name]}`, () => fuzz(name, TESTED_CASES));
}
