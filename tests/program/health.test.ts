import { assertEquals, assertMatch } from "@std/assert";
import { faderd, startFaderd, temporaryFolder } from "./faderd.ts";

Deno.test("faderd health prints the health of a running service, and ends with 1 where there is none", async () => {
  await using folder = await temporaryFolder();
  await using running = await startFaderd("--data", folder.path);
  const well = await faderd("health", "--url", running.url);
  assertEquals(well.code, 0);
  assertEquals(JSON.parse(well.stdout).ready, true);
  running.kill("SIGTERM");
  await running.ended();
  const gone = await faderd("health", "--url", running.url);
  assertEquals([gone.code, gone.stdout], [1, ""]);
  assertMatch(gone.stderr, /no service answers at http:\S+\/health: /);
});

Deno.test("faderd health refuses what is no URL, with exit status 2", async () => {
  const { code, stderr } = await faderd("health", "--url", "8080");
  assertEquals(code, 2);
  assertMatch(stderr, /--url: expected a URL like \S+, got 8080/);
});
