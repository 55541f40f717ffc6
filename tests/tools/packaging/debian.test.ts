/** Checks of the Debian package that need no build; `task deb-check` tries the built package. */
import { assertEquals } from "@std/assert";
import { readConfiguration } from "../../../core/configuration/configuration.ts";
import manifest from "../../../deno.json" with { type: "json" };

const read = (path: string) => Deno.readTextFile(new URL(`../../../${path}`, import.meta.url));

Deno.test("the changelog of the Debian package begins with the version of faderd", async () => {
  const [, version] = /^faderd \((\S+)\)/.exec(await read("tools/packaging/debian/changelog"))!;
  assertEquals(version, manifest.version);
});

Deno.test("the configuration in the package is valid", async () => {
  const parsed = readConfiguration(JSON.parse(await read("tools/packaging/debian/console.json")));
  assertEquals("faults" in parsed ? parsed.faults : [], []);
});
