import { assert, assertEquals } from "@std/assert";
import { withoutNumbers } from "../../../core/engines/without-numbers.ts";

Deno.test("numbers are left out, blanks and texts stay", () => {
  const text = '{ "a": [ -1.5 ,2,\n 0 ], "b":"x, 3 ,", "c":1e5, "d" : 10 }';
  assertEquals(
    withoutNumbers(text),
    '{ "a": [ 0 ,0,\n 0 ], "b":"x, 0 ,", "c":1e5, "d" : 0 }',
  );
});

Deno.test("64 KiB of blanks take no longer than other texts, in any runtime", () => {
  const blanks = " ".repeat(64 * 1024);
  const from = performance.now();
  withoutNumbers(`[${blanks}1${blanks}x`);
  const ms = performance.now() - from;
  // Where the time grows with the square of the length, Node 20 takes several seconds.
  assert(ms < 500, `${ms} ms`);
});
