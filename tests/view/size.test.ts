/** How large the device view is, as browsers load it. */
import { assert } from "@std/assert";

/** A change that needs more has to be worth it: docs/view.md says what the page weighs. */
const MOST_BYTES = 62 * 1024;

Deno.test("page, script and styles have at most 62 KiB, packed by gzip", () => {
  const built = new URL("../../view/built/", import.meta.url);
  const loaded = [...Deno.readDirSync(built)].map(({ name }) => name)
    .filter((name) => /\.(html|js|css)\.gz$/.test(name));
  const bytes = loaded.map((name) => Deno.statSync(new URL(name, built)).size)
    .reduce((sum, size) => sum + size, 0);
  assert(loaded.length === 3 && bytes <= MOST_BYTES, `${bytes} bytes in ${loaded.join(", ")}`);
});
