/** The equalizer and the dynamics of a wide strip by hand: handles, typed values, sections. */
import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import type { Client } from "../../client/client.ts";
import { demoConfiguration } from "../../core/configuration/demo.ts";
import type { WrittenConfiguration } from "../../core/configuration/schema.ts";
import { BLOCKS } from "../../core/tree/processing.ts";
import { type Section, SECTIONS } from "../../view/pages/mixer/wide/sections.ts";
import { loseTwice, sentBy } from "./between.ts";
import {
  accessibilityFaults,
  becomes,
  browserTest,
  type Locator,
  type Page,
  processTest,
  until,
} from "./browser.ts";
import { fingersAt, frames, placeIn, steadyPlace } from "./fingers.ts";

const PARAMS = "/audio/mixers/0/faders/1/params";
const EQUALIZER = "#/mixer/0/1/equalizer";
const DYNAMICS = "#/mixer/0/1/dynamics";
/** The first pixels of a hand's way, which do not move a handle. */
const TREMBLE_PX = 4;

const touching = { hasTouch: true };
/** A window so wide that content loaded later moves nothing. */
const screen = { viewport: { width: 1440, height: 900 } };

const handleOf = (page: Page, name: string) => page.getByRole("slider", { name, exact: true });
const keyOf = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const plane = (page: Page) => page.locator(".plane");

/** The size of the plane in pixels, once the block below has loaded, which halves its height. */
async function planeSize(page: Page): Promise<{ readonly width: number; readonly height: number }> {
  await page.locator(".wide").getByRole("heading", { level: 2 }).first().waitFor();
  await frames(page);
  return (await plane(page).boundingBox())!;
}

/** The place of a handle, once all content that could move it has loaded. */
async function steadyHandle(page: Page, name: string) {
  await planeSize(page);
  return await steadyPlace(handleOf(page, name));
}

const read = (client: Client, path: string): Promise<unknown> =>
  client.get(`${PARAMS}/${path}` as string);
const write = (client: Client, path: string, value: unknown): Promise<unknown> =>
  client.set(`${PARAMS}/${path}` as string, value as never);

/**
 * Waits until a value of the console is at most `away` from another; otherwise fails with the last
 * value.
 */
async function isNear(client: Client, path: string, value: number, away: number): Promise<void> {
  let last = NaN;
  await until(async () => Math.abs((last = Number(await read(client, path))) - value) <= away)
    .catch(() => assertAlmostEquals(last, value, away, path));
}

/** Types a value of the wide strip. */
async function type(page: Page, name: string, text: string): Promise<Locator> {
  await page.getByRole("button", { name: `type ${name}` }).click();
  const field = page.getByRole("textbox", { name });
  await field.fill(text);
  await field.press("Enter");
  return field;
}

browserTest(
  "300 Hz are cut on Guest 1 by typed values, and the gain turns the band on",
  async (desk) => {
    const other = await desk.client();
    const page = await desk.open("", screen);
    await keyOf(page, "Everything of Guest 1").click();
    await page.getByRole("tab", { name: "Equalizer" }).click();
    await type(page, "EQ 1: Frequency", "300 Hz");
    await becomes(() => read(other, "eq1/frequency"), 300);
    assertEquals(await read(other, "eq1/on"), false);
    await type(page, "EQ 1: Gain", "-6");
    await becomes(async () => {
      const { on, frequency, gain } = await read(other, "eq1") as Record<
        string,
        unknown
      >;
      return [on, frequency, gain];
    }, [true, 300, -6]);
    await becomes(
      () => handleOf(page, "EQ 1").getAttribute("aria-valuetext"),
      "300 Hz, -6.0 dB, Q 0.7",
    );
  },
);

browserTest("300 Hz are cut on Guest 1 by dragging a band there", async (desk) => {
  const other = await desk.client();
  await write(other, "eq1/on", true);
  const page = await desk.open(EQUALIZER, screen);
  const handle = handleOf(page, "EQ 1");
  const { width, height } = await planeSize(page);
  const { x, y } = await steadyPlace(handle);
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + TREMBLE_PX, y);
  // The way is from 100 Hz to 300 Hz on three decades, and 6 dB on 48 dB.
  const way = { x: width * Math.log10(3) / 3, y: height * 6 / 48 };
  await page.mouse.move(x + TREMBLE_PX + way.x / 2, y + way.y / 2);
  await page.mouse.move(x + TREMBLE_PX + way.x, y + way.y);
  await isNear(other, "eq1/frequency", 300, 6);
  await isNear(other, "eq1/gain", -6, 0.3);
  await page.mouse.up();
});

browserTest("Shift moves a handle by tenths, and two clicks set its gain to 0 dB", async (desk) => {
  const other = await desk.client();
  await write(other, "eq2", { on: true, gain: 6 });
  const page = await desk.open(EQUALIZER, screen);
  const handle = handleOf(page, "EQ 2");
  await becomes(() => handle.getAttribute("aria-valuetext"), "500 Hz, 6.0 dB, Q 0.7");
  const { height } = await planeSize(page);
  const { x, y } = await steadyPlace(handle);
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x, y + TREMBLE_PX);
  await page.keyboard.down("Shift");
  await page.mouse.move(x, y + TREMBLE_PX + height / 4);
  await page.keyboard.up("Shift");
  await isNear(other, "eq2/gain", 6 - 1.2, 0.3);
  await page.mouse.up();
  const now = await steadyPlace(handle);
  await page.mouse.dblclick(now.x, now.y);
  await becomes(() => read(other, "eq2/gain"), 0);
});

browserTest("the wheel sets the Q of the handle below it, and nothing elsewhere", async (desk) => {
  const other = await desk.client();
  let sent: ReturnType<typeof sentBy> = [];
  const page = await desk.open(EQUALIZER, { ...screen, before: (page) => sent = sentBy(page) });
  const { height } = await planeSize(page);
  const { x, y } = await steadyHandle(page, "EQ 3");
  await page.mouse.move(x, y - height / 3);
  await page.mouse.wheel(0, -200);
  await frames(page);
  assertEquals(sent.filter(({ method }) => method === "set"), []);
  await page.mouse.move(x, y);
  await page.mouse.wheel(0, -100);
  await isNear(other, "eq3/q", 1, 0.25);
  const before = Number(await read(other, "eq3/q"));
  assert(before > 0.7, `${before}`);
  await page.mouse.wheel(0, 200);
  await until(async () => Number(await read(other, "eq3/q")) < 0.7);
});

browserTest("two fingers move two bands, and pinch Q", async (desk) => {
  const other = await desk.client();
  const page = await desk.open(EQUALIZER, { viewport: { width: 390, height: 844 }, ...touching });
  const hand = await fingersAt(page);
  const { height } = await planeSize(page);
  const [one, two] = await Promise.all([
    steadyHandle(page, "EQ 1"),
    steadyHandle(page, "EQ 3"),
  ]);
  await hand.press(one, two);
  const to = (way: number) => hand.move({ x: one.x, y: one.y + way }, { x: two.x, y: two.y - way });
  await to(TREMBLE_PX);
  await to(TREMBLE_PX + height / 16);
  await to(TREMBLE_PX + height / 8);
  await hand.lift();
  await isNear(other, "eq1/gain", -6, 0.5);
  await isNear(other, "eq3/gain", 6, 0.5);

  // A pinch beside all handles widens the chosen band.
  await keyOf(page, "EQ 4").click();
  const middle = await placeIn(plane(page), { x: 0.5, y: 0.9 });
  const apart = (half: number) => [
    { x: middle.x - half, y: middle.y },
    { x: middle.x + half, y: middle.y },
  ];
  await hand.press(...apart(120));
  await hand.move(...apart(60));
  await hand.move(...apart(40));
  await hand.lift();
  // A third of the distance between the fingers makes a band a third as wide.
  await isNear(other, "eq4/q", 2.1, 0.2);
  assertEquals(await read(other, "eq4/frequency"), 8000);

  // A pinch with one finger on a handle widens its band, and the handle stays in its place.
  const held = await steadyHandle(page, "EQ 4");
  const beside = (way: number) => ({ x: held.x - way, y: held.y + 100 });
  await hand.press(held);
  await hand.press(held, beside(100));
  await hand.move(held, beside(200));
  await hand.move(held, beside(300));
  await until(async () => Number(await read(other, "eq4/q")) < 1.2);
  await hand.lift();
  assertEquals(await read(other, "eq4/frequency"), 8000);
});

browserTest("two taps turn on a band that is off, at 0 dB", async (desk) => {
  const other = await desk.client();
  await write(other, "eq2/gain", 15);
  const page = await desk.open(EQUALIZER, { ...screen, ...touching });
  const { x, y } = await steadyHandle(page, "EQ 2");
  const hand = await fingersAt(page);
  await hand.tapTwice({ x, y });
  await becomes(() => read(other, "eq2/on"), true);
  assertEquals(await read(other, "eq2/gain"), 0);
});

browserTest("keys of a handle set its frequency, gain, Q, and turn it on or off", async (desk) => {
  const other = await desk.client();
  let sent: ReturnType<typeof sentBy> = [];
  const page = await desk.open(EQUALIZER, { ...screen, before: (page) => sent = sentBy(page) });
  const handle = handleOf(page, "EQ 2");
  await handle.focus();
  for (
    const [key, member, value] of [
      ["Enter", "on", true],
      ["ArrowRight", "frequency", 536],
      ["Shift+ArrowLeft", "frequency", 532],
      ["ArrowDown", "gain", -1],
      ["Shift+ArrowDown", "gain", -1.1],
      ["+", "q", 0.8],
      ["PageDown", "q", 0.7],
      ["0", "gain", 0],
      [" ", "on", false],
    ] as const
  ) {
    await handle.press(key);
    await becomes(() => read(other, `eq2/${member}`), value);
  }
  await becomes(() => handle.getAttribute("aria-valuetext"), "532 Hz, 0.0 dB, Q 0.7, off");
  await write(other, "eq2/gain", 15);
  await becomes(() => handle.getAttribute("aria-valuetext"), "532 Hz, 15.0 dB, Q 0.7, off");
  await handle.press("0");
  await becomes(() => read(other, "eq2/gain"), 0);
  assertEquals(await read(other, "eq2/on"), false);
  // Of two presses before an answer, the second inverts the first; a held key presses once.
  sent.splice(0);
  await handle.evaluate((handle) => {
    for (let press = 0; press < 2; press++) {
      for (const repeat of [false, true]) {
        handle.dispatchEvent(new KeyboardEvent("keydown", { key: " ", repeat, bubbles: true }));
      }
    }
  });
  await becomes(
    () => sent.filter(({ method }) => method === "set").map(({ payload }) => payload),
    [true, false],
  );
  // The settings beside the curve are those of the focused band.
  await page.getByRole("heading", { name: "EQ 2" }).waitFor();
  const subsonic = handleOf(page, "Subsonic filter");
  await subsonic.press("ArrowUp");
  await becomes(() => read(other, "subsonic/frequency"), 86);
  await page.getByRole("heading", { name: "Subsonic filter" }).waitFor();
});

browserTest("a hand on a band continues from the values of another hand", async (desk) => {
  const other = await desk.client();
  const page = await desk.open(EQUALIZER, screen);
  const handle = handleOf(page, "EQ 2");
  const { height } = await planeSize(page);
  const { x, y } = await steadyPlace(handle);
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x, y - TREMBLE_PX);
  await page.mouse.move(x, y - TREMBLE_PX - height / 16);
  await isNear(other, "eq2/gain", 3, 0.3);
  await write(other, "eq2/gain", -12);
  await page.getByText("another hand").waitFor();
  await page.mouse.move(x, y - TREMBLE_PX - height / 8);
  await isNear(other, "eq2/gain", -9, 0.3);
  await page.mouse.up();
});

browserTest("values are typed with their units, in German, too", async (desk) => {
  const other = await desk.client();
  const page = await desk.open(EQUALIZER, screen);
  const is = (path: string, value: number) => becomes(() => read(other, path), value);
  await type(page, "EQ 1: Frequency", "1k5");
  await is("eq1/frequency", 1500);
  const bounded = page.locator(".notice").getByText("EQ 1: Gain: set to its bound, -20.0 dB.");
  await type(page, "EQ 1: Gain", "-40 dB");
  await bounded.waitFor();
  await is("eq1/gain", -20);
  const field = await type(page, "EQ 1: Q", "wide");
  await page.locator(".notice").getByText("EQ 1: Q: expected 0.1 to 20.0.").waitFor();
  assertEquals(await field.getAttribute("aria-invalid"), "true");
  await field.fill("5");
  await field.press("Escape");
  await field.waitFor({ state: "detached" });
  await page.locator(".wide").waitFor();
  assertEquals(await read(other, "eq1/q"), 0.7);
  await becomes(
    () => page.evaluate(() => document.activeElement?.getAttribute("aria-label")),
    "0.7, type EQ 1: Q",
  );

  const german = await desk.open(DYNAMICS, { ...screen, preferences: { language: "de" } });
  const write = async (value: string, name: string, text: string) => {
    await german.getByRole("button", { name: `${value}, ${name} eintippen` }).click();
    await german.getByRole("textbox", { name }).fill(text);
    // Leaving the field sets the typed value, too.
    await german.getByRole("heading", { name: "Kompressor" }).click();
  };
  await write("5,0 ms", "Kompressor: Ansprechzeit", "0,7");
  await is("compressor/attack", 0.7);
  await write("2,0", "Kompressor: Verhältnis", "3,5:1");
  await is("compressor/ratio", 3.5);
});

browserTest("handles on the curve set threshold, ratio and gain of a compressor", async (desk) => {
  const other = await desk.client();
  await write(other, "compressor", { on: true, threshold: -30, ratio: 2 });
  const page = await desk.open(DYNAMICS, screen);
  // Drags a handle by decibels; the plane has 100 dB in both directions.
  const drag = async (name: string, rightDb: number, downDb: number) => {
    const { width, height } = await planeSize(page);
    const { x, y } = await steadyPlace(handleOf(page, `Handle of Compressor: ${name}`));
    const [right, down] = [rightDb / 100 * width, downDb / 100 * height];
    const signs = [Math.sign(right) * TREMBLE_PX, Math.sign(down) * TREMBLE_PX] as const;
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x + signs[0], y + signs[1]);
    await page.mouse.move(x + signs[0] + right, y + signs[1] + down);
    await page.mouse.up();
  };
  const threshold = handleOf(page, "Handle of Compressor: Threshold");
  await becomes(() => threshold.getAttribute("aria-valuetext"), "-30.0 dB");
  await threshold.press("ArrowLeft");
  await becomes(() => read(other, "compressor/threshold"), -31);
  // 40 dB above the threshold become 20 dB with 2:1, and 10 dB with 4:1.
  await drag("Ratio", 0, 10);
  await isNear(other, "compressor/ratio", 4, 0.6);
  await drag("Gain", 0, -5);
  await isNear(other, "compressor/gain", 5, 1);
  await drag("Threshold", 10, 0);
  await isNear(other, "compressor/threshold", -21, 1);
});

browserTest("the handles of an expander and of a limiter lie on their curves", async (desk) => {
  const other = await desk.client();
  await write(other, "expander", { on: true, threshold: -40, ratio: 2 });
  const page = await desk.open(DYNAMICS, screen);
  await keyOf(page, "Expander").click();
  const ratio = handleOf(page, "Handle of Expander: Ratio");
  await becomes(() => ratio.getAttribute("aria-valuetext"), "2.0");
  const { width } = await planeSize(page);
  const { x, y } = await steadyPlace(ratio);
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + TREMBLE_PX, y);
  // 5 dB below the threshold at the input are 20 dB at the output: a ratio of 4.
  await page.mouse.move(x + TREMBLE_PX + width / 20, y);
  await page.mouse.up();
  await isNear(other, "expander/ratio", 4, 0.6);
  await keyOf(page, "Limiter").click();
  await handleOf(page, "Handle of Limiter: Threshold").press("ArrowUp");
  await becomes(() => read(other, "limiter/threshold"), -5);
  await keyOf(page, "AGC").click();
  await page.getByRole("heading", { name: "AGC" }).waitFor();
  assertEquals(await plane(page).count(), 0);
});

browserTest("the present level is a point on the curve", async (desk) => {
  const page = await desk.open(DYNAMICS, screen);
  const point = page.locator(".level-point");
  await point.waitFor();
  const places = new Set<string | null>();
  await until(async () => places.add(await point.getAttribute("style")).size > 5);
  await until(async () =>
    /^-?\d+ dB$/.test(
      await page.getByRole("meter", { name: "Gain reduction of Compressor" })
        .getAttribute("aria-valuetext") ?? "",
    )
  );
  const quiet = await desk.open(`?meters=0${DYNAMICS}`, screen);
  await handleOf(quiet, "Handle of Compressor: Threshold").waitFor();
  assert(await quiet.locator(".level-point").isHidden());
}, { isMetered: true });

browserTest("a page that may only view moves no band, and shows the reason", async (desk) => {
  const other = await desk.client();
  let sent: ReturnType<typeof sentBy> = [];
  const page = await desk.open(`?view${EQUALIZER}`, {
    ...screen,
    before: (page) => sent = sentBy(page),
  });
  const handle = handleOf(page, "EQ 2");
  const { x, y } = await steadyHandle(page, "EQ 2");
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + 40, y - 40);
  await page.mouse.up();
  await page.locator(".notice").first().waitFor();
  await page.mouse.wheel(0, 300);
  await handle.press("ArrowUp");
  await handle.press("Enter");
  await page.getByRole("button", { name: "type EQ 2: Gain" }).press("Enter");
  await frames(page);
  assertEquals(await page.getByRole("textbox").count(), 0);
  assertEquals(sent.filter(({ method }) => method === "set"), []);
  assertEquals(await read(other, "eq2/gain"), 0);
});

browserTest("locking the page releases a held band", async (desk) => {
  const other = await desk.client();
  const page = await desk.open(EQUALIZER, { ...screen, ...touching });
  const { x, y } = await steadyHandle(page, "EQ 2");
  const hand = await fingersAt(page);
  await hand.press({ x, y });
  await hand.move({ x, y: y - 8 });
  await hand.move({ x, y: y - 20 });
  await until(async () => Number(await read(other, "eq2/gain")) > 0);
  await page.getByRole("button", { name: "Lock against touch" }).dispatchEvent("click");
  await page.locator('.handle[aria-disabled="true"]').first().waitFor();
  const held = await read(other, "eq2/gain");
  await hand.move({ x, y: y - 80 });
  await frames(page);
  assertEquals(await read(other, "eq2/gain"), held);
  await hand.lift();
});

processTest("no value of a band is sent to a hanging console", async (desk) => {
  let sent: ReturnType<typeof sentBy> = [];
  const page = await desk.open(EQUALIZER, {
    ...screen,
    ...touching,
    before: (page) => sent = sentBy(page),
  });
  const sets = () => sent.filter(({ method }) => method === "set").length;
  const { x, y } = await steadyHandle(page, "EQ 2");
  const hand = await fingersAt(page);
  await hand.press({ x, y });
  await hand.move({ x, y: y - 8 });
  await hand.move({ x, y: y - 20 });
  await until(() => sets() > 0);
  await frames(page);
  desk.service.kill("SIGSTOP");
  const before = sets();
  // There are few moves, because after 15 s the connection would be lost.
  for (let way = 20; way <= 80; way += 10) {
    await hand.move({ x: x + way, y: y - way });
    await frames(page);
  }
  // One message of each value may be under way.
  assert(sets() - before <= 2, `${sets() - before} sent`);
  await page.getByText("Nothing comes from the console").waitFor();
  desk.service.kill("SIGCONT");
  await page.locator(".lamp.open").waitFor();
  await hand.move({ x: x + 120, y: y - 120 });
  await frames(page);
  assert(sets() - before <= 2, `${sets() - before} sent`);
  await hand.lift();
});

/** Sizes of screens in pixels. */
const SIZES = [[1920, 1080], [1440, 900], [1024, 768], [390, 844], [844, 390]] as const;

/** Mixers, and the sections that their faders have. */
const CONSOLES: [string, WrittenConfiguration, readonly Section[]][] = [
  ["of the demo console", demoConfiguration, [
    "source",
    "equalizer",
    "dynamics",
    "buses",
    "colour",
  ]],
  ["with all blocks and many buses", {
    mixers: [{
      faders: [1, 2].map((channel) => ({ channel, processing: [...BLOCKS] })),
      automix: 1,
      buses: 24,
    }],
  }, SECTIONS],
];

/**
 * The keys that make a section higher than its place, each with both heights in pixels; "" stands
 * for the section before any key. It presses the keys by script, which takes less time than the
 * pointer that other tests use.
 */
async function tooTall(section: Element): Promise<string[]> {
  const body = section.closest(".wide-body")!;
  const found: string[] = [];
  const measure = (key: string) => {
    if (body.scrollHeight <= body.clientHeight) return;
    found.push(`${key}: ${body.scrollHeight} in ${body.clientHeight}`);
  };
  measure("");
  for (const key of section.querySelectorAll<HTMLElement>(".block-keys button")) {
    key.click();
    while (key.ariaPressed !== "true") await new Promise((drawn) => requestAnimationFrame(drawn));
    measure(key.textContent);
  }
  return found;
}

for (const [what, configuration, sections] of CONSOLES) {
  for (const [width, height] of SIZES) {
    processTest(
      `every section of a strip ${what} fits ${width} by ${height} pixels without scrolling`,
      async (desk) => {
        // The strip then shows the last user of its fader.
        await desk.rpc("fadetovalue", { fader: 1, value: -20, time: 0 });
        const viewport = { width, height };
        const preferences = { language: width < height ? "en" : "de" };
        const page = await desk.open("#/mixer/0/1", { viewport, preferences });
        const tabs = page.getByRole("tab");
        await until(async () => await tabs.count() === sections.length);
        for (const [index, name] of sections.entries()) {
          await tabs.nth(index).click();
          const section = page.locator(`.section.${name}`);
          // The part of the section that is loaded last.
          const last = {
            source: page.getByText(/^(Last changed by|Zuletzt geändert von) /),
            colour: section.locator(".look-choice"),
          }[name as string] ?? section.locator(".block");
          await section.locator(".block, .look-choice").first().waitFor();
          await last.first().waitFor();
          const signs = await section.locator(".look-item")
            .evaluateAll((items) => items.map((item) => item.getBoundingClientRect().width));
          assert(Math.min(...signs, 44) >= 44, `${name}: signs of ${signs}`);
          assertEquals(await section.evaluate(tooTall), [], name);
        }
      },
      { configuration },
    );
  }
}

browserTest("sections have addresses, and keys go from one to the next", async (desk) => {
  const { before, lose } = loseTwice("/range/audio/mixers/0/faders/2/params");
  const page = await desk.open("", { before });
  await keyOf(page, "Everything of Guest 1").click();
  const tab = (name: string) => page.getByRole("tab", { name, exact: true });
  const isShown = async (name: string, address: string) => {
    await becomes(() => tab(name).getAttribute("aria-selected"), "true");
    await becomes(() => page.evaluate(() => location.hash), address);
    await page.getByRole("tabpanel", { name }).waitFor();
  };
  // The sections of a fader appear a little later.
  await tab("Equalizer").waitFor();
  await tab("Source").press("ArrowRight");
  await isShown("Equalizer", "#/mixer/0/1/equalizer");
  await page.keyboard.press("ArrowRight");
  await isShown("Dynamics", "#/mixer/0/1/dynamics");
  await page.keyboard.press("End");
  await isShown("Colour", "#/mixer/0/1/colour");
  await page.keyboard.press("ArrowRight");
  await isShown("Source", "#/mixer/0/1/source");
  await tab("Dynamics").click();
  // The next fader is shown with the same section and the same block.
  await keyOf(page, "Limiter").click();
  const said = page.locator(".wide").getByRole("status");
  assertEquals(await said.textContent(), "Everything of Guest 1");
  await keyOf(page, "Next fader").click();
  await isShown("Dynamics", "#/mixer/0/2/dynamics");
  await becomes(() => said.textContent(), "Everything of Guest 2");
  await page.getByRole("heading", { name: "Limiter" }).waitFor();
  await page.reload();
  await isShown("Dynamics", "#/mixer/0/2/dynamics");
  await plane(page).waitFor();
  await lose();
  assertEquals(await plane(page).count(), 1, "it stays while it is read anew");
  await page.goBack();
  await page.locator(".wide").waitFor({ state: "detached" });
});

browserTest("the strip sets automix, buses, preparation, level and logics", async (desk) => {
  const other = await desk.client();
  const fader = "/audio/mixers/0/faders/1";
  const value = (path: string) => () => other.get(`${fader}/${path}` as string);
  const page = await desk.open("#/mixer/0/1/buses", screen);
  await keyOf(page, "ON Automix").click();
  await becomes(value("busparams/automix/on"), true);
  await type(page, "Automix: Weight", "3 dB");
  await becomes(value("busparams/automix/weight"), 3);
  await page.getByRole("switch", { name: "Automix: Passive" }).click();
  await becomes(value("busparams/automix/passive"), true);
  await keyOf(page, "Bus 2").click();
  await type(page, "Bus 2: Gain", "-6");
  await type(page, "Bus 2: Type", "3");
  await becomes(value("busparams/bus/2/gain"), -6);
  await becomes(value("busparams/bus/2/type"), 3);
  await keyOf(page, "Preparation").click();
  await type(page, "Preparation: Gain", "-12");
  await becomes(value("busparams/preparation/gain"), -12);
  await type(page, "Level and logics: Automatic level", "2");
  await becomes(value("autolevelgain"), 2);
  await keyOf(page, "Combined logic 3").click();
  await becomes(value("options/combilogic3"), true);
  await other.set(`${fader}/options/combilogic0`, true);
  await becomes(() => keyOf(page, "Combined logic 0").getAttribute("aria-pressed"), "true");
  assertEquals(await accessibilityFaults(page), []);
});

browserTest("a fader outside of any automix has no automix among its buses", async (desk) => {
  const page = await desk.open("#/mixer/0/0/buses", { preferences: { language: "de" } });
  await page.getByRole("heading", { name: "Vorbereitung" }).waitFor();
  await page.getByRole("tab", { name: "Busse" }).waitFor();
  assertEquals(await page.getByText("Automix").count(), 0);
  assertEquals(await page.locator(".block-keys").count(), 0);
}, { configuration: { mixers: [{ faders: 1 }] } });

browserTest("a wide strip whose chunk did not load says so", async (desk) => {
  const page = await desk.open("", {
    before: (page) => page.route(/\/wide\./, (route) => route.abort()),
  });
  await keyOf(page, "Everything of Guest 1").click();
  await page.getByText("This page could not be loaded.").waitFor();
  await page.getByRole("button", { name: "Load again" }).waitFor();
}, { expected: /ERR_FAILED|Failed to/ });

const reductions = { compressor: { _gainreduction: -12 }, agc: { _gainreduction: -7 } };

browserTest(
  "the gain reduction of a block is shown from the start, although it does not change, and that of the next fader after it",
  async (desk) => {
    const page = await desk.open(DYNAMICS, screen);
    const shown = (name: string) =>
      page.getByRole("meter", { name: `Gain reduction of ${name}` }).getAttribute("aria-valuetext");
    await becomes(() => shown("Compressor"), "-12 dB");
    await keyOf(page, "AGC").click();
    await becomes(() => shown("AGC"), "-7 dB");
    for (const [fader, text] of [[2, "0 dB"], [1, "-7 dB"], [2, "0 dB"]] as const) {
      await page.evaluate((at) => location.hash = `#/mixer/0/${at}/dynamics`, fader);
      await becomes(() => shown("AGC"), text);
    }
  },
  { reported: { audio: { mixers: { 0: { faders: { 1: { params: reductions } } } } } } },
);
