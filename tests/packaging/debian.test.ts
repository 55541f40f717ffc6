/** What of the Debian package can be seen without making it: `task deb-check` tries it. */
import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { readConfiguration } from "../../core/configuration/configuration.ts";
import manifest from "../../deno.json" with { type: "json" };

const read = (path: string) => Deno.readTextFile(new URL(`../../${path}`, import.meta.url));

Deno.test("the changelog of the Debian package begins with the version of faderd", async () => {
  const [, version] = /^faderd \((\S+)\)/.exec(await read("packaging/debian/changelog"))!;
  assertEquals(version, manifest.version);
});

Deno.test("what an operator changes is in the package, and an upgrade asks before it replaces it", async () => {
  const script = await read("scripts/deb.ts");
  const files = (await read("packaging/debian/conffiles")).trim().split("\n");
  assertEquals(files, ["/etc/default/faderd", "/etc/faderd/console.json"]);
  for (const file of files) assertStringIncludes(script, `"${file.slice(1)}"`);
});

Deno.test("the configuration of the package is that of a console", async () => {
  const parsed = readConfiguration(JSON.parse(await read("packaging/debian/console.json")));
  assertEquals("faults" in parsed ? parsed.faults : [], []);
});

Deno.test("the package and the image run the service with what the unit needs, and no more rights than that", async () => {
  const command = await read("packaging/faderd.sh");
  assertMatch(command, /--allow-env=NOTIFY_SOCKET,WATCHDOG_USEC \\?\n? *\$FADERD_PERMISSIONS/);
  assertStringIncludes(command, "FADERD_PERMISSIONS=--allow-run=systemd-notify}");
  assertMatch(await read("packaging/Containerfile"), /FADERD_PERMISSIONS=\n/);
  assertStringIncludes(await read("packaging/Containerfile"), "USER 10001");
});
