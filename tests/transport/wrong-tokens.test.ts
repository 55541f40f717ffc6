import { assertEquals } from "@std/assert";
import { createWrongTokens } from "../../transport/wrong-tokens.ts";

/** The delays of wrong tokens from one address, each some ms after the token before. */
function counted(gaps: readonly number[]) {
  const said: [string, number][] = [];
  const wrong = createWrongTokens((address, count) => void said.push([address, count]));
  let now = 0;
  const delays = gaps.map((gap) => wrong.count("192.0.2.7", now += gap));
  return { delays, said };
}

const tenAtOnce = Array(10).fill(0);

Deno.test("ten wrong tokens in a minute are answered at once, further ones with growing delays, up to 5 s", () => {
  const { delays } = counted([...tenAtOnce, 0, 1, 2, 3, 4, 5, 5000, 5000]);
  assertEquals(delays, [...tenAtOnce, 250, 500, 1000, 2000, 4000, 5000, 5000, 5000]);
});

Deno.test("the count is forgotten after a minute without a wrong token, and not before", () => {
  const { delays } = counted([...tenAtOnce, 0, 0, 59_999, 60_000, ...tenAtOnce]);
  assertEquals(delays.slice(10), [250, 500, 1000, 0, ...tenAtOnce.slice(1), 250]);
});

Deno.test("occasional wrong tokens are never delayed", () => {
  const { delays } = counted(Array(200).fill(6_500));
  assertEquals(new Set(delays), new Set([0]));
});

Deno.test("one line a minute has the number of wrong tokens of an address; a few make no line", () => {
  assertEquals(counted(tenAtOnce).said, []);
  const { said } = counted([...tenAtOnce, ...Array(100).fill(1000)]);
  assertEquals(said, [["192.0.2.7", 11], ["192.0.2.7", 71]]);
});

Deno.test("each address has its own count", () => {
  const wrong = createWrongTokens(() => {});
  for (let at = 0; at < 11; at++) wrong.count("192.0.2.7", at);
  assertEquals([wrong.count("192.0.2.8", 20), wrong.count("192.0.2.7", 20)], [0, 500]);
});
