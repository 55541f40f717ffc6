/** Some cases of each fuzzer; `deno task fuzz` runs many. */
import { fuzz, type FuzzerName, fuzzers, TESTED_CASES } from "../fuzz/fuzzers.ts";

const says: Readonly<Record<FuzzerName, string>> = {
  messages:
    "each message over a WebSocket is answered or closes it, and no refusal changes the state",
  requests: "each request over HTTP is answered without a fault, and no refusal changes the state",
  ember: "each frame of Ember+ is answered or dropped, changes no state, and leaves no timer",
  ecp: "each block of ECP is answered or dropped, changes no state, and leaves no timer",
  archives: "each archive is restored, or refused without a change of the state",
};

for (const name of Object.keys(fuzzers) as FuzzerName[]) {
  Deno.test(`altered ${name}: ${says[name]}`, () => fuzz(name, TESTED_CASES));
}
