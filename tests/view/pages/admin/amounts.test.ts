import { assertEquals } from "@std/assert";
import { en } from "../../../../view/texts/languages.ts";
import { daysUntil, lastDay, size } from "../../../../view/pages/admin/amounts.ts";
import { readExpiry } from "../../../../core/users/expiry.ts";

const sizes: readonly (readonly [bytes: number, text: string])[] = [
  [0, "0 B"],
  [999, "999 B"],
  [1000, "1.0 kB"],
  [64 * 1024 * 1024, "67.1 MB"],
];

for (const [bytes, text] of sizes) {
  Deno.test(`${bytes} bytes read ${text}`, () => assertEquals(size(bytes, en.decimal), text));
}

Deno.test("the last day of a token is the date given for it", () => {
  for (const day of ["2027-01-31", "2028-02-29", "9999-12-31"]) {
    assertEquals(lastDay(readExpiry(day, 0) as string), day);
  }
  assertEquals(lastDay(null), "");
});

Deno.test("days until an instant are whole, and negative once it is past", () => {
  const now = Date.UTC(2026, 0, 1);
  assertEquals(daysUntil("2026-01-03T12:00:00Z", now), 2);
  assertEquals(daysUntil("2025-12-31T12:00:00Z", now), -1);
});
