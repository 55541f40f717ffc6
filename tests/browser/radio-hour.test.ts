/** The example of an automation, in a real browser: an hour of radio in a second. */
import { assertEquals } from "@std/assert";
import { get } from "../../core/tree/get.ts";
import { bundled } from "../../tools/esbuild.ts";
import { granted } from "../core/actors.ts";
import { demoWith, startService, tokens, until } from "../service.ts";
import { launch } from "./browser.ts";

const root = new URL("../../", import.meta.url);

Deno.test("a page plays an hour of radio, cue by cue, and says that it is over", async () => {
  const { code } = await bundled("docs/examples/radio-hour-browser.ts");
  const html = Deno.readTextFileSync(new URL("docs/examples/radio-hour.html", root));
  await using web = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, (request) => {
    const { pathname } = new URL(request.url);
    if (pathname === "/favicon.ico") return new Response(null, { status: 204 });
    const [body, type] = pathname === "/" ? [html, "html"] : [code, "javascript"];
    return new Response(body, { headers: { "content-type": `text/${type}` } });
  });
  const origin = `http://127.0.0.1:${web.addr.port}`;
  const websocket = { origins: [origin] };
  await using service = await startService({ configuration: demoWith({ websocket }) });
  await using browser = await launch();
  const page = await browser.newPage();
  const faults: string[] = [];
  page.on("pageerror", (error) => faults.push(String(error)));
  await page.goto(origin);
  await page.fill("[name=url]", `${service.url.replace("http", "ws")}/api/ws`);
  await page.fill("[name=token]", tokens.admin);
  await page.fill("[name=speed]", "3600");
  await page.click("button");
  await page.locator("p", { hasText: "played" }).waitFor();
  assertEquals(await page.locator("li").count(), 5);
  const music = () =>
    granted(get(service.console, "/audio/mixers/0/faders/1/fader")).value as number;
  await until(() => music() === -160);
  assertEquals(faults, []);
});
