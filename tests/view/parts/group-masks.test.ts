import { assertEquals } from "@std/assert";
import { groupsIn, maskOf } from "../../../view/parts/group-masks.ts";

Deno.test("a bitmask is converted to groups, and a group to its bit", () => {
  assertEquals(groupsIn(137), [1, 4, 8]);
  assertEquals(groupsIn(0), []);
  assertEquals(groupsIn(137).map(maskOf), [1, 8, 128]);
});
