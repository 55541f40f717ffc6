import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import {
  canonicalForm,
  canonicalJson,
  isLarge,
  jsonExcess,
  jsonPieces,
  jsonSteps,
  listItems,
  parseUtf8,
} from "../../core/json.ts";
import { JSON_DEPTH, JSON_MEMBERS } from "../../core/limits.ts";
import { countingScheduler } from "../schedulers.ts";

const members = (count: number, of: string) => Array.from({ length: count }, () => of).join();
const nested = (levels: number) => "[".repeat(levels) + "]".repeat(levels);
const tooDeep = `nests deeper than ${JSON_DEPTH} levels`;
const tooMany = "has more than 10 values";
const tooWide = `has more than ${JSON_MEMBERS} members in an object or a list`;

/** A text, the maximum number of its values, and the fault where it is over a limit. */
const texts: readonly (readonly [string, string, number, string | undefined])[] = [
  ["a number", "1", 1, undefined],
  ["the maximum number of values", `[${members(9, "1")}]`, 10, undefined],
  ["one value more", `[${members(10, "1")}]`, 10, tooMany],
  ["the maximum number of members", `{${members(9, '"a":1')}}`, 10, undefined],
  ["one more member", `{${members(10, '"a":1')}}`, 10, tooMany],
  ["an object in each", `[${members(5, "{}")}]`, 10, tooMany],
  ["marks in strings", '"[[[[{{{{,,,,,,,,,,,,,,,,"', 1, undefined],
  ["marks after an escaped quote", '"\\",,,,,,,,,,,,,,,,,,"', 1, undefined],
  ["marks after an escaped backslash", `["\\\\",${members(9, "1")}]`, 10, tooMany],
  ["a string without an end", '"[[[[,,,,,,,,,,,,,,,,', 1, undefined],
  ["a string that ends in a backslash", '"\\', 1, undefined],
  ["the maximum depth", nested(JSON_DEPTH), 1000, undefined],
  ["one level deeper", nested(JSON_DEPTH + 1), 1000, tooDeep],
  ["many nested lists side by side", `[${members(100, nested(3))}]`, 1000, undefined],
  ["ends of nothing", "]]]]}}}}[[[[", 1, undefined],
  ["the maximum width", `{${members(JSON_MEMBERS, '"a":1')}}`, 10_000, undefined],
  ["one member wider", `{${members(JSON_MEMBERS + 1, '"a":1')}}`, 10_000, tooWide],
  ["a wide list", `[${members(JSON_MEMBERS + 1, "1")}]`, 10_000, undefined],
];

Deno.test("JSON is measured before it is parsed", () => {
  for (const [what, text, values, excess] of texts) {
    assertEquals(jsonExcess(text, values), excess, what);
  }
});

Deno.test("a list may have fewer items than an object members", () => {
  const excess = "has more than 3 members in an object or a list";
  assertEquals(jsonExcess("[1,2,3]", 10, 3), undefined);
  assertEquals(jsonExcess("[1,2,3,4]", 10, 3), excess);
  assertEquals(jsonExcess('{"a":1,"b":2,"c":3,"d":4}', 10, 3), undefined);
});

Deno.test("the count of values and of levels before parsing is never below the true one", () => {
  const valuesOf = (value: unknown): number =>
    typeof value !== "object" || value === null
      ? 1
      : Object.values(value).reduce((sum: number, member) => sum + valuesOf(member), 1);
  fc.assert(fc.property(fc.json({ maxDepth: 6 }), (text) => {
    const values = valuesOf(JSON.parse(text));
    if (values > 1) {
      assertEquals(jsonExcess(text, values - 1), `has more than ${values - 1} values`);
    }
    assertEquals(jsonExcess(text, 2 * values), undefined);
  }));
});

Deno.test("JSON over a limit is not parsed, and bytes that are not UTF-8 or not JSON are refused", () => {
  const bytes = (text: string) => new TextEncoder().encode(text);
  assertEquals(parseUtf8(bytes("[1,2]"), 3), [1, 2]);
  assertEquals(parseUtf8(bytes("[1,2]"), 2), undefined);
  assertEquals(parseUtf8(bytes("[1,"), 3), undefined);
  assertEquals(parseUtf8(Uint8Array.of(0x22, 0xff, 0x22), 3), undefined);
  assertEquals(parseUtf8(bytes('"\uFFFD"'), 3), "\uFFFD");
});

const wide = (of: unknown) => Object.fromEntries(Array.from({ length: 300 }, (_, at) => [at, of]));

Deno.test("the pieces of a JSON value are its text, in either form", () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (value, other) => {
      for (const whole of [value, wide(value), [value, wide(other), Array(300).fill(other)]]) {
        assertEquals([...jsonPieces(whole)].join(""), JSON.stringify(whole));
        assertEquals([...jsonPieces(whole, canonicalForm)].join(""), canonicalJson(whole));
      }
    }),
    { numRuns: 20 },
  );
});

Deno.test("members without a value are left out of the pieces, as JSON.stringify does", () => {
  const value = { a: undefined, b: wide(1), c: undefined, d: { e: undefined } };
  assertEquals([...jsonPieces(value)].join(""), JSON.stringify(value));
  const empty = Object.fromEntries(Array.from({ length: 300 }, (_, at) => [at, undefined]));
  assertEquals([...jsonPieces(empty)].join(""), "{}");
});

Deno.test("no piece is a large part of a large value, whatever its structure", () => {
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

Deno.test("the items of any JSON list are found as JSON.parse finds them, whatever its white space", () => {
  fc.assert(
    fc.property(fc.array(fc.jsonValue()), fc.constantFrom(0, 2, "\t\r\n "), (list, space) => {
      const bytes = new TextEncoder().encode(` ${JSON.stringify(list, null, space)}\n`);
      const items = [...listItems(bytes)].map((item) => JSON.parse(new TextDecoder().decode(item)));
      assertEquals(JSON.stringify(items), JSON.stringify(list));
    }),
  );
});
