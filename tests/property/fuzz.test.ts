import { fuzz, type FuzzerName, TESTED_CASES } from "../fuzz/fuzzers.ts";

const holds: Readonly<Record<FuzzerName, string>> = {
  archives: "each is restored, or refused and nothing is changed",
  messages: "each is answered or closes the WebSocket, no refusal changes anything",
  requests: "each is answered over HTTP, none with a fault, no refusal changes anything",
};

for (const [name, what] of Object.entries(holds) as [FuzzerName, string][]) {
  Deno.test(`altered ${name}: ${what}`, () => fuzz(name, TESTED_CASES));
}
