/**
 * The device view in a real browser, on a real service: Chromium from npm, which brings its own
 * libraries.
 *
 * @module
 */
// What stands in deno.json is downloaded at any start.
// deno-lint-ignore-file no-import-prefix
import chromium from "npm:@sparticuz/chromium@153.0.0";
import axe, { type AxeResults } from "npm:axe-core@4.14.1";
import {
  type Browser,
  type BrowserContextOptions,
  chromium as driver,
  type Page,
} from "npm:playwright-core@1.65.0";
import { assertEquals } from "@std/assert";
import { type Running, startFaderd, temporaryFolder, tokenIn } from "../program/faderd.ts";

export type { Browser, BrowserContextOptions, Locator, Page } from "npm:playwright-core@1.65.0";

/** So long a test waits for what the page is to show, in ms: a machine may be busy. */
const PATIENCE_MS = 15_000;

/** How a page is opened. */
export interface OpenOptions extends BrowserContextOptions {
  /** Logs in with this token, as if it had been kept for the tab. */
  readonly token?: string;
  /** What has been chosen on this device, as `view/state/preferences.ts` names it. */
  readonly preferences?: Readonly<Record<string, string>>;
  /** Is called before the page loads, to stand between it and the service. */
  readonly before?: (page: Page) => Promise<void>;
  /** Where the service is reached, if not directly. */
  readonly url?: string;
}

/** A service and a browser, for one test. */
export interface Desk {
  /** The service that runs now. */
  readonly service: Running;
  /** The token of its admin. */
  readonly token: string;
  /**
   * Opens the view in a window of its own, with nothing kept from others: `open("#/lists")`. It
   * resolves once the console's name is there, unless `auth` is required and there is no token.
   */
  open(path?: string, options?: OpenOptions): Promise<Page>;
  /** Starts the service anew, at the same address and on the same data, after it was ended. */
  startAgain(): Promise<Running>;
}

/** What a test of the view needs beside its name. */
export interface BrowserTest {
  /** The configuration of the console; without one it is the demo console. */
  readonly configuration?: unknown;
  /** Further options of `faderd serve`. */
  readonly options?: readonly string[];
  /** A sentence in the browser's log that the test brings about: it fails at any other. */
  readonly expected?: RegExp;
}

/** The browser of all tests of a file; each opens windows of its own in it. */
let shared: Promise<Browser> | undefined;

Deno.test.afterAll(async () => await (await shared)?.close());

/** A test of the view. It fails, too, where the page throws or breaks its own security policy. */
export function browserTest(
  name: string,
  run: (desk: Desk) => Promise<void>,
  { configuration, options = [], expected }: BrowserTest = {},
): void {
  // Chromium is a process, and the driver keeps its pipes: they end with the browser.
  const sanitizers = { sanitizeOps: false, sanitizeResources: false };
  Deno.test({ name, ...sanitizers }, async () => {
    await using folder = await temporaryFolder();
    const file = `${folder.path}/configuration.json`;
    if (configuration !== undefined) Deno.writeTextFileSync(file, JSON.stringify(configuration));
    const config = configuration === undefined ? [] : ["--config", file];
    const args = ["--data", `${folder.path}/data`, ...config, ...options];
    await using stack = new AsyncDisposableStack();
    let service = stack.use(await startFaderd(...args));
    const { url } = service;
    const token = tokenIn(service.stdout);
    const browser = await (shared ??= launch());
    const complaints: string[] = [];
    const desk: Desk = {
      get service() {
        return service;
      },
      token,
      async open(path = "", { token, preferences = {}, before, url: at = url, ...context } = {}) {
        const opened = await browser.newContext({ locale: "en-GB", ...context });
        stack.defer(() => opened.close());
        const page = await opened.newPage();
        page.setDefaultTimeout(PATIENCE_MS);
        page.on("pageerror", (error) => complaints.push(String(error)));
        page.on("console", (message) => {
          if (message.type() === "error") complaints.push(message.text());
        });
        const kept = { ...preferences, ...(token === undefined ? {} : { token }) };
        await page.addInitScript(keepInPage, kept);
        await before?.(page);
        await page.goto(`${at}/${path}`);
        await page.locator(".console-name:not(:empty), dialog[open]").first().waitFor();
        return page;
      },
      async startAgain() {
        const { host } = new URL(url);
        return service = stack.use(await startFaderd("--listen", host, ...args));
      },
    };
    await run(desk);
    assertEquals(complaints.filter((text) => expected?.test(text) !== true), []);
  });
}

/**
 * What axe-core finds wrong with what the page shows now, for people who do not see, hear or point
 * as others do: each rule that is broken, with the elements that break it.
 */
export async function accessibilityFaults(page: Page): Promise<string[]> {
  // Of itself, by the browser's own debugger: the page's policy lets nothing in.
  await page.evaluate(axe.source);
  const found = await page.evaluate("axe.run()") as AxeResults;
  return found.violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html}: ${failureSummary}`)
  );
}

/** Starts a browser without a window. */
export async function launch(): Promise<Browser> {
  return await driver.launch({
    executablePath: await chromium.executablePath(),
    args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars"],
  });
}

/** Runs in the page before anything else there: what the page is to find kept, by its names. */
export function keepInPage({ token, ...preferences }: Readonly<Record<string, string>>): void {
  if (token !== undefined) sessionStorage.setItem("faderd:/:token", token);
  for (const [name, choice] of Object.entries(preferences)) {
    localStorage.setItem(`faderd:/:${name}`, choice);
  }
}
