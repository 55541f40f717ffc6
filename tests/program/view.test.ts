/** The device view in the program. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import { descriptions } from "../../program/api/descriptions.ts";
import { sceneOf } from "./scene.ts";

async function statusOf(url: string): Promise<number> {
  const response = await fetch(url);
  await response.body?.cancel();
  return response.status;
}

Deno.test("the service serves the view at /, every file that its page names, and every description", async () => {
  await using scene = await sceneOf();
  await using running = await scene.start();
  const page = await (await fetch(running.url)).text();
  assertStringIncludes(page, "<title>faderd</title>");
  const files = [...page.matchAll(/(?:href|src)="([^"]+)"/g)].map((match) => match[1]!);
  assertEquals(files.length, 6);
  for (const file of files) {
    assertEquals([file, await statusOf(`${running.url}/${file}`)], [file, 200]);
  }
  for (const name of descriptions().keys()) {
    const answer = await fetch(`${running.url}/api/${name}`);
    assertEquals(answer.headers.get("content-type"), "application/json");
    assertEquals(JSON.stringify(await answer.json()) + "\n", descriptions().get(name));
  }
  const manifest = await (await fetch(`${running.url}/manifest.webmanifest`)).json();
  for (const { src } of manifest.icons) assertEquals(await statusOf(`${running.url}/${src}`), 200);
});

Deno.test("with --no-view, or view false in the configuration, nothing is served at /, and no line mentions the view", async () => {
  const rows = [[["--no-view"], undefined], [[], {
    mixers: [{ faders: 1 }],
    view: false,
  }]] as const;
  for (const [options, configuration] of rows) {
    await using scene = await sceneOf(configuration);
    await using running = await scene.start(...options);
    assertEquals(await statusOf(running.url), 404);
    assertEquals(running.stderr.includes("view"), false);
  }
});
