/** The size of the device view as browsers load it, in bytes. */
import { assert } from "@std/assert";
import { viewBytes } from "../../tools/view.ts";

/** A change that raises these limits has to be worth it: docs/view.md has the size of the page. */
const FIRST_BYTES = 45 * 1024;
const LATER_BYTES = 84 * 1024;
const FLEET_BYTES = 47 * 1024;

Deno.test("the first page loads at most 45 KiB, compressed by gzip", () => {
  const { first } = viewBytes();
  assert(first <= FIRST_BYTES, `${first} bytes`);
});

Deno.test("the pages that are loaded later have at most 84 KiB, compressed by gzip", () => {
  const { later } = viewBytes();
  assert(later > 0 && later <= LATER_BYTES, `${later} bytes`);
});

Deno.test("the page of a hub has at most 47 KiB, compressed by gzip", () => {
  const { fleet } = viewBytes();
  assert(fleet > 0 && fleet <= FLEET_BYTES, `${fleet} bytes`);
});
