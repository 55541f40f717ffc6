/** The loading of the page's chunks. */
import { assert, assertEquals } from "@std/assert";
import { readView } from "../../program/view-files.ts";
import { becomes, browserTest, type Page, type Route, until } from "./browser.ts";

const TITLES = [
  "Snapshots",
  "Lists",
  "Pictures",
  "Own pages",
  "Console",
  "Meters",
  "Plots",
  "Admin",
];

/** The chunks that few devices need, which are loaded only on demand. */
const WHEN_ASKED = /^\/(offline|hand-over|midi)\./;

/** The scripts that a page requests from the call on; to be called before the page loads. */
function scriptsOf(page: Page): string[] {
  const scripts: string[] = [];
  page.on("request", (request) => {
    if (request.resourceType() === "script") scripts.push(new URL(request.url()).pathname);
  });
  return scripts;
}

const isLoaded = (scripts: readonly string[], page: string) =>
  scripts.some((path) => path.startsWith(`/${page}.`));

browserTest(
  "the other pages are loaded when the browser is idle, and then open without loading",
  async (desk) => {
    let scripts: string[] = [];
    const page = await desk.open("", { before: (page) => scripts = scriptsOf(page) });
    await page.locator("[role=slider]").first().waitFor();
    assert(!isLoaded(scripts, "snapshots"), scripts.join());
    const idle = [...readView()!.keys()]
      .filter((path) => path.endsWith(".js") && !WHEN_ASKED.test(path));
    await becomes(() => idle.filter((path) => !scripts.includes(path)), []);
    const loaded = scripts.length;
    for (const title of TITLES) {
      await page.getByRole("link", { name: title, exact: true }).click();
      await until(async () => (await page.title()).startsWith(title));
      assertEquals(scripts.length, loaded, title);
      // A page may still wait for the values of the console.
      await until(async () => await page.getByText("Loading …").count() === 0);
    }
    await page.getByRole("link", { name: "Mixer", exact: true }).click();
    await page.getByRole("button", { name: "Everything of Host", exact: true }).click();
    await page.getByRole("tablist").waitFor();
    assertEquals(scripts.length, loaded);
  },
);

browserTest("the page of the first address is loaded at once", async (desk) => {
  const page = await desk.open("#/snapshots");
  await page.getByRole("button", { name: "Save …" }).waitFor();
});

for (
  const [what, fail] of [
    ["did not come", (route: Route) => route.abort()],
    // As after an update of the console while the page is open.
    ["is gone", (route: Route) => route.fulfill({ status: 404 })],
  ] as const
) {
  browserTest(`a page whose chunk ${what} reports it, and can be loaded again`, async (desk) => {
    let isAgain = false;
    const page = await desk.open("#/pictures", {
      before: (page) =>
        page.route(/\/pictures\./, (route) => isAgain ? route.continue() : fail(route)),
    });
    await page.getByText("This page could not be loaded.").waitFor();
    isAgain = true;
    await page.getByRole("button", { name: "Load again" }).click();
    await page.getByText("No picture yet").first().waitFor();
  }, { expected: /ERR_FAILED|Failed to/ });
}
