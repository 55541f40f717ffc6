/** Pictures in the view: seen, and replaced. */
import { Buffer } from "node:buffer";
import { assert, assertEquals } from "@std/assert";
import { connect } from "../../client/client.ts";
import { demoConfiguration } from "../../core/configuration/demo.ts";
import { accessibilityFaults, browserTest, type Page } from "./browser.ts";
import { until } from "./until.ts";

const icon = new URL("../../view/icons/icon-192.png", import.meta.url).pathname;
const larger = new URL("../../view/icons/icon-512.png", import.meta.url).pathname;

/** How wide the picture is that the page shows. */
async function widthOf(page: Page): Promise<number> {
  const image = page.getByRole("img", { name: "Station logo" });
  await image.waitFor();
  return await image.evaluate(async (element) => {
    await (element as HTMLImageElement).decode();
    return (element as HTMLImageElement).naturalWidth;
  });
}

browserTest("a picture is uploaded and replaced, and others see it", async (desk) => {
  const page = await desk.open("#/pictures", { token: desk.token });
  const other = await desk.open("#/pictures");
  await page.getByText("No picture yet").waitFor();
  await page.getByRole("heading", { name: "1 · Station logo" }).waitFor();
  await page.locator("input[type=file]").setInputFiles(icon);
  assertEquals(await widthOf(page), 192);
  await page.getByText("192 x 192 pixels").waitFor();
  assertEquals(await widthOf(other), 192);
  await page.getByRole("button", { name: "Replace" }).waitFor();
  await page.locator("input[type=file]").setInputFiles(larger);
  await page.getByText("512 x 512 pixels").waitFor();
  await other.getByText("512 x 512 pixels").waitFor();
});

browserTest(
  "what is no PNG is refused in the console's own words, and nothing changes",
  async (desk) => {
    const page = await desk.open("#/pictures", { token: desk.token });
    const jpg = {
      name: "a.png",
      mimeType: "image/png",
      buffer: Buffer.from([0xff, 0xd8, 0xff, 0]),
    };
    await page.locator("input[type=file]").setInputFiles(jpg);
    await page.getByRole("alert").getByText("must be a PNG, but it is a JPG").waitFor();
    await page.getByText("No picture yet").waitFor();
  },
);

browserTest(
  "a right that is taken while the page is open is seen with the first refusal",
  async (desk) => {
    await using admin = connect(`${desk.service.url.replace("http", "ws")}/api/ws`, {
      token: desk.token,
    });
    await admin.ready();
    const { token } = await admin.rpc("adduser", { name: "op", groups: 1, may: "operate" });
    const page = await desk.open("#/pictures", { token });
    const button = page.getByRole("button", { name: "Upload" });
    await until(async () => await button.getAttribute("aria-disabled") === "false");
    await admin.rpc("modifyuser", { name: "op", may: "view" });
    await page.locator("input[type=file]").setInputFiles(icon);
    await page.getByRole("alert").getByText("right").waitFor();
    await until(async () => await button.getAttribute("aria-disabled") === "true");
    assertEquals(await button.getAttribute("title"), "This needs the right to operate.");
  },
);

browserTest(
  "on a console for known users only, pictures are fetched with the token",
  async (desk) => {
    const page = await desk.open("#/pictures", { token: desk.token });
    const asked: string[] = [];
    page.on("request", (request) => asked.push(request.url()));
    await page.locator("input[type=file]").setInputFiles(icon);
    assertEquals(await widthOf(page), 192);
    assert(asked.length >= 2);
    assert(!asked.some((url) => url.includes(desk.token)), "it is in no address");
  },
  { configuration: { ...demoConfiguration, auth: "required" } },
);

browserTest("the progress of a slow upload is shown", async (desk) => {
  const page = await desk.open("#/pictures", { token: desk.token });
  const { promise: gate, resolve: pass } = Promise.withResolvers<void>();
  await page.route("**/action/updatepic*", async (route) => {
    await gate;
    await route.continue();
  });
  await page.locator("input[type=file]").setInputFiles(icon);
  await page.getByRole("progressbar").waitFor();
  assertEquals(await accessibilityFaults(page), []);
  pass();
  assertEquals(await widthOf(page), 192);
  await page.getByRole("progressbar").waitFor({ state: "detached" });
});

for (const theme of ["dark", "light"]) {
  browserTest(`axe-core finds nothing on pictures, ${theme}`, async (desk) => {
    const page = await desk.open("#/pictures", { token: desk.token, preferences: { theme } });
    await page.getByText("No picture yet").waitFor();
    assertEquals(await accessibilityFaults(page), [], "without one");
    await page.locator("input[type=file]").setInputFiles(icon);
    await widthOf(page);
    assertEquals(await accessibilityFaults(page), [], "with one");
  });
}
