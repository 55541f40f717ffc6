/** The example of a transport, in a real browser: a page, and the console in its worker. */
import { assertEquals } from "@std/assert";
import { bundled } from "../../tools/esbuild.ts";
import { becomes, launch } from "./browser.ts";

const HTML = '<link rel="icon" href="data:,"><script type="module" src="page.js"></script>';

Deno.test("a page talks over a MessagePort to the console in its worker", async () => {
  const { code } = await bundled("tests/browser/message-port-page.ts");
  await using web = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, (request) => {
    const [body, type] = request.url.endsWith(".js") ? [code, "javascript"] : [HTML, "html"];
    return new Response(body, { headers: { "content-type": `text/${type}` } });
  });
  await using browser = await launch();
  const page = await browser.newPage();
  const said: string[] = [];
  page.on("pageerror", (error) => said.push(String(error)));
  page.on("console", (message) => said.push(message.text()));
  await page.goto(`http://127.0.0.1:${web.addr.port}`);
  await becomes(() => page.title(), "-12 dB");
  assertEquals(said, []);
});
