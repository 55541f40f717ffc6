import { assertEquals } from "@std/assert";
import { partsOfShown, shownOfMixer } from "../../../../view/pages/mixer/shown.ts";

Deno.test("an address names a VCA group, an open fader and a section", () => {
  for (const vca of [undefined, 1, 3, 255]) {
    for (const [open, section] of [[0, undefined], [2, "equalizer"], [undefined, undefined]]) {
      const parts = partsOfShown(vca, open as number | undefined, section as string | undefined);
      const shown = { vca, open: open ?? NaN, section };
      assertEquals(shownOfMixer(parts.map(String)), shown as ReturnType<typeof shownOfMixer>);
    }
  }
});

Deno.test("an address without a valid VCA group, from 1 to 255, shows all strips", () => {
  for (const named of [[], ["zz"], ["0"], ["256"], ["1.5"], ["-1"], [""]]) {
    assertEquals(shownOfMixer(["vca", ...named]).vca, undefined, named.join());
  }
  assertEquals(shownOfMixer(["vca", "zz", "2"]).open, 2);
});
