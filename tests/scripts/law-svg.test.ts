import { assert } from "@std/assert";
import { lawSvg } from "../../scripts/law-svg.ts";

Deno.test("docs/fader-law.svg is what scripts/law-svg.ts makes of the published table", async () => {
  const committed = await Deno.readTextFile(new URL("../../docs/fader-law.svg", import.meta.url));
  assert(committed === lawSvg(), "run: deno run --allow-write=docs scripts/law-svg.ts");
});
