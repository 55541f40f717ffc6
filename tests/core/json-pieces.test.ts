import { countingScheduler } from "../schedulers.ts";
import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { isLarge, jsonPieces, jsonSteps } from "../../core/json-pieces.ts";
import { canonicalForm, canonicalJson } from "../../core/snapshots/canonical.ts";

const wide = (of: unknown) => Object.fromEntries(Array.from({ length: 300 }, (_, at) => [at, of]));

Deno.test("the pieces of a JSON value are its text, in either form", () => {
  fc.assert(fc.property(fc.jsonValue(), fc.jsonValue(), (value, other) => {
    for (const whole of [value, wide(value), [value, wide(other), Array(300).fill(other)]]) {
      assertEquals([...jsonPieces(whole)].join(""), JSON.stringify(whole));
      assertEquals([...jsonPieces(whole, canonicalForm)].join(""), canonicalJson(whole));
    }
  }));
});

Deno.test("members without a value are left out of the pieces, as of JSON", () => {
  const value = { a: undefined, b: wide(1), c: undefined, d: { e: undefined } };
  assertEquals([...jsonPieces(value)].join(""), JSON.stringify(value));
  const empty = Object.fromEntries(Array.from({ length: 300 }, (_, at) => [at, undefined]));
  assertEquals([...jsonPieces(empty)].join(""), "{}");
});

Deno.test("however a large value is shaped, no piece is a large part of it", () => {
  for (
    const value of [wide(wide(1.25)), Array(90_000).fill("text"), { a: { b: [wide(wide(-1))] } }]
  ) {
    assert(isLarge(value));
    let longest = 0;
    for (const { length } of jsonPieces(value)) longest = Math.max(longest, length);
    assert(longest < 4000, `${longest} characters at a time`);
  }
});

Deno.test("a large value is written in many steps, a small one in one", async () => {
  const counting = countingScheduler();
  const value = wide(wide("0123456789"));
  const text = JSON.stringify(value);
  assertEquals(await counting.scheduler.run(jsonSteps(value)), text);
  const { turns } = counting;
  assert(turns > text.length / (10 * 1024), `${turns} steps for ${text.length} characters`);
  await counting.scheduler.run(jsonSteps(wide(1)));
  assertEquals(counting.turns, turns);
});
