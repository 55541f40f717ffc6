/**
 * A real browser for tests of pages: Chromium from npm, which brings its own libraries.
 *
 * @module
 */
// What stands in deno.json is downloaded at any start.
// deno-lint-ignore-file no-import-prefix
import chromium from "npm:@sparticuz/chromium@153.0.0";
import { type Browser, chromium as driver } from "npm:playwright-core@1.65.0";

export type { Page } from "npm:playwright-core@1.65.0";

/** Starts a browser without a window. */
export async function launch(): Promise<Browser> {
  return await driver.launch({
    executablePath: await chromium.executablePath(),
    args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars"],
  });
}
