/** The page of plots: levels and loudness over the last minute. */
import { assert, assertEquals } from "@std/assert";
import { demoConfiguration } from "../../core/configuration/demo.ts";
import { accessibilityFaults, browserTest, type Page } from "./browser.ts";

/** The demo console with sound, and more meters than a phone shows at once. */
const configuration = {
  ...demoConfiguration,
  engine: "simulated",
  levels: [1, 2, 3, 4].map((id) => ({ id, name: `Level ${id}`, mode: "PPM" })),
};

/** Opens the faders of the console, so that there is something to see. */
async function openFaders(url: string, token: string): Promise<void> {
  for (const id of [0, 1, 2]) {
    const payload = { fader: 0, on: true };
    const message = { method: "set", path: `/audio/mixers/0/faders/${id}`, payload, token };
    const answer = await fetch(`${url}/api/rest`, {
      method: "POST",
      body: JSON.stringify(message),
    });
    assert((await answer.json()).success);
  }
}

/** Counts, at each canvas, how often it is drawn on. */
async function countDrawing(page: Page): Promise<void> {
  await page.addInitScript(() => {
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

browserTest(
  "each meter has a plot with its unit, and its values stand beside it as text",
  async (desk) => {
    await openFaders(desk.service.url, desk.token);
    const page = await desk.open("#/plots");
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
  },
  { configuration },
);

browserTest(
  "what the lines show moves on, and what is not on screen is not drawn",
  async (desk) => {
    const page = await desk.open("#/plots", {
      before: countDrawing,
      viewport: { width: 390, height: 600 },
    });
    await page.locator(".plot canvas[data-drawn]").first().waitFor();
    await page.waitForTimeout(500);
    const before = await drawn(page);
    assertEquals(before.length, 5);
    assertEquals(before.at(-1), 0, "it is below the edge of the screen");
    await page.locator(".plot canvas").last().scrollIntoViewIfNeeded();
    await page.locator(".plot canvas[data-drawn]").last().waitFor();
    await page.waitForTimeout(500);
    const [first] = await drawn(page);
    await page.waitForTimeout(500);
    assertEquals((await drawn(page))[0], first, "it is above the edge of the screen now");
  },
  { configuration },
);

browserTest("a console without meters says so", async ({ open }) => {
  const page = await open("#/plots");
  await page.getByText("no meters of levels or loudness").waitFor();
}, { configuration: { device: { name: "bare" }, mixers: [{ faders: 1 }] } });

for (const theme of ["dark", "light"]) {
  browserTest(`axe-core finds nothing on the plots, ${theme}`, async ({ open }) => {
    const page = await open("#/plots", { preferences: { theme } });
    await page.locator(".plot").first().waitFor();
    assertEquals(await accessibilityFaults(page), []);
  }, { configuration });
}
