import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { shown, SHOWN_CHARACTERS } from "../../core/shown.ts";

Deno.test("a value is shown in quotes, with control characters escaped and what is long cut off", () => {
  const table: readonly (readonly [unknown, string])[] = [
    [undefined, "nothing"],
    [null, "null"],
    [1.5, "1.5"],
    [[1], "a list"],
    [{ a: 1 }, "an object"],
    ["abc", '"abc"'],
    ["", '""'],
    ['a"b\\', '"a\\"b\\\\"'],
    ["a\0b\r\n\u007f\u0085", '"a\\u0000b\\r\\n\\u007f\\u0085"'],
    ["\u202egnp\u2028\u200b\ufeff", '"\\u202egnp\\u2028\\u200b\\ufeff"'],
    ["\ud800", '"\\ud800"'],
    ["News 😀 ÄÖ", '"News 😀 ÄÖ"'],
    ["x".repeat(SHOWN_CHARACTERS), `"${"x".repeat(SHOWN_CHARACTERS)}"`],
    ["x".repeat(SHOWN_CHARACTERS + 1), `"${"x".repeat(SHOWN_CHARACTERS)}"…`],
    ["😀".repeat(SHOWN_CHARACTERS), `"${"😀".repeat(SHOWN_CHARACTERS)}"`],
    ["😀".repeat(SHOWN_CHARACTERS + 1), `"${"😀".repeat(SHOWN_CHARACTERS)}"…`],
    ["x" + "😀".repeat(1_000_000), `"x${"😀".repeat(SHOWN_CHARACTERS - 1)}"…`],
  ];
  for (const [value, expected] of table) assertEquals(shown(value), expected);
});

Deno.test("what is shown fits one line, whatever the value", () => {
  fc.assert(fc.property(fc.array(fc.nat(0x10FFFF), { maxLength: 100 }), (codes) => {
    const value = String.fromCodePoint(...codes);
    assert(/^"[^\p{Cc}\p{Zl}\p{Zp}]*"…?$/u.test(shown(value)));
  }));
});
