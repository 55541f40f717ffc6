/**
 * Makes pictures of the device view, on a demo console with simulated sound, and of the page of a
 * hub, in `screenshots/`: of each page, or of the named pages, in each size and in both looks.
 *
 * `deno task screenshots mixer lists --sizes phone,tablet --looks dark`
 *
 * @module
 */
import { parseArgs } from "@std/cli/parse-args";
import { readFleetPage } from "../program/view-files.ts";
import { keepInPage, launch } from "../tests/browser/browser.ts";
import { ADMIN_TOKEN } from "../tests/fleet/fake-core.ts";
import { serveHub } from "../tests/fleet/serve-hub.ts";
import { startFurnished } from "./furnish.ts";
import { furnishedFleet } from "./furnish-fleet.ts";

const SIZES: Readonly<Record<string, { readonly width: number; readonly height: number }>> = {
  desk: { width: 1920, height: 1080 },
  tablet: { width: 1024, height: 768 },
  phone: { width: 390, height: 844 },
};
const PAGES = [
  "mixer",
  "snapshots",
  "lists",
  "pictures",
  "console",
  "meters",
  "meters/0",
  "own",
  "plots",
  "admin",
  "admin/audit",
  "fleet",
];

/** Time in ms that a page has to draw itself. */
const SETTLE_MS = 700;

const folder = new URL("../screenshots/", import.meta.url);
const args = parseArgs(Deno.args, { string: ["sizes", "looks"] });
const pages = args._.length > 0 ? args._.map(String) : PAGES;
const sizes = args.sizes?.split(",") ?? Object.keys(SIZES);
const looks = args.looks?.split(",") ?? ["dark", "light"];

await using desk = await startFurnished();
await using hub = await serveHub(furnishedFleet(), { view: readFleetPage() });
const browser = await launch();
Deno.mkdirSync(folder, { recursive: true });
for (const size of sizes) {
  for (const look of looks) {
    const viewport = SIZES[size]!;
    const context = await browser.newContext({ viewport, locale: "en-GB" });
    for (const name of pages) {
      const page = await context.newPage();
      const isFleet = name === "fleet";
      await page.addInitScript(keepInPage, {
        token: isFleet ? ADMIN_TOKEN : desk.token,
        theme: look,
      });
      await page.goto(isFleet ? hub.url : `${desk.url}/#/${name}`);
      await page.locator(".lamp.open").waitFor();
      await page.waitForTimeout(SETTLE_MS);
      const file = `${name.replaceAll("/", "-")}-${size}-${look}.png`;
      await page.screenshot({ path: new URL(file, folder).pathname });
      await page.close();
    }
    await context.close();
  }
}
await browser.close();
