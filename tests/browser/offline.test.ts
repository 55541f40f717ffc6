/// <reference lib="dom" />
/** The page during an outage of the console. */
import { assert, assertEquals } from "@std/assert";
import { brotliCompressSync, gunzipSync, gzipSync } from "node:zlib";
import { demoConfiguration } from "../../core/configuration/demo.ts";
import { readView } from "../../program/view-files.ts";
import type { ViewFile } from "../../transport/view.ts";
import { startService } from "../service.ts";
import { becomes, browserTest, type Page, processTest, until } from "./browser.ts";
import { startProxy } from "./proxy.ts";

const keeping = { serviceWorkers: "allow" } as const;
const outage = { expected: /WebSocket|ERR_|Failed to|502/ };

/** Waits until the service worker has cached the page. */
const isKept = (page: Page) =>
  until(() =>
    page.evaluate(async () =>
      (await navigator.serviceWorker.getRegistration())?.active?.state === "activated"
    )
  );

/** The names, addresses and contents of everything in the caches. */
const everythingKept = (page: Page) =>
  page.evaluate(async () => {
    const kept: string[] = [];
    for (const name of await caches.keys()) {
      const cache = await caches.open(name);
      for (const request of await cache.keys()) {
        kept.push(name, request.url, await (await cache.match(request))!.text());
      }
    }
    return kept;
  });

const saysOutage = (page: Page) =>
  page.getByText(/The console, or the network to it, does not answer|is lost/).first().waitFor();

processTest(
  "a reload during an outage shows the page and the outage, and the page recovers",
  async (desk) => {
    const page = await desk.open("?meters=0#/snapshots", keeping);
    await isKept(page);
    await page.reload();
    await page.getByRole("button", { name: "Save …" }).waitFor();
    const kept = await everythingKept(page);
    assert(kept.length > 0 && !kept.some((text) => text.includes(desk.token)), "no token is kept");
    assertEquals(kept.filter((text) => text.includes("meters=0") && text.startsWith("http")), []);
    desk.service.kill("SIGKILL");
    await desk.service.ended();
    await page.reload();
    await saysOutage(page);
    await page.getByRole("heading", { level: 1, name: "Snapshots" }).waitFor();
    await page.getByRole("link", { name: "Pictures" }).waitFor();
    await desk.startAgain();
    await page.getByRole("banner").getByText("admin", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Save …" }).waitFor();
  },
  outage,
);

processTest(
  "below a proxy's path prefix, too, a reload during an outage shows the page and the outage",
  async (desk) => {
    const proxy = desk.use(startProxy(desk.url, "/studio/desk"));
    const page = await desk.open("", { ...keeping, url: proxy.url, token: "" });
    await isKept(page);
    const scope = await page.evaluate(async () =>
      (await navigator.serviceWorker.getRegistration())!.scope
    );
    assertEquals(scope, `${proxy.url}/`);
    desk.service.kill("SIGKILL");
    await desk.service.ended();
    await page.reload();
    await saysOutage(page);
  },
  outage,
);

browserTest("a new version of the page is shown at the next load, and cached", async (desk) => {
  const view = new Map(readView()!);
  const service = desk.use(await startService({ configuration: demoConfiguration, view }));
  const page = await desk.open("", { ...keeping, url: service.url });
  await isKept(page);
  const change = (path: string, version: string, from: string | RegExp, to: string) => {
    const file = view.get(path)!;
    const text = gunzipSync(file.gzip).toString().replace(from, to);
    const gzip = new Uint8Array(gzipSync(text));
    const brotli = new Uint8Array(brotliCompressSync(text));
    view.set(path, { ...file, version, gzip, brotli } satisfies ViewFile);
  };
  change("/", "next", "</body>", '<i id="next"></i></body>');
  change("/offline.js", "next", /VERSION = "\w*"/, 'VERSION = "next"');
  await page.reload();
  await page.locator("#next").waitFor({ state: "attached" });
  const versions = async () => (await caches.keys()).map((name) => name.split(" ")[1]);
  await becomes(() => page.evaluate(versions), ["next"]);
});
