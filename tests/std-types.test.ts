/** The types of the std library are known: with `any`, each of these comments would be an error. */
import { assertEquals } from "@std/assert";
import { concat } from "@std/bytes/concat";
import { parseArgs } from "@std/cli/parse-args";
import { timingSafeEqual } from "@std/crypto/timing-safe-equal";
import { ifNoneMatch } from "@std/http/etag";

Deno.test("a wrong argument for the std library is a type error", () => {
  const wrong = [
    // @ts-expect-error: both values have to have the same type.
    () => assertEquals("1", 1),
    // @ts-expect-error: a string is not a list of byte arrays.
    () => concat("bytes"),
    // @ts-expect-error: there is no option `b`.
    () => parseArgs([], { string: ["a"] }).b,
    // @ts-expect-error: a string is not a byte array.
    () => timingSafeEqual("a", "b"),
    // @ts-expect-error: a header is a string.
    () => ifNoneMatch(1, "a"),
  ];
  assertEquals(wrong.length, 5);
});
