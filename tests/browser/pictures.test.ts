/** Pictures in the view: display and replacement. */
import { Buffer } from "node:buffer";
import { assert, assertEquals } from "@std/assert";
import { demoConfiguration } from "../../core/configuration/demo.ts";
import { accessibilityFaults, becomes, browserTest, type Page } from "./browser.ts";

const icon = new URL("../../view/icons/icon-192.png", import.meta.url).pathname;
const larger = new URL("../../view/icons/icon-512.png", import.meta.url).pathname;

const choose = (page: Page, file: Parameters<ReturnType<Page["locator"]>["setInputFiles"]>[0]) =>
  page.locator("input[type=file]").setInputFiles(file);

/** The width of the displayed picture, in pixels. */
async function widthOf(page: Page): Promise<number> {
  const image = page.getByRole("img", { name: "Station logo" });
  await image.waitFor();
  return await image.evaluate(async (element) => {
    await (element as HTMLImageElement).decode();
    return (element as HTMLImageElement).naturalWidth;
  });
}

browserTest("a picture is uploaded and replaced, and others see it", async (desk) => {
  const page = await desk.open("#/pictures");
  const other = await desk.open("#/pictures", {
    token: "",
    before: (page) => page.clock.install(),
  });
  await page.getByText("No picture yet").waitFor();
  await page.getByRole("heading", { name: "1 · Station logo" }).waitFor();
  assertEquals(await accessibilityFaults(page), [], "without one");
  await choose(page, icon);
  assertEquals(await widthOf(page), 192);
  await page.getByText("192 x 192 pixels").waitFor();
  assertEquals(await accessibilityFaults(page), [], "with one");
  await other.clock.runFor(5000);
  assertEquals(await widthOf(other), 192);
  await page.getByRole("button", { name: "Replace" }).waitFor();
  await choose(page, larger);
  await page.getByText("512 x 512 pixels").waitFor();
  await other.clock.runFor(5000);
  await other.getByText("512 x 512 pixels").waitFor();
});

browserTest("a refusal is shown in the console's words, and nothing changes", async (desk) => {
  const { token } = await (await desk.client())
    .rpc("adduser", { name: "op", groups: 1, may: "operate" });
  const page = await desk.open("#/pictures", { token: token! });
  const button = page.getByRole("button", { name: "Upload" });
  await becomes(() => button.getAttribute("aria-disabled"), "false");
  const jpg = Buffer.from([0xff, 0xd8, 0xff, 0]);
  await choose(page, { name: "a.png", mimeType: "image/png", buffer: jpg });
  await page.getByRole("alert").getByText("must be a PNG, but it is a JPG").waitFor();
  await page.getByText("No picture yet").waitFor();
  // The first refusal shows that a right was revoked while the page was open.
  await desk.rpc("modifyuser", { name: "op", may: "view" });
  await choose(page, icon);
  await page.getByRole("alert").getByText("right").waitFor();
  await becomes(() => button.getAttribute("aria-disabled"), "true");
  assertEquals(await button.getAttribute("title"), "This needs the right to operate.");
});

browserTest("pictures are fetched with the token; uploads show their progress", async (desk) => {
  const page = await desk.open("#/pictures");
  const asked: string[] = [];
  page.on("request", (request) => asked.push(request.url()));
  const { promise: gate, resolve: pass } = Promise.withResolvers<void>();
  await page.route("**/action/updatepic*", async (route) => {
    await gate;
    await route.continue();
  });
  await choose(page, icon);
  // A slow upload shows its progress.
  await page.getByRole("progressbar").waitFor();
  assertEquals(await accessibilityFaults(page), []);
  pass();
  assertEquals(await widthOf(page), 192);
  await page.getByRole("progressbar").waitFor({ state: "detached" });
  assert(asked.length >= 2);
  assert(!asked.some((url) => url.includes(desk.token)), "it is in no address");
}, { configuration: { ...demoConfiguration, auth: "required" } });
