/** The audio engine in a tab (docs/web-audio.md), in a real browser and on a real service. */
import { assertEquals } from "@std/assert";
import { get } from "../../core/tree/get.ts";
import { addUser } from "../../core/users/adduser.ts";
import { enginePage } from "../../tools/engine-page.ts";
import { granted } from "../core/actors.ts";
import { demoWith, result, startService, type TestService, until } from "../service.ts";
import { launch, type Page } from "./browser.ts";

const TOKEN = "eeeeeeee-00000000-00000000-00000005";
const FADER = "/audio/mixers/0/faders/0";
const root = new URL("../../", import.meta.url);

/** Serves the page like any web server; `await using` stops it. */
async function servePage() {
  const code = await enginePage();
  const page = Deno.readTextFileSync(new URL("engine/web-audio/page/index.html", root));
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, (request) => {
    const { pathname } = new URL(request.url);
    if (pathname === "/favicon.ico") return new Response(null, { status: 204 });
    const [body, type] = pathname === "/" ? [page, "html"] : [code, "javascript"];
    return new Response(body, { headers: { "content-type": `text/${type}` } });
  });
  const origin = `http://127.0.0.1:${server.addr.port}`;
  return { origin, [Symbol.asyncDispose]: () => server.shutdown() };
}

async function serviceFor(origin: string): Promise<TestService> {
  const websocket = { origins: [origin] };
  const service = await startService({ configuration: demoWith({ engine: "none", websocket }) });
  const dsp = { name: "dsp", groups: 0, admin: false, engine: true, may: "view" } as const;
  await result(service.console, addUser({ ...dsp, token: TOKEN }));
  return service;
}

Deno.test("the page claims a console, which shows its meters until the page is closed", async () => {
  await using web = await servePage();
  await using service = await serviceFor(web.origin);
  await using browser = await launch();
  const { console } = service;
  const at = (path: string) => granted(get(console, path)).value;
  const level = (meter: string) => (at(`${FADER}/meter/${meter}`) as number[])[0]!;

  const page = await browser.newPage();
  const faults: string[] = [];
  page.on("pageerror", (error) => faults.push(String(error)));
  page.on("console", (message) => {
    if (message.type() === "error") faults.push(message.text());
  });
  await play(page, web.origin, service, TOKEN);
  await says(page, "playing");
  assertEquals(at("/general/_engine"), "running");

  // Without wiring each channel has a tone of -20 dB.
  await until(() => Math.abs(level("_input") + 20) < 1);
  await until(() => at(`${FADER}/_readystate`) === true);
  assertEquals(level("_afl"), -125, "the fader is off");
  await service.post({ method: "set", path: FADER, payload: { on: true, fader: -10 } });
  await until(() => level("_afl") > -40);
  await until(() => Math.abs(level("_afl") + 30) < 1);
  await until(() => Math.abs(level("_pfl") + 20) < 1);
  await until(() => at("/audio/levels/1/_left") as number > -125);

  await page.close();
  await until(() => at("/general/_engine") === "lost");
  assertEquals(level("_afl"), -125);
  assertEquals(at(`${FADER}/_readystate`), false);
  assertEquals(faults, []);
});

Deno.test("the page says why it does not play: a wrong token, or an origin that is not listed", async () => {
  await using web = await servePage();
  await using listed = await serviceFor(web.origin);
  await using foreign = await serviceFor("http://127.0.0.1:1");
  await using browser = await launch();
  for (
    const [service, token, sentence] of [
      [listed, TOKEN.replaceAll("e", "f"), "refused: token: expected the token of a user"],
      [foreign, TOKEN, "connecting: the console could not be reached"],
    ] as const
  ) {
    const page = await browser.newPage();
    await play(page, web.origin, service, token);
    await says(page, sentence);
    assertEquals(granted(get(service.console, "/general/_engine")).value, "none");
  }
});

/** Opens the page, fills it in, and starts the audio. */
async function play(page: Page, origin: string, { url }: TestService, token: string) {
  await page.goto(origin);
  await page.fill("[name=url]", `${url.replace("http", "ws")}/api/ws`);
  await page.fill("[name=token]", token);
  await page.click("button");
}

/** Waits until the page shows a sentence. */
async function says(page: Page, sentence: string): Promise<void> {
  await page.locator("#said", { hasText: sentence }).waitFor();
}
