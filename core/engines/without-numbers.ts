/**
 * A number of JSON without an exponent: a value of its own, or an item of a list. What stands before
 * it is matched, too: a lookbehind over blanks takes time that grows with their square in Node 20.
 */
const NUMBER = /([:,[]\s*)-?(?:0|[1-9]\d*)(?:\.\d+)?(?=\s*[,\]}])/g;

/**
 * Answers a text of JSON with 0 in the place of each number. Two texts of which one is JSON, and
 * that are the same without their numbers, are both JSON of the same form: where one is a report,
 * the other brings other values of the same members. It costs less than half of parsing them. What
 * stands in quotes may look like a number as well, so whoever reads the other one checks it again.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 *
 * assertEquals(withoutNumbers('{"1":{"_left":-20.5}}'), '{"1":{"_left":0}}');
 * ```
 */
export function withoutNumbers(text: string): string {
  return text.replace(NUMBER, "$10");
}
