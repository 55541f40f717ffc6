/** The mixer page: faders by touch, mouse and keys, fades, labels, rights, loss of the console. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { FADER_MIN } from "../../fade/limits.ts";
import { travelAt } from "../../view/parts/fader/scale.ts";
import { between, gotBy, holdAnswers, loseTwice, type PageEnd, sentBy } from "./between.ts";
import {
  accessibilityFaults,
  becomes,
  browserTest,
  type Locator,
  type Page,
  processTest,
  until,
} from "./browser.ts";
import { type Finger, type Fingers, fingersAt, frames, placeIn } from "./fingers.ts";

const FADERS = "/audio/mixers/0/faders";
const touching = { hasTouch: true };

function faderOf(page: Page, label: string): Locator {
  return page.getByRole("slider", { name: label, exact: true });
}

const wideOf = (page: Page, label: string) =>
  page.getByRole("complementary", { name: `Everything of ${label}` });

async function openWide(page: Page, label: string): Promise<Locator> {
  await page.getByRole("button", { name: `Everything of ${label}`, exact: true }).click();
  return wideOf(page, label);
}

/** Shows a section of the wide strip, and chooses a block there. */
async function showBlock(wide: Locator, section: string, block: string): Promise<void> {
  await wide.getByRole("tab", { name: section }).click();
  await wide.getByRole("button", { name: block, exact: true }).click();
}

/** The level that a fader of the page shows, in dB. */
async function levelOf(fader: Locator): Promise<number> {
  return Number(await fader.getAttribute("aria-valuenow"));
}

const shows = (fader: Locator, dB: number) => becomes(() => levelOf(fader), dB);

/** The level of a fader once all moves have reached it. */
async function restingLevel(fader: Locator): Promise<number> {
  await frames(fader.page());
  return await levelOf(fader);
}

const knobOf = (fader: Locator) => placeIn(fader.locator(".fader-knob"));

/** A finger that holds a fader. */
interface Held {
  readonly hand: Fingers;
  /** The place of the knob before the finger moved. */
  readonly knob: Finger;
  /** The present level of the fader, in dB. */
  readonly level: number;
}

/** Takes a fader with a finger, moves it up by 150 pixels, and holds it there. */
async function takeUp(page: Page, fader: Locator): Promise<Held> {
  const knob = await knobOf(fader);
  const hand = await fingersAt(page);
  await hand.press(knob);
  for (let way = 0; way <= 150; way += 30) await hand.move({ ...knob, y: knob.y - way });
  const level = await restingLevel(fader);
  assert(level > FADER_MIN, `${level} dB`);
  return { hand, knob, level };
}

/** The height of a fader's travel, in pixels. */
async function travelHeight(fader: Locator): Promise<number> {
  const knob = (await fader.locator(".fader-knob").boundingBox())!;
  return (await fader.boundingBox())!.height - knob.height;
}

browserTest("a fader follows a finger, and a second finger makes it fine", async (desk) => {
  const other = await desk.client();
  await other.set(`${FADERS}/0/fader`, -20);
  const page = await desk.open("", touching);
  const fader = faderOf(page, "Host");
  await shows(fader, -20);
  const height = await travelHeight(fader);
  const { x, y } = await knobOf(fader);
  const hand = await fingersAt(page);
  // The finger is well away from the knob, which does not jump there.
  await hand.press({ x, y: y - 120 });
  await hand.move({ x, y: y - 125 });
  assertEquals(await restingLevel(fader), -20);
  for (let way = 0; way <= 100; way += 20) await hand.move({ x, y: y - 125 - way });
  const coarse = await restingLevel(fader);
  assert(Math.abs(travelAt(coarse) - travelAt(-20) - 100 / height) < 0.02, `${coarse} dB`);
  const second = { x: x + 4, y: y - 60 };
  await hand.press({ x, y: y - 225 }, second);
  await hand.move({ x, y: y - 125 }, second);
  await hand.lift();
  const fine = await restingLevel(fader);
  assert(Math.abs(travelAt(coarse) - travelAt(fine) - 10 / height) < 0.02, `${fine} dB`);
  await becomes(() => other.get(`${FADERS}/0/fader`), fine);
  assertStringIncludes((await fader.getAttribute("aria-valuetext"))!, `${fine.toFixed(1)} dB`);
});

browserTest("several faders are moved at once, and two taps near 0 dB set 0 dB", async (desk) => {
  const page = await desk.open("", touching);
  const host = faderOf(page, "Host");
  const guest = faderOf(page, "Guest 1");
  await shows(host, FADER_MIN);
  const one = await knobOf(host);
  const two = await knobOf(guest);
  const hand = await fingersAt(page);
  await hand.press(one);
  await hand.press(one, two);
  for (let way = 0; way <= 200; way += 40) {
    await hand.move({ ...one, y: one.y - way }, { ...two, y: two.y - way / 2 });
  }
  await hand.lift();
  const ofHost = travelAt(await restingLevel(host));
  const ofGuest = travelAt(await restingLevel(guest));
  assert(ofHost > 0.2 && ofGuest > 0.1, `${ofHost} ${ofGuest}`);
  assert(ofHost > ofGuest * 1.7, `${ofHost} ${ofGuest}`);

  const zero = { ...one, y: one.y - travelAt(0) * await travelHeight(host) };
  await hand.tapTwice(zero);
  await shows(host, 0);
});

browserTest("a fader is moved by keys or by the wheel alone", async (desk) => {
  const page = await desk.open();
  const fader = faderOf(page, "Host");
  await fader.focus();
  const presses = [
    ["End", 10],
    ["ArrowDown", 9],
    ["Shift+ArrowDown", 8.9],
    ["PageDown", 3.9],
    ["Home", FADER_MIN],
    ["End", 10],
  ] as const;
  for (const [key, dB] of presses) {
    await page.keyboard.press(key);
    assertEquals(await levelOf(fader), dB, key);
  }
  const { x, y } = await knobOf(fader);
  await page.mouse.move(x, y);
  await page.mouse.wheel(0, 200);
  await shows(fader, 8);
  await page.keyboard.down("Shift");
  await page.mouse.wheel(100, 0);
  await shows(fader, 7.9);
  await page.keyboard.up("Shift");
  await page.keyboard.press("Tab");
  await hasFocus(page, "PFL 1 Host");
});

browserTest("a mouse drags a fader, fine with Shift; it jumps where chosen", async (desk) => {
  const page = await desk.open("", { preferences: { touch: "jump" } });
  const fader = faderOf(page, "Host");
  await shows(fader, FADER_MIN);
  const { x, y } = await knobOf(fader);
  const height = await travelHeight(fader);
  const top = y - travelAt(-10) * height;
  await page.mouse.move(x, top);
  await page.mouse.down();
  const jumped = await restingLevel(fader);
  assert(Math.abs(jumped + 10) < 1, `${jumped} dB`);
  await page.mouse.move(x, top - 4);
  await page.mouse.move(x, top - 44);
  const dragged = travelAt(await restingLevel(fader));
  assert(Math.abs(dragged - travelAt(jumped) - 40 / height) < 0.02, String(dragged));
  await page.keyboard.down("Shift");
  await page.mouse.move(x, top - 144);
  const fine = travelAt(await restingLevel(fader));
  assert(Math.abs(fine - dragged - 10 / height) < 0.02, String(fine));
});

browserTest("each of two hands on a fader continues from the other's level", async (desk) => {
  const one = await desk.open("", touching);
  const two = await desk.open();
  const here = faderOf(one, "Host");
  const there = faderOf(two, "Host");
  await shows(here, FADER_MIN);
  const { hand, knob, level: held } = await takeUp(one, here);
  await shows(there, held);
  await there.press("End");
  await shows(here, 10);
  await one.locator(".strip").first().getByText("another hand").waitFor();
  await one.locator(".fader.held").waitFor();
  const height = await travelHeight(here);
  await hand.move({ ...knob, y: knob.y - 120 });
  const further = await restingLevel(here);
  assert(Math.abs(1 - travelAt(further) - 30 / height) < 0.02, `${further} dB`);
  await hand.lift();
  await shows(there, further);
  const on = (page: Page) => page.getByRole("button", { name: "ON Guest 1", exact: true });
  await on(two).click();
  await becomes(() => on(one).getAttribute("aria-pressed"), "true");
});

browserTest("a fade shows its remaining time, and is caught by touch", async (desk) => {
  const page = await desk.open("", touching);
  const fader = faderOf(page, "Guest 1");
  await shows(fader, FADER_MIN);
  await page.getByRole("button", { name: "Fade Guest 1" }).click();
  await page.getByRole("button", { name: "0 dB", exact: true }).click();
  await page.getByRole("button", { name: "5 s", exact: true }).click();
  await page.getByRole("button", { name: "Start" }).click();
  const strip = page.getByRole("region", { name: "Fader 2, Guest 1" });
  await strip.locator("[data-fading=true]").waitFor();
  const told = await strip.locator(".strip-level small").textContent();
  assert(/^→ 0\.0 (4\.\d|5\.0) s$/.test(told!), told!);
  await until(async () => await levelOf(fader) > -60);
  const hand = await fingersAt(page);
  await hand.press(await knobOf(fader));
  await strip.locator("[data-fading=false]").waitFor();
  const caught = await levelOf(fader);
  await hand.lift();
  assertEquals(await restingLevel(fader), caught);
  assert(caught > -60 && caught < -5, `${caught} dB`);
});

/** Levels and times that are typed for a fade, each with its refusal, or none. */
const typedFades = [
  ["12", "2", "Von -160 bis 10 dB"],
  ["-200 dB", "2 s", "Von -160 bis 10 dB"],
  ["3 s", "2 s", "Von -160 bis 10 dB"],
  ["−∞ dB", "31 s", "Von 0 bis 30 s"],
  ["0", "−∞", "Von 0 bis 30 s"],
  ["-∞", "0.5", ""],
  ["-10 dB", "2 s", ""],
  ["−3,5 dB", "500 ms", ""],
] as const;

browserTest("in German a fade is typed with comma or point, units and signs", async (desk) => {
  let sent: ReturnType<typeof sentBy> = [];
  const other = await desk.client();
  await other.set(`${FADERS}/0/fader`, -6);
  const page = await desk.open("", {
    locale: "de-DE",
    before: (page) => sent = sentBy(page),
  });
  const strip = page.getByRole("region", { name: "Fader 1, Host" });
  await strip.getByText("-6,0 dB").waitFor();
  await becomes(() => faderOf(page, "Host").getAttribute("aria-valuetext"), "-6,0 dB");
  await page.getByRole("button", { name: "Blende Host" }).click();
  const fields = page.getByRole("dialog").getByRole("textbox");
  for (const [level, time, refusal] of typedFades) {
    await fields.first().fill(level);
    await fields.last().fill(time);
    const refusals = await fields.evaluateAll((all) =>
      all.map((field) => (field as HTMLInputElement).validationMessage).join("")
    );
    assertEquals(refusals, refusal, `${level}, ${time}`);
    // A refused form stays open.
    if (refusal !== "") await page.getByRole("button", { name: "Start" }).click();
  }
  await page.getByRole("button", { name: "Start" }).click();
  await strip.getByText("-3,5 dB").waitFor();
  const { params } = sent.find(({ payload }) => payload?.method === "fadetovalue").payload;
  assertEquals([params.value, params.time], [-3.5, 0.5]);
});

browserTest("a cross-fade fades one fader out and another in", async (desk) => {
  const other = await desk.client();
  await other.set(`${FADERS}/4/fader`, -6);
  const page = await desk.open();
  await shows(faderOf(page, "Playout A"), -6);
  await page.getByRole("button", { name: "Fade Playout A" }).click();
  await page.getByLabel("Cross-fade with").selectOption({ label: "6 Playout B" });
  await page.getByRole("button", { name: "0.5 s" }).click();
  await page.getByRole("button", { name: "Start" }).click();
  await shows(faderOf(page, "Playout A"), FADER_MIN);
  await shows(faderOf(page, "Playout B"), -6);
});

browserTest("faders and mute groups are numbered from 1, like those of a desk", async (desk) => {
  const other = await desk.client();
  await other.set(`${FADERS}/1/mutegroups/0`, true);
  const page = await desk.open();
  const strip = page.getByRole("region", { name: "Fader 2, Guest 1" });
  await strip.getByText("2", { exact: true }).waitFor();
  await strip.getByText("M1", { exact: true }).waitFor();
  await page.getByRole("button", { name: "Mute 1", exact: true }).click();
  await becomes(() => other.get("/audio/mixers/0/mutegroups/0"), true);
  await strip.locator('.muting[title="Muted by mute group 1"]').waitFor();
});

browserTest("a label is edited in its place, and the focus stays in its strip", async (desk) => {
  const page = await desk.open();
  const name = page.getByRole("button", { name: "Host: rename" });
  const chosen = await name.evaluate(async (button) => {
    (button as HTMLElement).click();
    await new Promise((done) => queueMicrotask(() => queueMicrotask(() => done(undefined))));
    const { value = "", selectionStart, selectionEnd } = document
      .activeElement as HTMLInputElement;
    return value.slice(selectionStart ?? 0, selectionEnd ?? 0);
  });
  assertEquals(chosen, "Host", "who renames may type on at once");
  await page.keyboard.type("Anna");
  await page.keyboard.press("Enter");
  await hasFocus(page, "Anna: rename");
  const two = await desk.open();
  await two.getByRole("button", { name: "Anna: rename" }).click();
  await two.getByLabel("Label").fill("Nobody");
  await two.keyboard.press("Escape");
  await hasFocus(two, "Anna: rename");
  await page.getByRole("button", { name: "Fade Anna" }).press("Enter");
  await page.getByRole("dialog").locator("button:focus", { hasText: "Out" }).waitFor();
  await page.getByRole("button", { name: "Start" }).click();
  await hasFocus(page, "Fade Anna");
});

browserTest(
  "white space alone is an empty label, and a label does not turn the text beside it",
  async (desk) => {
    const other = await desk.client();
    const page = await desk.open();
    const rename = async (text: string) => {
      await page.locator('.row-place[data-fader="1"] .strip-name').click();
      await page.getByLabel("Label").fill(text);
      await page.keyboard.press("Enter");
    };
    await rename("חדשות 1");
    await page.locator("bdi", { hasText: "חדשות 1" }).waitFor();
    await rename(" \u3000");
    await becomes(() => other.get(`${FADERS}/1/label`), "Guest 1");
    await rename("Anna \u202e1");
    await page.locator(".notice").getByText("without control characters").waitFor();
    assertEquals(await other.get(`${FADERS}/1/label`), "Guest 1");
  },
);

browserTest(
  "a user who may only view sees all controls disabled, with the reason",
  async (desk) => {
    const other = await desk.client();
    const user = await other.rpc("adduser", { name: "guest", groups: 1, may: "view" });
    const page = await desk.open("", { token: user.token!, ...touching });
    const fader = faderOf(page, "Host");
    const reason = "This needs the right to operate.";
    await fader.and(page.locator(`[aria-disabled="true"][title="${reason}"]`)).waitFor();
    const knob = await knobOf(fader);
    const hand = await fingersAt(page);
    await hand.press(knob);
    await hand.move({ ...knob, y: knob.y - 200 });
    await hand.lift();
    await page.getByRole("status").getByText(reason).first().waitFor();
    assertEquals(await restingLevel(fader), FADER_MIN);
    await other.rpc("modifyuser", { name: "guest", may: "operate" });
    await page.reload();
    await showBlock(await openWide(page, "Host"), "Dynamics", "Compressor");
    const threshold = page.getByRole("slider", { name: "Compressor: Threshold", exact: true });
    await becomes(() => threshold.isDisabled(), true);
  },
);

/** Screens; each test resizes the same page from one to the next. */
const screens = [
  ["a desk", 1920, 1080],
  ["a small desk", 1366, 768],
  ["a desk at 200 %", 960, 540],
  ["a laptop at 200 %", 640, 360],
  ["a tablet", 1024, 768],
  ["a tablet, upright", 768, 1024],
  ["a tablet at 200 %", 512, 384],
  ["a phone", 390, 844],
  ["a phone on its side", 844, 390],
  ["a small phone", 390, 664],
  ["a small phone on its side", 667, 375],
  ["the smallest phone", 360, 640],
  ["a phone with a low page", 380, 600],
] as const;

browserTest("on every screen all keys are reached without scrolling", async (desk) => {
  let console: PageEnd | undefined;
  const before = between({
    answered(message, end) {
      console = end;
      return message;
    },
  });
  // German words are longer than English ones.
  for (const locale of ["en-GB", "de-DE"]) {
    const page = await desk.open("", { before, locale, viewport: { width: 1024, height: 768 } });
    await page.locator(".strip").first().waitFor();
    for (const [storage, engine] of [["ok", "none"], ["full", "lost"]]) {
      const general = { _storage: storage, _engine: engine };
      await becomes(() => {
        // It is sent repeatedly, because updates before the first read are ignored.
        console!.send({ method: "update", tick: 1, payload: { general } });
        return page.locator(".alarm").count();
      }, engine === "lost" ? 2 : 0);
      for (const [screen, width, height] of screens) {
        await page.setViewportSize({ width, height });
        await becomes(() => unreached(page), []);
        const lines = height > 480 ? [] : await page.locator(".alarm").all();
        for (const line of lines) {
          const { height } = (await line.boundingBox())!;
          assert(height < 32, `${screen}: an alarm of ${height} pixels`);
        }
      }
    }
  }
}, { isMetered: true });

/** The keys and the fader of the first strip that are not wholly visible, or too small. */
function unreached(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const strip = document.querySelector(".strip")!;
    const bottom = innerHeight;
    const right = strip.getBoundingClientRect().right - parseFloat(getComputedStyle(strip).padding);
    return [...strip.querySelectorAll("[tabindex], button, .strip-level")].flatMap((control) => {
      const box = control.getBoundingClientRect();
      const isInside = box.top >= 0 && box.left >= 0 && box.bottom <= bottom && box.right <= right;
      const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
      const isSeen = [[x, box.top + 3], [x, y], [x, box.bottom - 3]]
        .every(([x, y]) => control.contains(document.elementFromPoint(x!, y!)));
      const least = control.classList.contains("fader") ? 110 : 26;
      const { clientWidth, clientHeight, scrollWidth } = control as HTMLElement;
      const isWhole = scrollWidth <= clientWidth || !control.matches(".key");
      if (isInside && isSeen && isWhole && clientHeight >= least - 2) return [];
      const { left, top, width, height } = box;
      return [`${innerWidth}x${innerHeight} ${control.className}: ${[left, top, width, height]}`];
    });
  });
}

browserTest(
  "the key that opens a strip is at least 44 pixels wide unless its strip is compact",
  async (desk) => {
    for (const locale of ["en-GB", "de-DE"]) {
      const page = await desk.open("", { locale, viewport: { width: 1024, height: 768 } });
      const opening = page.getByRole("button", { name: /^(Everything of|Alles von) / });
      await opening.first().waitFor();
      for (const [screen, width, height] of screens) {
        await page.setViewportSize({ width, height });
        const isWide = async () =>
          await page.locator(".compact").count() > 0 ||
          ((await opening.first().boundingBox())?.width ?? 0) >= 44;
        await until(isWide).catch(() => assert(false, `${screen}, ${locale}`));
      }
    }
  },
);

browserTest("marks never overlap, labels have two lines, meters have numbers", async (desk) => {
  const other = await desk.client();
  await other.set(`${FADERS}/0/label`, "Guest microphone left");
  const page = await desk.open("", { viewport: { width: 390, height: 664 } });
  await faderOf(page, "Guest microphone left").waitFor();
  for (const [height, least] of [[664, 6], [900, 9], [1080, 10]] as const) {
    await page.setViewportSize({ width: 390, height });
    const places = await page.locator(".fader").first().locator(".fader-scale span")
      .evaluateAll((marks) =>
        marks.filter((mark) => mark.checkVisibility()).map((mark) => mark.getBoundingClientRect().y)
      );
    assert(places.length >= least, `${places.length} marks at ${height}`);
    const gaps = places.slice(1).map((place, at) => place - places[at]!);
    assert(Math.min(...gaps) >= 12, `${gaps} at ${height}`);
  }
  await page.setViewportSize({ width: 1024, height: 768 });
  const heightOf = async (label: string) =>
    (await page.locator(".strip-name span", { hasText: label }).boundingBox())!.height;
  await until(async () =>
    await heightOf("Guest microphone left") > 1.9 * await heightOf("Guest 1")
  );
  const scale = page.locator(".strip .meter-scale").first();
  await scale.waitFor({ state: "hidden" });
  await page.setViewportSize({ width: 1920, height: 1080 });
  await scale.waitFor();
});

browserTest("the key of the wide strip stays under the pointer", async (desk) => {
  const page = await desk.open("", { viewport: { width: 1920, height: 1080 } });
  const key = page.getByRole("button", { name: "Everything of Guest 1" });
  // Hovering waits until the strips no longer move.
  await key.hover();
  const { x, y } = await placeIn(key);
  const before = await key.boundingBox();
  await page.mouse.click(x, y);
  await page.locator(".wide").waitFor();
  await frames(page);
  assertEquals(await key.boundingBox(), before);
  await page.mouse.click(x, y);
  await page.locator(".wide").waitFor({ state: "detached" });
  assertEquals(await page.getByRole("dialog").count(), 0);
});

browserTest("Escape and Back close the wide strip; its key gets the focus", async (desk) => {
  const page = await desk.open("", { viewport: { width: 390, height: 844 } });
  const wide = page.locator(".wide");
  const key = page.getByRole("button", { name: "Everything of Guest 1" });
  for (const close of [() => page.keyboard.press("Escape"), () => page.goBack()]) {
    await key.press("Enter");
    await page.locator(".wide:focus").waitFor();
    await wide.getByRole("button", { name: "Guest 1: rename" }).click();
    await page.keyboard.press("Escape");
    await hasFocus(page, "Guest 1: rename");
    await close();
    await wide.waitFor({ state: "detached" });
    await hasFocus(page, "Everything of Guest 1");
  }
  await page.goto(`${desk.url}/#/mixer/0/2`);
  await page.reload();
  await wideOf(page, "Guest 2").waitFor();
  // Escape closes a dialog alone.
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.getByRole("button", { name: "Fade Guest 1" }).click();
  await page.getByRole("dialog").waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  assertEquals(await page.evaluate(() => location.hash), "#/mixer/0/2");
});

/** Curves of EQ 2 at +10 dB by type: the directions at 20 Hz, 500 Hz and 20 kHz. */
const CURVES = [
  ...["even up even", "up up even", "even up up", "even down down", "down down even"],
  ...["down even down", "even down even", "even even even"],
];

/** The directions of the drawn curve at 20 Hz, 500 Hz and 20 kHz: up, down or even. */
async function shapeOf(wide: Locator): Promise<string> {
  const drawn = await wide.locator(".curve-line").getAttribute("d");
  const heights = drawn!.slice(1).split("L").map((at) => Number(at.split(",")[1]));
  // The point 75 of 161 is 500 Hz. The height of 0 dB is 70; smaller heights are up.
  return [0, 75, 160].map((at) => heights[at]!).map((y) => y < 65 ? "up" : y > 75 ? "down" : "even")
    .join(" ");
}

browserTest("the wide strip sets the processing; a user takes over the mixer", async (desk) => {
  const other = await desk.client();
  const page = await desk.open();
  const wide = await openWide(page, "Host");
  await showBlock(wide, "Equalizer", "EQ 2");
  await wide.getByRole("button", { name: "ON EQ 2" }).click();
  const gain = wide.getByRole("slider", { name: "EQ 2: Gain" });
  await gain.focus();
  const flat = await wide.locator(".curve-line").getAttribute("d");
  await page.keyboard.press("PageUp");
  await becomes(() => other.get(`${FADERS}/0/params/eq2/gain`), 10);
  await until(async () => await wide.locator(".curve-line").getAttribute("d") !== flat);
  // The height of 0 dB is 70, that of 24 dB is 0; a bell has its gain at its frequency.
  const highest = await wide.locator(".curve-line").evaluate((line) =>
    Math.min(...line.getAttribute("d")!.slice(1).split("L").map((at) => Number(at.split(",")[1])))
  );
  assert(Math.abs(highest - 70 * 14 / 24) < 1, `${highest}`);
  for (const [type, drawn] of CURVES.entries()) {
    await other.set(`${FADERS}/0/params/eq2/type`, type);
    await becomes(() => shapeOf(wide), drawn);
  }
  await wide.getByRole("button", { name: "Next fader" }).click();
  await wideOf(page, "Guest 1").waitFor();
  await page.getByRole("button", { name: "Take over" }).click();
  await becomes(() => other.get("/audio/mixers/0/_user"), "admin");
  await page.getByRole("button", { name: "Leave", exact: true }).click();
  await becomes(() => other.get("/audio/mixers/0/_user"), "");
});

browserTest("locking the page releases a held fader", async (desk) => {
  const page = await desk.open("", touching);
  const fader = faderOf(page, "Host");
  await shows(fader, FADER_MIN);
  const { hand, knob, level } = await takeUp(page, fader);
  await page.getByRole("button", { name: "Lock against touch" }).dispatchEvent("click");
  await page.locator('.fader[aria-disabled="true"]').first().waitFor();
  await hand.move({ ...knob, y: knob.y - 250 });
  assertEquals(await restingLevel(fader), level);
  await page.locator(".fader.held").waitFor({ state: "detached" });
});

browserTest("a granted right does not move a held fader back", async (desk) => {
  const { payload } = await desk.rpc("adduser", { name: "op", groups: 1, may: "operate" });
  const { before } = holdAnswers(({ method }) => method === "set" || method === "update");
  const options = { token: payload.result.token, ...touching, before };
  const page = await desk.open("#/mixer/0/1", options);
  const fader = faderOf(page, "Host");
  await shows(fader, FADER_MIN);
  const barred = wideOf(page, "Guest 1").getByRole("button", { name: "M1", exact: true });
  await becomes(() => barred.getAttribute("aria-disabled"), "true");
  const { level } = await takeUp(page, fader);
  await desk.rpc("modifyuser", { name: "op", may: "configure" });
  await barred.dispatchEvent("click");
  await becomes(() => barred.getAttribute("aria-disabled"), "false");
  assertEquals(await restingLevel(fader), level);
});

browserTest("a finger on a slider scrolls vertically, and moves it horizontally", async (desk) => {
  // The screen is so low that a section does not fit.
  const viewport = { width: 390, height: 320 };
  const page = await desk.open("#/mixer/0/0/equalizer", { viewport, ...touching });
  await page.getByRole("button", { name: "EQ 4", exact: true }).click();
  const frequency = page.getByRole("slider", { name: "EQ 4: Frequency" });
  await frequency.scrollIntoViewIfNeeded();
  const body = page.locator(".wide-body");
  const scrolled = () => body.evaluate((body) => body.scrollTop);
  const value = await frequency.inputValue();
  const top = await scrolled();
  const place = () => placeIn(frequency, { x: 0.8, y: 0.5 });
  const hand = await fingersAt(page);
  const from = await place();
  await hand.press(from);
  for (let way = 0; way <= 200; way += 20) await hand.move({ x: from.x + 4, y: from.y - way });
  await until(async () => await scrolled() > top + 100);
  await hand.lift();
  assertEquals(await frequency.inputValue(), value, "it scrolls");
  // Scrolling goes on for a while after the finger is lifted.
  let last = -1;
  await until(async () => {
    await frames(page);
    const before = last;
    return before === (last = await scrolled());
  });
  // The slider may be behind the head of the strip.
  await frequency.scrollIntoViewIfNeeded();
  const { x, y } = await place();
  await page.mouse.dblclick(x, y);
  await hand.press({ x, y });
  await hand.move({ x: x - 7, y });
  await hand.lift();
  await frames(page);
  assertEquals(await frequency.inputValue(), value, "it is tapped");
  await hand.press({ x, y });
  for (let way = 0; way <= 40; way += 5) await hand.move({ x: x - way, y });
  await until(async () => await frequency.inputValue() < value);
  await hand.lift();
  await frames(page);
  const { width } = (await frequency.boundingBox())!;
  const way = Number(value) - Number(await frequency.inputValue());
  assert(way > 20 / width && way <= 40 / width, `${way * width} pixels`);
});

browserTest("ON shows a pending press, and two quick presses send two values", async (desk) => {
  let sent: ReturnType<typeof sentBy> = [];
  let isHolding = false;
  const slow = holdAnswers(({ method }) => isHolding && (method === "set" || method === "update"));
  const page = await desk.open("", {
    async before(page) {
      sent = sentBy(page);
      await slow.before(page);
    },
  });
  const on = page.getByRole("button", { name: "ON Host", exact: true });
  await on.waitFor();
  isHolding = true;
  await on.click();
  await page.locator('.asked[aria-label="ON Host"][aria-pressed="false"]').waitFor();
  await on.click();
  await becomes(
    () => sent.filter(({ method }) => method === "set").map(({ payload }) => payload),
    [true, false],
  );
  await on.click();
  slow.release();
  await page.locator('[aria-label="ON Host"][aria-pressed="true"]:not(.asked)').waitFor();
});

browserTest("a value without an answer is marked until it is read again", async (desk) => {
  let console: PageEnd | undefined;
  // The console does not answer the two sets, and nothing more after them.
  let sets = 0;
  const page = await desk.open("", {
    before: between({
      asked(message) {
        if (message.method === "set") sets++;
        return message;
      },
      answered(message, end) {
        console = end;
        const { method } = message;
        const isLost = sets > 1 || sets > 0 && (method === "set" || method === "update");
        return isLost ? undefined : message;
      },
    }),
  });
  const strip = page.getByRole("region", { name: "Fader 1, Host" });
  const fader = faderOf(page, "Host");
  await shows(fader, FADER_MIN);
  const other = await desk.client();
  await other.set(`${FADERS}/0/fader`, -20);
  await shows(fader, -20);
  // On a busy machine the console may seem silent for a moment, in which the page sends nothing.
  await page.locator(".lamp.open").waitFor();
  await fader.press("ArrowUp");
  await until(() => sets === 1);
  await page.locator(".lamp.open").waitFor();
  await strip.getByRole("button", { name: "ON Host" }).press("Enter");
  await becomes(() => other.get(`${FADERS}/0/on`), true);
  await page.getByText("Nothing comes from the console").waitFor();
  await strip.getByText("not answered").waitFor();
  await strip.locator('[aria-label="ON Host"][data-said="not answered"]').waitFor();
  assertEquals(await strip.locator(".strip-level .value").textContent(), "-19.0 dB");
  await becomes(() => other.get(`${FADERS}/0/fader`), -19);
  sets = 0;
  console!.close();
  await page.locator(".lamp.open").waitFor();
  await strip.getByText("not answered").waitFor({ state: "detached" });
  await page.locator('[aria-label="ON Host"][aria-pressed="true"]:not([data-said])').waitFor();
}, { expected: /WebSocket/ });

processTest("operations while a console hangs are not carried out later", async (desk) => {
  let sent: ReturnType<typeof sentBy> = [];
  const page = await desk.open("", { ...touching, before: (page) => sent = sentBy(page) });
  const fader = faderOf(page, "Host");
  await shows(fader, FADER_MIN);
  const { hand, knob, level } = await takeUp(page, fader);
  const other = await desk.client();
  await becomes(() => other.get(`${FADERS}/0/fader`), level);
  const sets = () => sent.filter(({ method }) => method === "set").length;
  const before = sets();
  desk.service.kill("SIGSTOP");
  for (let way = 150; way >= 0; way -= 5) await hand.move({ ...knob, y: knob.y - way });
  // One message may have been sent before the page notices the silence.
  assert(sets() - before <= 1, `${sets() - before} sent`);
  const on = page.getByRole("button", { name: "ON Host" });
  await on.dispatchEvent("click");
  await page.getByText("Nothing comes from the console").waitFor();
  await page.locator(".fader.held").waitFor({ state: "detached" });
  await on.dispatchEvent("click");
  await fader.dispatchEvent("keydown", { key: "End" });
  desk.service.kill("SIGCONT");
  await page.locator(".lamp.open").waitFor();
  await hand.lift();
  // A message that was sent before the silence may come into force after the page is back.
  await until(async () => await other.get(`${FADERS}/0/fader`) === await levelOf(fader));
  const inForce = await levelOf(fader);
  assert(Math.abs(travelAt(inForce) - travelAt(level)) < 0.05, `${inForce} dB, was ${level} dB`);
  assert(sets() - before <= 2, `${sets() - before} sent`);
});

processTest("a crash of the console releases held faders and sliders", async (desk) => {
  const page = await desk.open("", touching);
  const fader = faderOf(page, "Host");
  await shows(fader, FADER_MIN);
  const { hand, knob, level } = await takeUp(page, fader);
  const two = await desk.open();
  await showBlock(await openWide(two, "Host"), "Equalizer", "EQ 2");
  const gain = two.getByRole("slider", { name: "EQ 2: Gain" });
  await gain.scrollIntoViewIfNeeded();
  const place = async () => Number(await gain.inputValue());
  const { width } = (await gain.boundingBox())!;
  const middle = await placeIn(gain);
  const go = (way: number) => two.mouse.move(middle.x + way, middle.y);
  const isMoved = (way: number) =>
    until(async () => Math.abs(await place() - 0.5 - way / width) < 0.02);
  await go(0);
  await two.mouse.down();
  await go(10);
  await go(60);
  await isMoved(52);
  await two.keyboard.down("Shift");
  await go(110);
  await isMoved(57);
  await two.keyboard.up("Shift");
  const held = await place();
  const other = await desk.client();
  await becomes(() => other.get(`${FADERS}/0/fader`), level);
  // The middle, 0.5, is 0 dB, and the whole slider is 40 dB.
  await until(async () =>
    Math.abs(await other.get(`${FADERS}/0/params/eq2/gain`) - (held - 0.5) * 40) < 0.1
  );
  await other.close();

  desk.service.kill("SIGKILL");
  await desk.service.ended();
  for (const one of [page, two]) {
    await one.getByText("The connection to the console is lost").waitFor();
  }
  await hand.move({ ...knob, y: knob.y - 250 });
  assertEquals(await restingLevel(fader), level, "nothing is operated while it is gone");
  await desk.startAgain();
  await page.locator(".lamp.open").waitFor();
  await shows(fader, level);
  await hand.move({ ...knob, y: knob.y - 50 });
  assertEquals(await restingLevel(fader), level, "a finger that still lies there holds nothing");
  await hand.lift();
  await fader.press("End");
  await shows(fader, 10);

  await until(() => gain.isEnabled());
  const before = await place();
  await go(-60);
  await frames(two);
  assertEquals(await place(), before, "a pointer that is still down holds nothing");
  assert(Math.abs(before - held) < 0.02, `${before} after ${held}`);
}, { expected: /WebSocket|ERR_CONNECTION/ });

const many = {
  configuration: {
    mixers: [{
      faders: Array.from({ length: 64 }, (_, at) => ({ channel: at + 1, label: `F${at + 1}` })),
    }],
    engine: "simulated" as const,
  },
  isMetered: true,
};
const tablet = { viewport: { width: 1024, height: 768 } };

/** Waits until the element with this label has the focus. */
async function hasFocus(page: Page, label: string): Promise<void> {
  await page.locator(`:focus[aria-label="${label}"]`).waitFor();
}

browserTest("of many faders only those on the screen are in the page", async (desk) => {
  const { before, lose } = loseTwice("/audio/mixers");
  const page = await desk.open("?meters=0", { ...tablet, before });
  await faderOf(page, "F1").focus();
  assert(await page.locator(".strip").count() < 14);
  for (let fader = 2; fader <= 20; fader++) {
    await page.keyboard.press("ArrowRight");
    await hasFocus(page, `F${fader}`);
  }
  await page.keyboard.press("Tab");
  await hasFocus(page, "PFL 1 F20");
  await page.keyboard.press("ArrowLeft");
  await hasFocus(page, "PFL 1 F19");
  await becomes(() => page.locator('.row [tabindex="0"]').count(), 7);
  const pages = page.getByRole("navigation", { name: "Faders" }).getByRole("button");
  await pages.first().click();
  await page.locator('.strip[aria-label="Fader 1, F1"] [role="slider"][tabindex="0"]').waitFor();
  await pages.last().click();
  await faderOf(page, "F64").waitFor();
  await faderOf(page, "F1").waitFor({ state: "detached" });
  await until(async () => await page.locator(".strip").count() < 14);
  // The row has the focus of a strip that is scrolled away, unless a press took it before.
  const scroll = (to: number) =>
    page.locator(".row").evaluate((row, to) => row.scrollLeft = to, to);
  await faderOf(page, "F64").focus();
  await scroll(0);
  await page.locator(".row-inner:focus").waitFor();
  await page.keyboard.press("ArrowRight");
  await faderOf(page, "F1").focus();
  await page.locator(".console-name").click();
  await scroll(100_000);
  await faderOf(page, "F1").waitFor({ state: "detached" });
  await page.evaluate(() => new Promise((next) => requestAnimationFrame(() => setTimeout(next))));
  assertEquals(await page.locator("body :focus").count(), 0);
  await faderOf(page, "F64").waitFor();
  await lose();
  assertEquals(await faderOf(page, "F64").count(), 1, "they stay while they are read anew");
}, many);

/** The number of the fader at the left edge, from 0; undefined while the row scrolls. */
function leftmost(page: Page): Promise<string | undefined> {
  return page.evaluate(() => {
    const { left } = document.querySelector(".row")!.getBoundingClientRect();
    const shown = [...document.querySelectorAll<HTMLElement>(".row-place")]
      .find((place) => Math.abs(place.getBoundingClientRect().left - left) < 2);
    return shown?.dataset.fader;
  });
}

browserTest(
  "a turned screen shows the same faders, and keeps what is typed there",
  async (desk) => {
    const other = await desk.client();
    const upright = { width: 390, height: 844 };
    const page = await desk.open("?meters=0", { viewport: upright });
    const pages = page.getByRole("navigation", { name: "Faders" }).getByRole("button");
    await pages.nth(10).click();
    await becomes(() => leftmost(page), "30");
    // By then the page knows where it was scrolled to.
    await frames(page);
    await page.setViewportSize({ width: 844, height: 390 });
    await page.locator(".row.compact").waitFor();
    await becomes(() => leftmost(page), "30");
    await page.setViewportSize(upright);
    await page.locator(".row:not(.compact)").waitFor();
    await becomes(() => leftmost(page), "30");
    // Of the nine strips on a tablet, three fit the phone: those up to the one with the focus.
    await page.setViewportSize(tablet.viewport);
    await becomes(() => pages.count(), 8);
    await page.getByRole("button", { name: "F38: rename" }).click();
    const field = page.getByLabel("Label");
    await field.fill("Anna");
    await page.setViewportSize(upright);
    await becomes(() => pages.count(), 22);
    await becomes(() => leftmost(page), "35");
    assertEquals(await field.inputValue(), "Anna");
    assertEquals(await other.get(`${FADERS}/37/label`), "F38");
  },
  many,
);

/** Counts the meters that show a level; the pixels of an empty meter have a single colour. */
function livelyMeters(page: Page): Promise<number> {
  return page.evaluate(() =>
    [...document.querySelectorAll("canvas")].filter((canvas) => {
      const { data } = canvas.getContext("2d")!.getImageData(0, 0, 2, canvas.height);
      const colours = new Set<string>();
      for (let at = 0; at < data.length; at += 4) colours.add(data.slice(at, at + 3).join());
      return colours.size > 1;
    }).length
  );
}

browserTest("meters move while the page is visible, and not with ?meters=0", async (desk) => {
  let got: ReturnType<typeof gotBy> = [];
  const before = (page: Page) => got = gotBy(page);
  const heard = () =>
    got.filter((message) => /"meter"|"_gainreduction"/.test(JSON.stringify(message.payload) ?? ""))
      .length;
  const page = await desk.open("", { ...tablet, before });
  await until(async () => await livelyMeters(page) > 5);
  const see = (state: string) =>
    page.evaluate((state) => {
      Object.defineProperty(document, "visibilityState", { value: state, configurable: true });
      document.dispatchEvent(new Event("visibilitychange"));
    }, state);
  await showBlock(await openWide(page, "F1"), "Dynamics", "Compressor");
  await page.getByRole("button", { name: "ON Compressor" }).click();
  await until(() => heard() > 5);
  await see("hidden");
  // Meanwhile another client receives meters.
  const other = await desk.client();
  let others = 0;
  const count = () => void others++;
  const subscriber = { whole: count, change: count, ended: count };
  other.subscribe("/audio/mixers/0", subscriber, { meters: true });
  await until(() => others > 5);
  got.splice(0);
  await until(() => others > 10);
  assertEquals(heard(), 0);
  await see("visible");
  await until(() => heard() > 5);
  const quiet = await desk.open("?meters=0", { ...tablet, before });
  await faderOf(quiet, "F1").waitFor();
  assertEquals(await livelyMeters(quiet), 0);
  assertEquals(got.filter(({ meters }) => meters === true), []);
}, many);

browserTest("a meter that is on the screen again does not show its old level", async (desk) => {
  const path = `${FADERS}/0/meter/_input`;
  let isHeard = false;
  let isHeld = false;
  const page = await desk.open("", {
    ...tablet,
    before: between({
      asked(message) {
        if (message.path === path && message.method === "subscribe") isHeard = true;
        if (message.path === path && message.method === "unsubscribe") isHeard = false;
        return message;
      },
      answered: (message) =>
        isHeld && JSON.stringify(message).includes("meter") ? undefined : message,
    }),
  });
  const isLively = () =>
    page.locator('.strip[aria-label="Fader 1, F1"] canvas').first()
      .evaluate((canvas: HTMLCanvasElement) => {
        const { data } = canvas.getContext("2d")!.getImageData(0, canvas.height - 2, 2, 1);
        const { data: top } = canvas.getContext("2d")!.getImageData(0, 0, 2, 1);
        return `${data}` !== `${top}`;
      });
  await until(isLively);
  const pages = page.getByRole("navigation", { name: "Faders" }).getByRole("button");
  await pages.last().click();
  await until(() => !isHeard);
  isHeld = true;
  await pages.first().click();
  await until(() => isHeard);
  await frames(page);
  assertEquals(await isLively(), false, "nothing is reported yet");
}, many);

browserTest("with reduced motion meters are updated four times a second", async (desk) => {
  let sent: ReturnType<typeof sentBy> = [];
  const page = await desk.open("", {
    reducedMotion: "reduce",
    before: (page) => sent = sentBy(page),
  });
  const asked = () =>
    sent.findLast(({ meters, path }) => meters === true && path === `${FADERS}/0/meter/_input`)
      ?.interval;
  await becomes(asked, 250);
  await faderOf(page, "Host").press("End");
  await shows(faderOf(page, "Host"), 10);
});

browserTest("a strip that is on but not heard shows MUTED, with the reason", async (desk) => {
  const other = await desk.client();
  await other.set(FADERS, { 0: { on: true, vcagroup: 3 }, 1: { on: true, vcagroup: 3 } });
  await other.set(FADERS, { 0: { fader: 0 }, 2: { on: true, mutegroups: { 0: true } } });
  const page = await desk.open();
  const key = (label: string) => page.getByRole("button", { name: `ON ${label}`, exact: true });
  const look = (label: string) =>
    key(label).evaluate((key) => getComputedStyle(key).backgroundImage !== "none");
  const isMuted = async (label: string, why: string) => {
    await becomes(() => key(label).getAttribute("data-said"), "MUTED");
    await becomes(() => key(label).getAttribute("aria-description"), why);
    assertEquals(await look(label), true, label);
    await page.locator(".strip:not(.is-on)", { has: key(label) }).waitFor();
  };
  const isHeard = async (label: string) => {
    await page.locator(".strip.is-on", { has: key(label) }).waitFor();
    assertEquals([await look(label), await key(label).getAttribute("data-said")], [false, null]);
  };
  for (const label of ["Host", "Guest 1", "Guest 2"]) await isHeard(label);
  await page.getByRole("button", { name: "Mute 1", exact: true }).click();
  await isMuted("Guest 2", "Muted by mute group 1");
  await other.rpc("setviewdocument", {
    name: "groups",
    document: { mixers: { 0: { mutegroups: { 0: { name: "Microphones" } } } } },
  });
  await isMuted("Guest 2", "Muted by Microphones");
  await page.locator('.muting[title="Muted by Microphones"]').first().waitFor();
  await other.set(`${FADERS}/0/on`, false);
  await isMuted("Guest 1", "Muted by VCA 3: fader 1 leads it and is off");
  assertEquals(await accessibilityFaults(page), []);
  await other.set(`${FADERS}/0/on`, true);
  await isHeard("Guest 1");
  await other.set(`${FADERS}/1/sourceid`, 0);
  // The channel and its label are gone.
  await page.locator('.row-place[data-fader="1"] [data-said="MUTED"]').waitFor();
});

browserTest("in forced colours ON, PFL, mute, page, slot and focus are visible", async (desk) => {
  const page = await desk.open("", { forcedColors: "active" });
  const colour = (name: string) =>
    page.getByRole("button", { name, exact: true })
      .evaluate((button) => getComputedStyle(button).backgroundColor);
  for (
    const [name, other] of [["ON Host", "ON Guest 1"], ["PFL 1 Host", "PFL 2 Host"], [
      "Mute 1",
      "Mute 2",
    ]] as const
  ) {
    await page.getByRole("button", { name, exact: true }).click();
    await page.getByRole("button", { name, exact: true, pressed: true }).waitFor();
    assert(await colour(name) !== await colour(other), name);
  }
  const navigation = page.locator(".navigation");
  const link = (name: string) => navigation.getByRole("link", { name });
  const look = (control: Locator, of: "borderTopStyle" | "color" | "outlineStyle") =>
    control.evaluate((control, of) => getComputedStyle(control)[of], of);
  assertEquals(await look(link("Mixer"), "borderTopStyle"), "solid");
  assertEquals(await look(link("Lists"), "borderTopStyle"), "none");
  for (const present of [link("Mixer"), page.getByRole("link", { name: "On Air" })]) {
    // Otherwise the focus could not be seen.
    assertEquals(await look(present, "outlineStyle"), "none");
    await present.focus();
    await page.keyboard.press("Shift+Tab");
    await page.keyboard.press("Tab");
    assertEquals(await look(present, "outlineStyle"), "solid");
  }
  const slot = page.locator(".fader-slot").first();
  const [own, ground] = await slot.evaluate((slot) =>
    [slot, slot.closest(".strip")!].map((part) => getComputedStyle(part).backgroundColor)
  );
  assert(own !== ground, `the slot is ${own} on ${ground}`);
  const wide = await openWide(page, "Host");
  const tab = wide.getByRole("tab", { selected: true });
  const system = await page.evaluate(() => getComputedStyle(document.body).color);
  assertEquals(await look(tab, "color"), system);
});

browserTest(
  "a meter has its level as text, and screen readers announce nothing of a strip",
  async (desk) => {
    const other = await desk.client();
    await other.set(`${FADERS}/1/sourceid`, 0);
    const page = await desk.open();
    const meter = page.getByRole("meter", { name: "Meter of Host, pre-fader" });
    const said = () => meter.getAttribute("aria-valuetext");
    await until(async () => /^-\d+ dBFS$/.test(await said() ?? ""));
    assert(Number(await meter.getAttribute("aria-valuenow")) < 0);
    const silent = page.locator('.row-place[data-fader="1"] [role=meter]');
    await becomes(() => silent.getAttribute("aria-valuetext"), "−∞ dBFS");
    const live = page.locator(".mixer :is(output, [role=status], [role=alert], [aria-live])");
    assertEquals(await live.count(), 0);
  },
  { isMetered: true },
);

browserTest("a console without mixers says so", async (desk) => {
  const page = await desk.open();
  await page.getByText("This console has no mixers.").waitFor();
}, { configuration: { mixers: [] } });

browserTest("a mixer without faders says so", async (desk) => {
  const page = await desk.open();
  await page.getByText("This mixer has no faders.").waitFor();
}, { configuration: { mixers: [{ faders: 0 }] } });

browserTest("axe-core finds nothing on the light mixer in German", async (desk) => {
  const preferences = { theme: "light", language: "de" };
  const page = await desk.open("", { preferences });
  await page.getByRole("button", { name: "Blende Host" }).click();
  assertEquals(await accessibilityFaults(page, []), []);
});

browserTest("axe-core finds nothing on the mixer", async (desk) => {
  const page = await desk.open();
  const isFaultless = async (what: string) =>
    assertEquals(await accessibilityFaults(page), [], what);
  for (const key of ["ON Host", "PFL 1 Host", "Mute 1"]) {
    await page.getByRole("button", { name: key, exact: true }).click();
  }
  await isFaultless("the strips");
  await page.getByRole("button", { name: "Fade Host" }).click();
  await isFaultless("a fade");
  await page.getByRole("button", { name: "Start" }).click();
  const wide = await openWide(page, "Host");
  await isFaultless("the wide strip, a fade that runs");
  await showBlock(wide, "Dynamics", "Compressor");
  await page.getByRole("button", { name: "ON Compressor" }).click();
  await isFaultless("dynamics");
  await showBlock(wide, "Equalizer", "EQ 2");
  await page.getByRole("button", { name: "type EQ 2: Gain" }).click();
  await isFaultless("an equalizer, and a value that is typed");
  await page.getByRole("button", { name: "Host: rename" }).first().click();
  await isFaultless("a label that is edited");
  const nobody = await desk.open("", { token: "", viewport: { width: 390, height: 844 } });
  await faderOf(nobody, "Host").waitFor();
  assertEquals(await accessibilityFaults(nobody), []);
});
