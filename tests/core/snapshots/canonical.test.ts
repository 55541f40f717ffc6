import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { canonicalJson } from "../../../core/json.ts";

/** IEEE 754 bits and their text (RFC 8785, Appendix B), without NaN and the infinities. */
const numbers: readonly (readonly [string, string])[] = [
  ["0000000000000000", "0"],
  ["8000000000000000", "0"],
  ["0000000000000001", "5e-324"],
  ["8000000000000001", "-5e-324"],
  ["7fefffffffffffff", "1.7976931348623157e+308"],
  ["ffefffffffffffff", "-1.7976931348623157e+308"],
  ["4340000000000000", "9007199254740992"],
  ["c340000000000000", "-9007199254740992"],
  ["4430000000000000", "295147905179352830000"],
  ["44b52d02c7e14af5", "9.999999999999997e+22"],
  ["44b52d02c7e14af6", "1e+23"],
  ["44b52d02c7e14af7", "1.0000000000000001e+23"],
  ["444b1ae4d6e2ef4e", "999999999999999700000"],
  ["444b1ae4d6e2ef4f", "999999999999999900000"],
  ["444b1ae4d6e2ef50", "1e+21"],
  ["3eb0c6f7a0b5ed8c", "9.999999999999997e-7"],
  ["3eb0c6f7a0b5ed8d", "0.000001"],
  ["41b3de4355555553", "333333333.3333332"],
  ["41b3de4355555554", "333333333.33333325"],
  ["41b3de4355555555", "333333333.3333333"],
  ["41b3de4355555556", "333333333.3333334"],
  ["41b3de4355555557", "333333333.33333343"],
  ["becbf647612f3696", "-0.0000033333333333333333"],
  ["43143ff3c1cb0959", "1424953923781206.2"],
];

Deno.test("numbers are written as in RFC 8785, Appendix B", () => {
  for (const [bits, text] of numbers) {
    const view = new DataView(new ArrayBuffer(8));
    view.setBigUint64(0, BigInt(`0x${bits}`));
    assertEquals(canonicalJson(view.getFloat64(0)), text, bits);
  }
});

Deno.test("the sample of RFC 8785, 3.2.2, is written as in 3.2.3", () => {
  const sample = String.raw`{
    "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
    "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",
    "literals": [null, true, false]
  }`;
  const canonical = String
    .raw`{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],` +
    String.raw`"string":"€$\u000f\nA'B\"\\\\\"/"}`;
  assertEquals(canonicalJson(JSON.parse(sample)), canonical);
});

Deno.test("members are sorted by UTF-16 code units (RFC 8785, 3.2.3)", () => {
  const sample = String.raw`{ "\u20ac": "Euro Sign", "\r": "Carriage Return",
    "\ufb33": "Hebrew Letter Dalet With Dagesh", "1": "One", "\ud83d\ude00": "Emoji: Grinning Face",
    "\u0080": "Control", "\u00f6": "Latin Small Letter O With Diaeresis" }`;
  const members = [...canonicalJson(JSON.parse(sample)).matchAll(/:"([^"]*)"/g)];
  assertEquals(members.map((match) => match[1]), [
    "Carriage Return",
    "One",
    "Control",
    "Latin Small Letter O With Diaeresis",
    "Euro Sign",
    "Emoji: Grinning Face",
    "Hebrew Letter Dalet With Dagesh",
  ]);
});

Deno.test("canonical JSON parses to the same value, and does not depend on the order of members", () => {
  const reversed = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(reversed);
    if (typeof value !== "object" || value === null) return value;
    const entries = Object.entries(value).toReversed().map(([key, item]) => [key, reversed(item)]);
    return Object.fromEntries(entries);
  };
  fc.assert(fc.property(fc.json(), (json) => {
    const value = JSON.parse(json);
    const canonical = canonicalJson(value);
    assertEquals(canonicalJson(reversed(value)), canonical);
    assertEquals(canonicalJson(JSON.parse(canonical)), canonical);
    assertEquals(JSON.parse(canonical), JSON.parse(JSON.stringify(value)));
  }));
});
