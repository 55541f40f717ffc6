/** The rights to snapshots, which the page shows before a request. */
import { assertEquals } from "@std/assert";
import {
  changeObstacle,
  createObstacle,
  loadObstacle,
  overwriteObstacle,
} from "../../../../view/pages/snapshots/may.ts";

const nobody = { name: null, groups: 0, admin: false };
const one = { name: "one", groups: 1, admin: false };
const two = { name: "two", groups: 2, admin: false };
const none = { name: "none", groups: 0, admin: false };
const admin = { name: "admin", groups: 4, admin: true };
const open = { id: "a", name: "A", factory: false, readgroups: 0, writegroups: 1 };
const closed = { ...open, readgroups: 2 };
const factory = { ...open, factory: true };
const standard = { ...open, id: "default", factory: true, writegroups: 0 };

/** The operation, the snapshot, the user, and the obstacle. */
const rows = [
  ["load", loadObstacle, open, nobody, undefined],
  ["load", loadObstacle, closed, nobody, "needsLogin"],
  ["load", loadObstacle, closed, one, undefined],
  ["load", loadObstacle, closed, two, undefined],
  ["load", loadObstacle, closed, none, "needsGroup"],
  ["load", loadObstacle, closed, admin, "needsGroup"],
  ["change", changeObstacle, open, one, undefined],
  ["change", changeObstacle, open, two, "needsGroup"],
  ["change", changeObstacle, open, admin, undefined],
  ["change", changeObstacle, open, nobody, "needsLogin"],
  ["change", changeObstacle, factory, admin, "isFactory"],
  ["change", changeObstacle, standard, admin, "isDefault"],
  ["save over", overwriteObstacle, standard, two, undefined],
  ["save over", overwriteObstacle, standard, none, "needsGroup"],
  ["save over", overwriteObstacle, open, two, "needsGroup"],
] as const;

for (const [what, obstacle, listed, who, expected] of rows) {
  const by = who.name ?? "nobody";
  Deno.test(`the obstacle to ${what} snapshot ${listed.id} (readgroups ${listed.readgroups}) for ${by} is ${expected}`, () => {
    assertEquals(obstacle(listed, who), expected);
  });
}

Deno.test("any known user with a group may save a new snapshot", () => {
  const all = [nobody, one, none, admin].map(createObstacle);
  assertEquals(all, ["needsLogin", undefined, "needsGroup", undefined]);
});
