/** The meter bridge: large meters of the console, and of a mixer. */
import { assert, assertEquals } from "@std/assert";
import { demoConfiguration } from "../../core/configuration/demo.ts";
import { loseTwice } from "./between.ts";
import { accessibilityFaults, browserTest, type Desk, type Page, until } from "./browser.ts";

/** Opens some faders, so that the meters show sound. */
async function openFaders(desk: Desk): Promise<void> {
  const other = await desk.client();
  for (const id of [0, 1, 2]) {
    await other.set(`/audio/mixers/0/faders/${id}`, { fader: 0, on: true });
  }
}

const meterNames = (page: Page) =>
  page.locator(".bridge-meter").evaluateAll((all) =>
    all.map((meter) => meter.getAttribute("aria-label"))
  );

/** Whether all of an element is inside the window. */
const fits = (page: Page, selector: string) =>
  page.locator(selector).evaluateAll((all) =>
    all.every((one) => {
      const { left, right, top, bottom } = one.getBoundingClientRect();
      return left >= 0 && right <= innerWidth && top >= 0 && bottom <= innerHeight;
    })
  );

browserTest(
  "levels and loudness have large meters, with values for screen readers",
  async (desk) => {
    await openFaders(desk);
    const page = await desk.open("#/meters", { token: "" });
    const level = page.locator(".bridge-meter").first();
    await until(async () => /^-\d+ dBFS$/.test(await valueOf(level.getByRole("meter").first())));
    await level.getByText(/^-\d+\.\d$/).waitFor();
    assertEquals(await level.getByRole("meter").nth(1).getAttribute("aria-valuemin"), "-1");
    const correlation = level.locator(".correlation");
    const bar = (await correlation.getByRole("meter").boundingBox())!;
    const number = (await correlation.locator("small").boundingBox())!;
    assert(bar.x + bar.width <= number.x, "the mark never covers the number");
    const loudness = page.locator(".bridge-meter").nth(1);
    await until(async () => /^-\d+ LUFS$/.test(await valueOf(loudness.getByRole("meter"))));
    assertEquals(await loudness.locator("dt").allTextContents(), ["M", "S", "I", "TP"]);
    await loudness.locator("dd").first().getByText(/^-\d/).waitFor();
    assertEquals(await accessibilityFaults(page), []);
  },
  { isMetered: true },
);

const valueOf = async (meter: ReturnType<Page["locator"]>) =>
  await meter.evaluate((canvas) => canvas.ariaValueText ?? "");

browserTest("the meters of a chosen mixer's faders stand beside them", async (desk) => {
  const { before, lose } = loseTwice("/audio/mixers");
  const page = await desk.open("#/meters", { token: "", before });
  await page.getByRole("link", { name: "Production" }).click();
  await until(async () => (await meterNames(page)).length === 10);
  assertEquals((await meterNames(page)).slice(1, 4), ["Programme", "Booth", "Desk"]);
  await lose();
  assertEquals((await meterNames(page)).length, 10, "they stay while they are read anew");
  await page.getByRole("link", { name: "Production" }).waitFor();
});

const many = {
  configuration: {
    ...demoConfiguration,
    mixers: [{ id: 0, name: "Large", faders: 64 }],
  },
};

for (
  const [size, viewport] of Object.entries({
    desk: { width: 1920, height: 1080 },
    tablet: { width: 1024, height: 768 },
    phone: { width: 390, height: 844 },
  })
) {
  browserTest(
    `on a ${size} all meters are shown on pages that fit the screen`,
    async (desk) => {
      const page = await desk.open("#/meters/0", { viewport });
      const names = new Set<string | null>();
      for (let shown = 1;; shown++) {
        await page.locator(".bridge-meter").first().waitFor();
        const there = await meterNames(page);
        assert(await fits(page, ".bridge-meter, .bridge-meter canvas"), `page ${shown}`);
        for (const name of there) names.add(name);
        const next = page.getByRole("link", { name: "Next" });
        if (await next.count() === 0 || await next.getAttribute("aria-disabled") === "true") break;
        await next.click();
        await page.getByText(`Page ${shown + 1} of`).waitFor();
      }
      assertEquals(names.size, 65, "the level and the loudness have the same name");
    },
    many,
  );
}

browserTest("the highest level stays until the peaks are reset", async (desk) => {
  await openFaders(desk);
  const page = await desk.open("#/meters");
  const peak = page.locator(".bridge-meter").first().locator("dd");
  await peak.getByText(/^-\d/).waitFor();
  const other = await desk.client();
  for (const id of [0, 1, 2]) await other.set(`/audio/mixers/0/faders/${id}/on`, false);
  const level = async () => Number((await other.get("/audio/levels/1"))._left);
  await until(async () => await level() < -80);
  assert(Number(await peak.textContent()) > -60);
  await page.getByRole("button", { name: "Reset peaks" }).click();
  await until(async () => !(Number(await peak.textContent()) > -60));
}, { isMetered: true });

/** Counts the frames that the page requests; `drawn` resolves after two frames of the test. */
function countFrames(): void {
  const request = requestAnimationFrame;
  const frame = () => new Promise((resolve) => request(resolve));
  const counted = { frames: 0, drawn: () => frame().then(frame) };
  Object.assign(globalThis, { counted });
  globalThis.requestAnimationFrame = (callback) => {
    counted.frames++;
    return request(callback);
  };
}

browserTest(
  "meters at rest request no frames, but follow a change of the look",
  async (desk) => {
    const page = await desk.open("#/mixer", { before: (page) => page.addInitScript(countFrames) });
    const meter = page.locator(".meter canvas").first();
    await meter.waitFor();
    const frames = () => page.evaluate("counted.frames");
    const isStill = async () => {
      const before = await frames();
      await page.evaluate("counted.drawn()");
      return before === await frames();
    };
    await until(isStill);
    const before = await frames();
    const corner = () =>
      meter.evaluate((canvas: HTMLCanvasElement) => {
        return [...canvas.getContext("2d")!.getImageData(0, 0, 1, 1).data];
      });
    const dark = await corner();
    await page.evaluate(() => void (document.documentElement.dataset.theme = "light"));
    await until(async () => `${await corner()}` !== `${dark}`);
    await until(isStill);
    assert(await frames() !== before, "the look was painted in a frame");
  },
);
