/**
 * The device view in a real browser, on a real service: Chromium from npm, which brings its own
 * libraries.
 *
 * @module
 */
// What stands in deno.json is downloaded at any start.
// deno-lint-ignore-file no-import-prefix
import chromium from "npm:@sparticuz/chromium@153.0.0";
import axe, { type AxeResults, type RunOptions } from "npm:axe-core@4.14.1";
import {
  type Browser,
  type BrowserContextOptions,
  chromium as driver,
  type Page,
} from "npm:playwright-core@1.65.0";
import { tmpdir } from "node:os";
import { assertEquals, equal } from "@std/assert";
import { type Client, connect } from "../../client/client.ts";
import type { WrittenConfiguration } from "../../core/configuration/schema.ts";
import { demoConfiguration } from "../../core/configuration/demo.ts";
import { joinEngine } from "../../core/engine.ts";
import { createSimulatedEngine } from "../../engine/simulated/engine.ts";
import { readFleetPage, readView } from "../../program/view-files.ts";
import type { Backups } from "../../fleet/backups/fleet-backups.ts";
import { machineTimer } from "../../runtimes/clock.ts";
import { ADMIN_TOKEN, type FakeCore, fakeCore } from "../fleet/fake-core.ts";
import { serveHub } from "../fleet/serve-hub.ts";
import { type Running, startFaderd, temporaryFolder, tokenIn } from "../program/faderd.ts";
import { enrol, idOf, startConsole, startHub, untilState } from "../program/hub-process.ts";
import { type Json, startService, tokens } from "../service.ts";

export type {
  Browser,
  BrowserContextOptions,
  Locator,
  Page,
  Route,
} from "npm:playwright-core@1.65.0";

/** How long a test waits for what the page is to show, in ms: a machine may be busy. */
const PATIENCE_MS = 15_000;

/** How long a test may take, in ms: not all that a browser is asked has a limit of its own. */
const LONGEST_MS = 60_000;

/** Time in ms that requests under way have at the end of a service, as in program/serve.ts. */
const REQUESTS_MS = 1000;

/** How a page is opened. */
export interface OpenOptions extends BrowserContextOptions {
  /** The token that is kept for the tab, by default that of the admin; "" for none. */
  readonly token?: string;
  /** What has been chosen on this device, as `view/state/preferences.ts` names it. */
  readonly preferences?: Readonly<Record<string, string>>;
  /** Is called before the page loads, to stand between it and the service. */
  readonly before?: (page: Page) => unknown;
  /** Where the service is reached, if not directly. */
  readonly url?: string;
}

/** A service and a browser, for one test. */
export interface Desk {
  /** Where the service is reached. */
  readonly url: string;
  /** The token of its admin. */
  readonly token: string;
  /**
   * Opens the view in a window of its own, with nothing kept from others: `open("#/lists")`. It
   * resolves once the console's name is there, or in a kiosk its lamp, unless `auth` is required and there is no token.
   */
  open(path?: string, options?: OpenOptions): Promise<Page>;
  /** Keeps what a page is reached by until the pages are closed, which may still be loading by it. */
  use<Resource extends AsyncDisposable | Disposable>(resource: Resource): Resource;
  /** Connects another client, that of the admin; it is closed with the test. */
  client(): Promise<Client>;
  /** Calls an RPC method over HTTP, beside the page. */
  rpc(method: string, params: object, token?: string): Promise<Json>;
}

/** A service that can be killed, and a browser. */
export interface ProcessDesk extends Desk {
  /** The service that runs now. */
  readonly service: Running;
  /** Starts the service anew, at the same address and on the same data, after it was ended. */
  startAgain(): Promise<Running>;
}

/** What a test of the view needs beside its name. */
export interface BrowserTest {
  /** The configuration of the console; without one it is the demo console. */
  readonly configuration?: WrittenConfiguration;
  /** Whether the console has the simulated engine, so that its meters move. */
  readonly isMetered?: boolean;
  /** A sentence in the browser's log that the test brings about: it fails at any other. */
  readonly expected?: RegExp;
}

/** Further options of `faderd serve`. */
export interface ProcessTest extends Omit<BrowserTest, "isMetered"> {
  readonly options?: readonly string[];
}

/** The browser of all tests of a file; each opens windows of its own in it. */
let shared: Browser | undefined;

async function sharedBrowser(): Promise<Browser> {
  return shared ??= await launch();
}

Deno.test.afterAll(() => shared?.close());

/**
 * A test of the view, on a service in the process of the test. It fails, too, where the page throws
 * or breaks its own security policy.
 */
export function browserTest(
  name: string,
  run: (desk: Desk) => Promise<void>,
  { configuration = demoConfiguration, isMetered = false, expected }: BrowserTest = {},
): void {
  test(name, expected, async (stack, deskAt) => {
    const service = await startService({ configuration, view: readView()! });
    stack.defer(() => endOf(service));
    if (isMetered) {
      let isOver = false;
      stack.defer(() => void (isOver = true));
      const tree = () => service.console.state.tree;
      const heard = () => !isOver;
      joinEngine(
        service.console,
        createSimulatedEngine({ seed: 1, timer: machineTimer, tree, heard }),
      );
    }
    await run(deskAt(service.url, tokens.admin));
  });
}

/**
 * Ends a service, for which it waits as long as the program does: Deno 2.9 keeps the handshake of a
 * window that was closed meanwhile (`isGone` in runtimes/deno/server.ts), and never ends then.
 */
async function endOf(service: AsyncDisposable): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, REQUESTS_MS);
  await Promise.race([service[Symbol.asyncDispose](), promise]);
  clearTimeout(timer);
}

/** A test of the page of a hub, on a hub in the process of the test, whose core it moves by hand. */
export function hubTest(
  name: string,
  run: (desk: Desk, core: FakeCore) => Promise<void>,
  { expected, backups }: Pick<BrowserTest, "expected"> & { readonly backups?: Backups } = {},
): void {
  test(name, expected, async (stack, deskAt) => {
    const core = fakeCore();
    const hub = stack.use(await serveHub(core, { view: readFleetPage()!, backups }));
    await run(deskAt(hub.url, ADMIN_TOKEN), core);
  });
}

/** A test of the pages of a hub with one console, both processes of their own as people start them. */
export function hubProcessTest(
  name: string,
  run: (desk: Desk, id: string) => Promise<void>,
): void {
  test(name, undefined, async (stack, deskAt) => {
    const folder = stack.use(await temporaryFolder());
    const data = `${folder.path}/console`;
    await Deno.mkdir(data);
    const hub = stack.use(await startHub(`${folder.path}/hub`));
    await enrol(hub, data, "--site", "Berlin");
    stack.use(await startConsole(data));
    const id = await idOf(data);
    await hub.fleet("approve", id);
    await untilState(hub, id, "live");
    await run(deskAt(hub.url, hub.token), id);
  });
}

/** A test of the view, on a service in a process of its own, as people start it. */
export function processTest(
  name: string,
  run: (desk: ProcessDesk) => Promise<void>,
  { configuration = demoConfiguration, options = [], expected }: ProcessTest = {},
): void {
  test(name, expected, async (stack, deskAt) => {
    const folder = stack.use(await temporaryFolder());
    const file = `${folder.path}/configuration.json`;
    Deno.writeTextFileSync(file, JSON.stringify(configuration));
    const args = ["--data", `${folder.path}/data`, "--config", file, ...options];
    let service = stack.use(await startFaderd(...args));
    const { url, stdout } = service;
    await run({
      ...deskAt(url, tokenIn(stdout)),
      get service() {
        return service;
      },
      async startAgain() {
        const { host } = new URL(url);
        return service = stack.use(await startFaderd("--listen", host, ...args));
      },
    });
  });
}

/** What a page is opened with: a worker that keeps the page would stand before what tests put there. */
const PLAIN = { locale: "en-GB", serviceWorkers: "block" } as const;

type DeskAt = (url: string, token: string) => Desk;

function test(
  name: string,
  expected: RegExp | undefined,
  run: (stack: AsyncDisposableStack, deskAt: DeskAt) => Promise<void>,
): void {
  // Chromium is a process, and the driver keeps its pipes: they end with the browser.
  const sanitizers = { sanitizeOps: false, sanitizeResources: false };
  Deno.test({ name, ...sanitizers }, async () => {
    const stack = new AsyncDisposableStack();
    const pages: Page[] = [];
    const complaints: string[] = [];
    const whole = async () => {
      const browser = await sharedBrowser();
      await run(stack, (url, token) => deskOf(browser, stack, url, token, pages, complaints));
    };
    try {
      await atMost(LONGEST_MS, "the test", whole());
      assertEquals(complaints.filter((text) => expected?.test(text) !== true), []);
    } catch (fault) {
      for (const page of pages) report(await seenIn(page));
      report(complaints.join("\n"));
      throw fault;
    } finally {
      const windows = Promise.all(pages.map((page) => page.context().close()));
      await atMost(PATIENCE_MS, "the end of the windows", windows)
        .finally(() => atMost(PATIENCE_MS, "the end of the service", stack.disposeAsync()));
    }
  });
}

/** Rejects where something takes longer than `ms`. */
async function atMost(ms: number, what: string, work: Promise<unknown>): Promise<void> {
  const { promise, reject } = Promise.withResolvers<void>();
  const timer = setTimeout(() => reject(new Error(`${what} is not over after ${ms} ms`)), ms);
  await Promise.race([work, promise]).finally(() => clearTimeout(timer));
}

function report(text: string): void {
  Deno.stderr.writeSync(new TextEncoder().encode(`${text}\n`));
}

/** What a page shows, for whoever reads why a test has failed. */
async function seenIn(page: Page): Promise<string> {
  if (page.isClosed()) return "a page that is closed";
  const seen = page.locator("body").ariaSnapshot({ timeout: 2000 });
  return `${page.url()} shows\n${await seen.catch(String)}`;
}

function deskOf(
  browser: Browser,
  stack: AsyncDisposableStack,
  url: string,
  own: string,
  pages: Page[],
  complaints: string[],
): Desk {
  return {
    url,
    token: own,
    async open(path = "", { token = own, preferences = {}, before, url: at = url, ...more } = {}) {
      const context = await browser.newContext({ ...PLAIN, ...more });
      const page = await context.newPage();
      pages.push(page);
      page.setDefaultTimeout(PATIENCE_MS);
      page.on("pageerror", (error) => complaints.push(String(error)));
      page.on("console", (message) => {
        if (message.type() === "error") complaints.push(message.text());
      });
      await page.addInitScript(keepInPage, { ...preferences, ...(token === "" ? {} : { token }) });
      await before?.(page);
      await page.goto(`${at}/${path}`);
      await page.locator(".console-name:not(:empty), .kiosk .lamp.open, dialog[open]").first()
        .waitFor();
      return page;
    },
    use: (resource) => stack.use(resource),
    async client() {
      const client = connect(`${url.replace("http", "ws")}/api/ws`, { token: own });
      stack.defer(() => client.close());
      await client.ready();
      return client;
    },
    async rpc(method, params, token = own) {
      const body = JSON.stringify({ method: "rpc", token, payload: { method, params } });
      return await (await fetch(`${url}/api/rest`, { method: "POST", body })).json();
    },
  };
}

/** Waits until something is so. */
export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  const end = performance.now() + PATIENCE_MS;
  while (!await isSo()) {
    if (performance.now() > end) throw new Error(`still not so after ${PATIENCE_MS} ms: ${isSo}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** Waits until what is read is what is expected; where it never is, says what it was last. */
export async function becomes<Value>(
  read: () => Value | Promise<Value>,
  expected: Value,
): Promise<void> {
  let last: Value | undefined;
  await until(async () => equal(last = await read(), expected)).catch(() => {});
  assertEquals(last, expected);
}

/** The looks of the page, by what is kept of them. */
const looks = ["dark", "light"].flatMap((theme) =>
  ["normal", "high"].map((contrast) => ({ theme, contrast }))
);

/**
 * What axe-core finds wrong with what the page shows now, for people who do not see, hear or point
 * as others do: each rule that is broken, with the elements that break it. All rules are held
 * against the look that the page has, and those of colours against `others` too.
 */
export async function accessibilityFaults(
  page: Page,
  others: readonly object[] = looks,
): Promise<string[]> {
  // Of itself, by the browser's own debugger: the page's policy lets nothing in.
  if (await page.evaluate("globalThis.axe === undefined")) await page.evaluate(axe.source);
  const own = await page.evaluate(() => ({ ...document.documentElement.dataset }));
  const wear = (look: object) =>
    page.evaluate((look) => void Object.assign(document.documentElement.dataset, look), look);
  const found = await faultsIn(page, {});
  for (const look of others.filter((look) => !equal(look, own))) {
    await wear(look);
    const colours = await faultsIn(page, { runOnly: ["color-contrast"] });
    found.push(...colours.map((fault) => `${Object.values(look).join(", ")}: ${fault}`));
  }
  await wear(own);
  return found;
}

async function faultsIn(page: Page, options: RunOptions): Promise<string[]> {
  // The strips of a mixer are alike.
  const context = { include: ["html"], exclude: [".row-place:nth-child(n + 3)"] };
  const all = { ...options, resultTypes: ["violations"], preload: false };
  const run = `axe.run(${JSON.stringify(context)}, ${JSON.stringify(all)})`;
  const { violations } = await page.evaluate(run) as AxeResults;
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html}: ${failureSummary}`)
  );
}

/**
 * Where the browser is, which its package unpacks the first time. Files of tests run side by side,
 * and must not start what another one has unpacked in part: one does, and the others wait.
 */
async function unpackedBrowser(): Promise<string> {
  using lock = await Deno.open(`${tmpdir()}/faderd-chromium.lock`, { create: true, write: true });
  await lock.lock(true);
  return await chromium.executablePath();
}

/** Starts a browser without a window. */
export async function launch(): Promise<Browser> {
  return await driver.launch({
    executablePath: await unpackedBrowser(),
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
