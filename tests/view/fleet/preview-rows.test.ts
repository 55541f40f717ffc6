import { assertEquals } from "@std/assert";
import { type Preview, previewRow, previewsText } from "../../../view/fleet/preview-rows.ts";
import { fleetDoTexts } from "../../../view/texts/fleet-do.ts";

const own = fleetDoTexts((english) => english);

const preview = (part: Partial<Preview> = {}): Preview => ({
  console: "0".repeat(32),
  name: "Studio",
  site: "Berlin",
  changes: [],
  more: 0,
  ...part,
});

Deno.test("the row of a preview has the first changes, and counts the others", () => {
  const changes = ["a", "b", "c", "d"].map((name) => ({
    path: `/users/${name}`,
    before: { may: "view" },
    after: null,
  }));
  const told = (name: string) => `/users/${name}: {"may":"view"} → null`;
  const text = [...["a", "b", "c"].map(told), "and 8 more"].join(" · ");
  assertEquals(previewRow(preview({ changes, more: 7 }), own), {
    outcome: "queued",
    word: "",
    text,
  });
  assertEquals(previewRow(preview({ more: 3000 }), own).text, "3000 values would change.");
  assertEquals(previewRow(preview(), own).text, "Nothing would change.");
});

Deno.test("a console without a preview is not shown as one that would refuse the request", () => {
  const without = preview({ noPreview: "the hub asks this console as a client" });
  const refused = preview({ refused: "not yours" });
  assertEquals(previewRow(without, own), {
    outcome: "queued",
    word: "no preview",
    text: "the hub asks this console as a client",
  });
  assertEquals(previewRow(refused, own), {
    outcome: "refused",
    word: "refused",
    text: "not yours",
  });
  const sentence = "1 of 3 would refuse it. 1 without a preview.";
  assertEquals(previewsText([preview(), without, refused], own), sentence);
  assertEquals(previewsText([preview(), refused], own), "1 of 2 would refuse it.");
});
