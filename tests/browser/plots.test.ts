/** The page of plots: levels and loudness over the last minute. */
import { assertEquals } from "@std/assert";
import { demoConfiguration } from "../../core/configuration/demo.ts";
import { accessibilityFaults, browserTest, type Page, until } from "./browser.ts";

/** The demo console with sound, and more meters than a phone shows at once. */
const sounding = {
  configuration: {
    ...demoConfiguration,
    levels: [1, 2, 3, 4].map((id) => ({ id, name: `Level ${id}`, mode: "PPM" as const })),
  },
  isMetered: true,
};

/** Counts, at each canvas, how often it is drawn on. */
function countDrawing(page: Page) {
  return page.addInitScript(() => {
    const { clearRect } = CanvasRenderingContext2D.prototype;
    CanvasRenderingContext2D.prototype.clearRect = function (...area) {
      const { dataset } = this.canvas;
      dataset.drawn = String(Number(dataset.drawn ?? 0) + 1);
      clearRect.apply(this, area);
    };
  });
}

/** How often the canvases were drawn on so far. */
const drawn = (page: Page) =>
  page.locator(".plot canvas").evaluateAll((all) =>
    all.map((canvas) => Number((canvas as HTMLCanvasElement).dataset.drawn ?? 0))
  );

browserTest("each meter has a plot with its unit, and its values stand beside it", async (desk) => {
  const other = await desk.client();
  for (const id of [0, 1, 2]) {
    await other.set(`/audio/mixers/0/faders/${id}`, { fader: 0, on: true });
  }
  const page = await desk.open("#/plots", { token: "" });
  await page.getByRole("img", { name: "Level 1: the last minute in dBFS" }).waitFor();
  const loudness = page.locator(".plot").filter({ hasText: "EBU R128" });
  await loudness.getByRole("img", { name: "the last minute in LUFS" }).waitFor();
  assertEquals(await loudness.locator("dt").allTextContents(), [
    "Momentary",
    "Short-term",
    "Integrated",
    "Highest momentary",
    "Highest short-term",
    "Highest peak, dBTP",
  ]);
  await loudness.locator("canvas").scrollIntoViewIfNeeded();
  await loudness.locator("dd").first().getByText(/^-\d/).waitFor();
  const level = page.locator(".plot").first();
  await level.locator("canvas").scrollIntoViewIfNeeded();
  assertEquals((await level.locator("dt").allTextContents())[0], "Left");
  await level.locator("dd").first().getByText(/^-\d/).waitFor();
  await level.locator("dd").last().getByText(/^[-\d]/).waitFor();
  assertEquals(await accessibilityFaults(page), []);
}, sounding);

browserTest("lines move on, and what is not on the screen is not drawn", async (desk) => {
  const viewport = { width: 390, height: 600 };
  const page = await desk.open("#/plots", { before: countDrawing, viewport });
  await until(async () => (await drawn(page))[0]! >= 3);
  const before = await drawn(page);
  assertEquals(before.length, 5);
  assertEquals(before.at(-1), 0, "it is below the edge of the screen");
  await page.locator(".plot canvas").last().scrollIntoViewIfNeeded();
  await until(async () => (await drawn(page)).at(-1)! >= 1);
  const [first] = await drawn(page);
  await until(async () => (await drawn(page)).at(-1)! >= 4);
  assertEquals((await drawn(page))[0], first, "it is above the edge of the screen now");
}, sounding);

browserTest("a console without meters says so", async (desk) => {
  const page = await desk.open("#/plots");
  await page.getByText("no meters of levels or loudness").waitFor();
}, { configuration: { device: { name: "bare" }, mixers: [{ faders: 1 }] } });
