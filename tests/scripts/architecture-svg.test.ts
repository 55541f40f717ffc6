import { assert } from "@std/assert";
import { architectureSvg } from "../../scripts/architecture-svg.ts";

Deno.test("docs/architecture.svg is what scripts/architecture-svg.ts makes of the imports", async () => {
  const committed = await Deno.readTextFile(
    new URL("../../docs/architecture.svg", import.meta.url),
  );
  const command = "deno run --allow-read=. --allow-write=docs scripts/architecture-svg.ts";
  assert(committed === architectureSvg(), `run: ${command}`);
});
