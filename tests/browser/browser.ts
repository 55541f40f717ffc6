/**
 * The device view in a real browser, on a real service: Chromium from npm, which brings its own
 * libraries.
 *
 * @module
 */
// All packages in deno.json are downloaded at any start.
// deno-lint-ignore-file no-import-prefix
import chromium from "npm:@sparticuz/chromium@153.0.0";
import axe, { type AxeResults, type RunOptions } from "npm:axe-core@4.14.1";
import {
  type Browser,
  type BrowserContextOptions,
  chromium as driver,
  type Locator,
  type Page,
} from "npm:playwright-core@1.65.0";
import { tmpdir } from "node:os";
import { assertEquals, equal } from "@std/assert";
import { type Client, connect } from "../../client/client.ts";
import type { WrittenConfiguration } from "../../core/configuration/schema.ts";
import { demoConfiguration } from "../../core/configuration/demo.ts";
import { joinEngine } from "../../core/engine.ts";
import type { Patch } from "../../core/tree/tree.ts";
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

/** Maximum time in ms that a test waits for the page to show something: a machine may be busy. */
const PATIENCE_MS = 15_000;

/** Maximum duration of a test in ms, because not every call of the browser has its own limit. */
const LONGEST_MS = 60_000;

/** Time in ms for running requests at the end of a service, as in program/serve.ts. */
const REQUESTS_MS = 1000;

/** The options of a page that is opened. */
export interface OpenOptions extends BrowserContextOptions {
  /** The token in the tab's storage, by default that of the admin; "" for none. */
  readonly token?: string;
  /** The choices stored on this device, by their names in `view/state/preferences.ts`. */
  readonly preferences?: Readonly<Record<string, string>>;
  /** Called before the page loads, for example to intercept its messages. */
  readonly before?: (page: Page) => unknown;
  /** The URL of the service, if the page does not reach it directly. */
  readonly url?: string;
}

/** A service and a browser, for one test. */
export interface Desk {
  /** The URL of the service. */
  readonly url: string;
  /** The token of its admin. */
  readonly token: string;
  /**
   * Opens the view in a window with storage of its own: `open("#/lists")`. It resolves once the
   * page shows the console's name, or in a kiosk its lamp, unless `auth` is required and there is
   * no token.
   */
  open(path?: string, options?: OpenOptions): Promise<Page>;
  /** Disposes of a resource, such as a proxy, after the pages, which may use it, are closed. */
  use<Resource extends AsyncDisposable | Disposable>(resource: Resource): Resource;
  /** Connects another client of the admin; it is closed at the end of the test. */
  client(): Promise<Client>;
  /** Calls an RPC method over HTTP, independently of the page. */
  rpc(method: string, params: object, token?: string): Promise<Json>;
}

/** A service that can be killed, and a browser. */
export interface ProcessDesk extends Desk {
  /** The running service. */
  readonly service: Running;
  /** Starts the service again after its end, at the same address and with the same data. */
  startAgain(): Promise<Running>;
}

/** The options of a test of the view. */
export interface BrowserTest {
  /** The configuration of the console; by default that of the demo console. */
  readonly configuration?: WrittenConfiguration;
  /** Whether the console has the simulated engine, so that its meters move. */
  readonly isMetered?: boolean;
  /** The only report of an engine, at the start. */
  readonly reported?: Patch;
  /** The expected errors in the browser's log; any other error fails the test. */
  readonly expected?: RegExp;
}

/** Further options of `faderd serve`. */
export interface ProcessTest extends Omit<BrowserTest, "isMetered" | "reported"> {
  readonly options?: readonly string[];
}

/** The browser of all tests of a file; each test opens its own windows in it. */
let shared: Browser | undefined;

async function sharedBrowser(): Promise<Browser> {
  return shared ??= await launch();
}

Deno.test.afterAll(() => shared?.close());

/**
 * A test of the view, on a service in the process of the test. It fails, too, if the page throws or
 * violates its own security policy.
 */
export function browserTest(
  name: string,
  run: (desk: Desk) => Promise<void>,
  { configuration = demoConfiguration, isMetered = false, reported, expected }: BrowserTest = {},
): void {
  test(name, expected, async (stack, deskAt) => {
    const service = await startService({ configuration, view: readView()! });
    stack.defer(() => endOf(service));
    if (reported !== undefined) {
      joinEngine(service.console, { apply() {}, start: (report) => report(reported) });
    }
    if (isMetered) {
      let isOver = false;
      stack.defer(() => void (isOver = true));
      const tree = () => service.console.state.tree;
      const hasSubscribers = () => !isOver;
      joinEngine(
        service.console,
        createSimulatedEngine({ seed: 1, timer: machineTimer, tree, hasSubscribers }),
      );
    }
    await run(deskAt(service.url, tokens.admin));
  });
}

/**
 * Ends a service, and waits for its end no longer than the program does: after the handshake of a
 * window that has closed (`isGone` in runtimes/deno/server.ts) the server of Deno 2.9 never ends.
 */
async function endOf(service: AsyncDisposable): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, REQUESTS_MS);
  await Promise.race([service[Symbol.asyncDispose](), promise]);
  clearTimeout(timer);
}

/** A test of the page of a hub, on a hub in the process of the test with a fake core. */
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

/** A test of the pages of a hub with one console, each in its own process as in production. */
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

/** A test of the view, on a service in its own process as in production. */
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

/** The options of every page: a service worker would bypass the routes that tests define. */
const PLAIN = { locale: "en-GB", serviceWorkers: "block" } as const;

type DeskAt = (url: string, token: string) => Desk;

function test(
  name: string,
  expected: RegExp | undefined,
  run: (stack: AsyncDisposableStack, deskAt: DeskAt) => Promise<void>,
): void {
  // The process of Chromium and the pipes to it stay open until the browser ends.
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

/** Rejects if work takes longer than `ms`. */
async function atMost(ms: number, what: string, work: Promise<unknown>): Promise<void> {
  const { promise, reject } = Promise.withResolvers<void>();
  const timer = setTimeout(() => reject(new Error(`${what} is not over after ${ms} ms`)), ms);
  await Promise.race([work, promise]).finally(() => clearTimeout(timer));
}

function report(text: string): void {
  Deno.stderr.writeSync(new TextEncoder().encode(`${text}\n`));
}

/** The content of a page, for the report of a failed test. */
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

/** Waits until a condition holds. */
export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  const end = performance.now() + PATIENCE_MS;
  while (!await isSo()) {
    if (performance.now() > end) throw new Error(`still not so after ${PATIENCE_MS} ms: ${isSo}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** Waits until a read value equals the expected one; otherwise fails with the last value. */
export async function becomes<Value>(
  read: () => Value | Promise<Value>,
  expected: Value,
): Promise<void> {
  let last: Value | undefined;
  await until(async () => equal(last = await read(), expected)).catch(() => {});
  assertEquals(last, expected);
}

/**
 * Clicks a control that is disabled, or that may be. The driver does so only by force, and then
 * does not wait while the page draws the control anew.
 */
export async function clickDisabled(control: Locator): Promise<void> {
  await until(() =>
    control.click({ force: true }).then(() => true, (fault: Error) => {
      if (fault.message.includes("Element is not visible")) return false;
      throw fault;
    })
  );
}

/** The looks of the page, by their stored preferences. */
const looks = ["dark", "light"].flatMap((theme) =>
  ["normal", "high"].map((contrast) => ({ theme, contrast }))
);

/**
 * The accessibility faults that axe-core finds in the present page: each violated rule, with the
 * elements that violate it. All rules are checked in the present look of the page, and the rules of
 * colours in the looks `others` too.
 */
export async function accessibilityFaults(
  page: Page,
  others: readonly object[] = looks,
): Promise<string[]> {
  // By the browser's debugger, because the page's policy forbids other scripts.
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
 * The path of the browser, which its package unpacks at the first call. Test files run in parallel,
 * and must not start a partly unpacked browser: one file unpacks it, and the others wait.
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

/** Runs in the page before its own scripts: stores a token and preferences, by their names. */
export function keepInPage({ token, ...preferences }: Readonly<Record<string, string>>): void {
  if (token !== undefined) sessionStorage.setItem("faderd:/:token", token);
  for (const [name, choice] of Object.entries(preferences)) {
    localStorage.setItem(`faderd:/:${name}`, choice);
  }
}
