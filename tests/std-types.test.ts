/** The types of the std library are known: of `any`, each of these comments would be an error. */
import { assertEquals } from "@std/assert";
import { concat } from "@std/bytes/concat";
import { parseArgs } from "@std/cli/parse-args";
import { timingSafeEqual } from "@std/crypto/timing-safe-equal";
import { ifNoneMatch } from "@std/http/etag";

Deno.test("a wrong argument for the std library is a type error", () => {
  const wrong = [
    // @ts-expect-error: the two are of one type.
    () => assertEquals("1", 1),
    // @ts-expect-error: a text is not a list of bytes.
    () => concat("bytes"),
    // @ts-expect-error: there is no such option.
    () => parseArgs([], { string: ["a"] }).b,
    // @ts-expect-error: a text has no bytes.
    () => timingSafeEqual("a", "b"),
    // @ts-expect-error: a header is a text.
    () => ifNoneMatch(1, "a"),
  ];
  assertEquals(wrong.length, 5);
});
