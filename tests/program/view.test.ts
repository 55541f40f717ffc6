/** The device view, as the program finds and serves it. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import { temporaryFolder } from "./faderd.ts";
import { startFaderd } from "./in-process.ts";

async function statusOf(url: string): Promise<number> {
  const response = await fetch(url);
  await response.body?.cancel();
  return response.status;
}

Deno.test("the service serves the view at /, and every file that its page names", async () => {
  await using folder = await temporaryFolder();
  await using running = await startFaderd("--data", `${folder.path}/data`);
  const page = await (await fetch(running.url)).text();
  assertStringIncludes(page, "<title>faderd</title>");
  const files = [...page.matchAll(/(?:href|src)="([^"]+)"/g)].map((match) => match[1]!);
  assertEquals(files.length, 5);
  for (const file of files) {
    assertEquals([file, await statusOf(`${running.url}/${file}`)], [file, 200]);
  }
  const described = await (await fetch(`${running.url}/api/openapi.json`)).json();
  assertEquals(described.openapi, "3.1.0");
  const manifest = await (await fetch(`${running.url}/manifest.webmanifest`)).json();
  for (const { src } of manifest.icons) assertEquals(await statusOf(`${running.url}/${src}`), 200);
});

/** What turns the view off. */
const off: readonly (readonly [what: string, options: string[], configuration?: object])[] = [
  ["--no-view", ["--no-view"]],
  ["view false in the configuration", [], { mixers: [{ faders: 1 }], view: false }],
];

for (const [what, options, configuration] of off) {
  Deno.test(`with ${what} nothing is at /, and nothing is said of it`, async () => {
    await using folder = await temporaryFolder();
    const file = `${folder.path}/configuration.json`;
    Deno.writeTextFileSync(file, JSON.stringify(configuration ?? {}));
    const config = configuration === undefined ? [] : ["--config", file];
    await using running = await startFaderd("--data", `${folder.path}/data`, ...config, ...options);
    assertEquals(await statusOf(running.url), 404);
    assertEquals(running.stderr.includes("view"), false);
  });
}
