import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { shown, SHOWN_CHARACTERS, withoutTokens } from "../../core/shown.ts";

Deno.test("a value is shown in quotes, with control characters escaped and long text cut off", () => {
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

Deno.test("a shown value fits on one line, whatever the value", () => {
  fc.assert(fc.property(fc.array(fc.nat(0x10FFFF), { maxLength: 100 }), (codes) => {
    const value = String.fromCodePoint(...codes);
    assert(/^"[^\p{Cc}\p{Zl}\p{Zp}]*"…?$/u.test(shown(value)));
  }));
});

const token = "01234567-89abcdef-01234567-89ABCDEF";

Deno.test("a text in the form of a token is masked, wherever it occurs", () => {
  const uuid = "0f0c0002-0000-4000-8000-000000000001";
  const table: readonly (readonly [string, string])[] = [
    [token, '"***"'],
    [token.toUpperCase(), '"***"'],
    [`Bearer ${token}`, '"Bearer ***"'],
    [`${"x".repeat(SHOWN_CHARACTERS - 1)}${token}`, `"${"x".repeat(SHOWN_CHARACTERS - 1)}*"…`],
    [uuid, `"${uuid}"`],
    [`${token} `.repeat(100), `"${"*** ".repeat(SHOWN_CHARACTERS / 4)}"…`],
  ];
  for (const [value, expected] of table) assertEquals(shown(value), expected);
});

Deno.test("no part of a token is shown, among any number of tokens and any other text", () => {
  const around = fc.constantFrom("", " ", "x", "😀", "-");
  const texts = fc.array(fc.tuple(around, fc.boolean()), { maxLength: 60 });
  fc.assert(fc.property(texts, (pieces) => {
    const text = pieces.map(([piece, secret]) => secret ? `${piece}/${token}` : piece).join("");
    for (const said of [shown(text), withoutTokens(text)]) {
      assert(!/01234567|89abcdef/i.test(said), said);
    }
  }));
});
