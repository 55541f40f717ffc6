import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { maxShown, shown } from "../../core/shown.ts";

Deno.test("a value is shown in quotes, with control characters escaped and what is long cut off", () => {
  const table: readonly (readonly [string, string])[] = [
    ["abc", '"abc"'],
    ["", '""'],
    ['a"b\\', '"a\\"b\\\\"'],
    ["a\0b\r\n\u007f\u0085", '"a\\u0000b\\r\\n\\u007f\\u0085"'],
    ["\u202egnp\u2028\u200b\ufeff", '"\\u202egnp\\u2028\\u200b\\ufeff"'],
    ["\ud800", '"\\ud800"'],
    ["News 😀 ÄÖ", '"News 😀 ÄÖ"'],
    ["x".repeat(maxShown), `"${"x".repeat(maxShown)}"`],
    ["x".repeat(maxShown + 1), `"${"x".repeat(maxShown)}"…`],
    ["😀".repeat(maxShown), `"${"😀".repeat(maxShown)}"`],
    ["😀".repeat(maxShown + 1), `"${"😀".repeat(maxShown)}"…`],
    ["x" + "😀".repeat(1_000_000), `"x${"😀".repeat(maxShown - 1)}"…`],
  ];
  for (const [value, expected] of table) assertEquals(shown(value), expected);
});

Deno.test("what is shown fits one line, whatever the value", () => {
  fc.assert(fc.property(fc.array(fc.nat(0x10FFFF), { maxLength: 100 }), (codes) => {
    const value = String.fromCodePoint(...codes);
    assert(/^"[^\p{Cc}\p{Zl}\p{Zp}]*"…?$/u.test(shown(value)));
  }));
});
