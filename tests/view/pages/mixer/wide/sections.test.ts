import { assertEquals } from "@std/assert";
import { BLOCKS } from "../../../../../core/tree/processing.ts";
import { blocksOf, sectionOf, SECTIONS } from "../../../../../view/pages/mixer/wide/sections.ts";

Deno.test("every block of the processing is in exactly one section", () => {
  const shown = SECTIONS.flatMap((section) => blocksOf(section, BLOCKS));
  assertEquals([...shown].sort(), [...BLOCKS].sort());
});

Deno.test("a section has its blocks in the order of the processing", () => {
  const processing = ["eq3", "limiter", "varfilter1", "eq1", "gate"];
  assertEquals(blocksOf("equalizer", processing), ["eq3", "varfilter1", "eq1"]);
  assertEquals(blocksOf("dynamics", processing), ["limiter", "gate"]);
});

Deno.test("an address names a section; an unknown name means the first", () => {
  assertEquals(["dynamics", "nothing", undefined].map(sectionOf), [
    "dynamics",
    "source",
    "source",
  ]);
});
