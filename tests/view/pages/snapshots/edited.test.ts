/** The attributes of a snapshot that its dialog sends. */
import { assertEquals } from "@std/assert";
import { changesOf } from "../../../../view/pages/snapshots/edited.ts";

const entry = { id: "a", name: "A", factory: false, readgroups: 0, writegroups: 1 };
const { name, readgroups, writegroups } = entry;
const given = { name, readgroups, writegroups };

/** What was changed in the dialog. */
const rows = [
  {},
  { name: "Evening" },
  { readgroups: 128 },
  { writegroups: 3 },
  { name: "Evening", readgroups: 128, writegroups: 3 },
];

for (const changes of rows) {
  Deno.test(`the dialog of a snapshot sends only what was changed in it: ${JSON.stringify(changes)}`, () => {
    assertEquals(changesOf(entry, { ...given, ...changes }), changes);
  });
}
