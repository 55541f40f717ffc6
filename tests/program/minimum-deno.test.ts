import { assertEquals, assertStringIncludes } from "@std/assert";
import { tooOld } from "../../program/minimum-deno.ts";
import { temporaryFolder } from "./faderd.ts";
import { startFaderd } from "./in-process.ts";

for (const version of ["2.9.0", "2.10.0", "3.0.0", "2.9.0-rc.1", Deno.version.deno]) {
  Deno.test(`Deno ${version} is new enough`, () => assertEquals(tooOld(version), undefined));
}

for (const version of ["2.8.9", "2.6.10", "1.99.0"]) {
  Deno.test(`of Deno ${version} one sentence says which one is needed`, () => {
    const sentence = `this is Deno ${version}; faderd needs Deno 2.9.0 or later, and may fail here`;
    assertEquals(tooOld(version), sentence);
  });
}

Deno.test("a start on a Deno that is new enough says nothing of it", async () => {
  await using folder = await temporaryFolder();
  await using running = await startFaderd("--data", `${folder.path}/data`);
  assertStringIncludes(running.stdout, "faderd ");
  assertEquals(running.stderr.includes("Deno"), false);
});
