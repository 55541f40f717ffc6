/** The page of plots: levels and loudness over the last minutes. */
import { assertEquals } from "@std/assert";
import { demoConfiguration } from "../../core/configuration/demo.ts";
import {
  accessibilityFaults,
  becomes,
  browserTest,
  type Desk,
  type Page,
  until,
} from "./browser.ts";

/** The demo console with sound, and more meters than a phone shows at once. */
const sounding = {
  configuration: {
    ...demoConfiguration,
    levels: [1, 2, 3, 4].map((id) => ({ id, name: `Level ${id}`, mode: "PPM" as const })),
  },
  isMetered: true,
};

/** Opens some faders, so that the meters show sound. */
async function openFaders(desk: Desk): Promise<void> {
  const other = await desk.client();
  for (const id of [0, 1, 2]) {
    await other.set(`/audio/mixers/0/faders/${id}`, { fader: 0, on: true });
  }
}

/** Counts the drawings on each canvas. */
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

/** The number of drawings on each canvas so far. */
const drawn = (page: Page) =>
  page.locator(".plot canvas").evaluateAll((all) =>
    all.map((canvas) => Number((canvas as HTMLCanvasElement).dataset.drawn ?? 0))
  );

browserTest("each meter has a plot with its unit, and its values stand beside it", async (desk) => {
  await openFaders(desk);
  const page = await desk.open("#/plots", { token: "" });
  await page.getByRole("img", { name: "Level 1: the last minute in dBFS" }).waitFor();
  const loudness = page.locator(".plot").filter({ hasText: "EBU R128" });
  await loudness.getByRole("img", { name: "the last minute in LUFS" }).waitFor();
  assertEquals(await loudness.locator("dt").allTextContents(), [
    "Momentary",
    "Short-term",
    "Integrated",
    "Loudness range, LU",
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

browserTest("lines move on, and plots outside of the screen are not drawn", async (desk) => {
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

/** The number of columns of the loudness plot with a line of momentary values. */
const drawnColumns = (page: Page) =>
  page.locator(".plot").filter({ hasText: "EBU R128" }).locator("canvas").evaluate((element) => {
    const canvas = element as HTMLCanvasElement;
    const pen = canvas.getContext("2d")!;
    pen.fillStyle = getComputedStyle(canvas).getPropertyValue("--accent");
    const accent = [1, 3, 5].map((at) => parseInt((pen.fillStyle as string).slice(at, at + 2), 16));
    const { width, height } = canvas;
    const { data } = pen.getImageData(0, 0, width, height);
    const columns = new Set<number>();
    for (let at = 0; at < data.length; at += 4) {
      if (accent.every((one, part) => Math.abs(data[at + part]! - one) < 40)) {
        columns.add(at / 4 % width);
      }
    }
    return columns.size;
  });

/** Waits until the service holds some seconds of loudness. */
const someSeconds = (desk: Desk) =>
  until(async () => {
    const { payload } = await desk.rpc("getloudnesshistory", { loudness: 1 });
    return (payload.result.members._levelm ?? []).length > 4;
  });

/** Intercepts messages: `asked` alters those of the page, `told` those of the service. */
const hearing = (asked: (text: string) => string, told: (text: string) => string) => (page: Page) =>
  page.routeWebSocket(/api\/ws$/, (socket) => {
    const server = socket.connectToServer();
    socket.onMessage((message) => server.send(asked(String(message))));
    server.onMessage((message) => socket.send(told(String(message))));
  });

const asIs = (text: string) => text;

browserTest("the plots begin with the history of the service", async (desk) => {
  await openFaders(desk);
  await someSeconds(desk);
  // The page receives no new values, so that the line is that of the history.
  const unmeasured = (text: string) =>
    text.includes("getloudnesshistory") ? text : text.replaceAll('"_levelm"', '"_unheard"');
  const page = await desk.open("#/plots", { before: hearing(asIs, unmeasured) });
  await page.locator(".plot canvas").last().scrollIntoViewIfNeeded();
  await until(async () => await drawnColumns(page) > 20);
}, { isMetered: true });

browserTest("a page that is visible again asks for the missed history", async (desk) => {
  let asked = 0;
  const counted = (text: string) => {
    if (text.includes("getlevelhistory")) asked++;
    return text;
  };
  const page = await desk.open("#/plots", { before: hearing(counted, asIs) });
  await until(() => asked === 1);
  for (const state of ["hidden", "visible"]) {
    await page.evaluate((state) => {
      Object.defineProperty(document, "visibilityState", { value: state, configurable: true });
      document.dispatchEvent(new Event("visibilitychange"));
    }, state);
  }
  await until(() => asked === 2);
});

browserTest("the plots of a console without histories begin with the present", async (desk) => {
  await openFaders(desk);
  const withoutHistory = (text: string) =>
    text.replace(/"get(loudness|level)history"/, '"getnothing"');
  const page = await desk.open("#/plots", { before: hearing(withoutHistory, asIs) });
  await page.locator(".plot canvas").last().scrollIntoViewIfNeeded();
  await until(async () => await drawnColumns(page) > 3);
  assertEquals(await page.locator(".notice").count(), 0);
}, { isMetered: true });

browserTest("plots show the last 1, 10 or 60 minutes, which the device keeps", async (desk) => {
  const page = await desk.open("#/plots");
  await page.getByRole("button", { name: "60 min" }).click();
  await page.getByRole("img", { name: "the last 60 minutes in LUFS" }).waitFor();
  await page.getByText("Highest of 60 minutes").first().waitFor();
  await page.reload();
  await page.getByRole("button", { name: "60 min", pressed: true }).waitFor();
  // A window of 1280x1024 at 400 %: it scrolls in one direction only.
  await page.setViewportSize({ width: 320, height: 256 });
  await becomes(
    () => page.locator(".page").evaluate((page) => page.scrollWidth - page.clientWidth),
    0,
  );
});

browserTest("a console without meters says so", async (desk) => {
  const page = await desk.open("#/plots");
  await page.getByText("no meters of levels or loudness").waitFor();
}, { configuration: { device: { name: "bare" }, mixers: [{ faders: 1 }] } });
