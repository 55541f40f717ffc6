/** The mixer page: faders by touch, mouse and keys, fades, labels, rights, loss of the console. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { connect } from "../../client/client.ts";
import { FADER_MIN } from "../../fade/limits.ts";
import { travelAt } from "../../view/parts/fader/scale.ts";

import { browserTest, type Desk, type Locator, type Page } from "./browser.ts";
import { type Finger, type Fingers, fingersAt } from "./fingers.ts";
import { until } from "./until.ts";

const MIXER = "#/mixer/0";
const touching = { hasTouch: true };

/** The console as another client has it. */
function otherClient({ service, token }: Desk) {
  return connect(`${service.url.replace("http", "ws")}/api/ws`, { token });
}

function faderOf(page: Page, label: string): Locator {
  return page.getByRole("slider", { name: label, exact: true });
}

/** The level that a fader of the page says it has, in dB. */
async function levelOf(fader: Locator): Promise<number> {
  return Number(await fader.getAttribute("aria-valuenow"));
}

async function shows(fader: Locator, dB: number): Promise<void> {
  await until(async () => Math.abs(await levelOf(fader) - dB) < 0.051);
}

/** The level of a fader once it moves no more: a browser hands on moves frame by frame. */
async function restingLevel(fader: Locator): Promise<number> {
  let before = NaN;
  await until(async () => {
    await fader.page().waitForTimeout(100);
    const isResting = before === await levelOf(fader);
    before = await levelOf(fader);
    return isResting;
  });
  return before;
}

/** The middle of the knob of a fader. */
async function knobOf(fader: Locator): Promise<Finger> {
  const { x, y, width, height } = (await fader.locator(".fader-knob").boundingBox())!;
  return { x: x + width / 2, y: y + height / 2 };
}

/** A finger that has hold of a fader. */
interface Held {
  readonly hand: Fingers;
  /** Where the knob was before. */
  readonly knob: Finger;
  /** Where the fader is now, in dB. */
  readonly level: number;
}

/** Takes a fader by a finger, moves it up by 150 pixels, and holds it there. */
async function takeUp(page: Page, fader: Locator): Promise<Held> {
  const knob = await knobOf(fader);
  const hand = await fingersAt(page);
  await hand.press(knob);
  for (let way = 0; way <= 150; way += 30) await hand.move({ ...knob, y: knob.y - way });
  return { hand, knob, level: await restingLevel(fader) };
}

/** How many pixels the travel of a fader has. */
async function travelHeight(fader: Locator): Promise<number> {
  const knob = (await fader.locator(".fader-knob").boundingBox())!;
  return (await fader.boundingBox())!.height - knob.height;
}

browserTest(
  "a fader follows a finger from where it stands, and the console hears of it",
  async (desk) => {
    await using other = otherClient(desk);
    await other.ready();
    await other.set("/audio/mixers/0/faders/0/fader", -20);
    const page = await desk.open(MIXER, { token: desk.token, ...touching });
    const fader = faderOf(page, "Host");
    await shows(fader, -20);
    const height = await travelHeight(fader);
    const { x, y } = await knobOf(fader);
    const hand = await fingersAt(page);
    // Well away from the knob, which does not jump there.
    await hand.press({ x, y: y - 120 });
    await hand.move({ x, y: y - 125 });
    await shows(fader, -20);
    for (let way = 0; way <= 100; way += 10) await hand.move({ x, y: y - 125 - way });
    await hand.lift();
    const shown = await restingLevel(fader);
    assert(Math.abs(travelAt(shown) - travelAt(-20) - 100 / height) < 0.02, String(shown));
    await until(async () => await other.get("/audio/mixers/0/faders/0/fader") === shown);
    assertStringIncludes((await fader.getAttribute("aria-valuetext"))!, `${shown.toFixed(1)} dB`);
  },
);

browserTest("several faders are moved at once, each by its finger", async (desk) => {
  const page = await desk.open(MIXER, { token: desk.token, ...touching });
  const [host, guest] = [faderOf(page, "Host"), faderOf(page, "Guest 1")];
  await shows(host, FADER_MIN);
  const [one, two] = [await knobOf(host), await knobOf(guest)];
  const hand = await fingersAt(page);
  await hand.press(one);
  await hand.press(one, two);
  for (let way = 0; way <= 200; way += 20) {
    await hand.move({ ...one, y: one.y - way }, { ...two, y: two.y - way / 2 });
  }
  await hand.lift();
  const ofHost = travelAt(await restingLevel(host));
  const ofGuest = travelAt(await restingLevel(guest));
  assert(ofHost > 0.2 && ofGuest > 0.1, `${ofHost} ${ofGuest}`);
  assert(ofHost > ofGuest * 1.7, `${ofHost} ${ofGuest}`);
});

browserTest("a second finger on a fader makes it ten times as fine", async (desk) => {
  const page = await desk.open(MIXER, { token: desk.token, ...touching });
  const fader = faderOf(page, "Host");
  await shows(fader, FADER_MIN);
  const { x, y } = await knobOf(fader);
  const second = { x: x + 4, y: y - 60 };
  const hand = await fingersAt(page);
  await hand.press({ x, y });
  await hand.move({ x, y: y - 10 });
  await hand.press({ x, y: y - 10 }, second);
  await hand.move({ x, y: y - 110 }, second);
  await hand.lift();
  const height = await travelHeight(fader);
  const travel = travelAt(await restingLevel(fader));
  assert(travel > 0 && travel < 30 / height, `${travel * height} pixels`);
});

browserTest("a fader is worked by keys and by the wheel alone", async (desk) => {
  const page = await desk.open(MIXER, { token: desk.token });
  const fader = faderOf(page, "Host");
  await shows(fader, FADER_MIN);
  await fader.focus();
  const presses: readonly (readonly [key: string, dB: number])[] = [
    ["End", 10],
    ["ArrowDown", 9],
    ["Shift+ArrowDown", 8.9],
    ["PageDown", 3.9],
    ["Home", FADER_MIN],
    ["End", 10],
  ];
  for (const [key, dB] of presses) {
    await page.keyboard.press(key);
    assertEquals(await levelOf(fader), dB, key);
  }
  const { x, y } = await knobOf(fader);
  await page.mouse.move(x, y);
  await page.mouse.wheel(0, 200);
  await shows(fader, 8);
  await page.keyboard.down("Shift");
  await page.mouse.wheel(0, 100);
  await shows(fader, 7.9);
  await page.mouse.wheel(100, 0);
  await shows(fader, 7.8);
  await page.keyboard.up("Shift");
  for (let turns = 0; turns < 10; turns++) await page.mouse.wheel(0, 4);
  await shows(fader, 7.4);
  await page.keyboard.press("Tab");
  assertEquals(
    await page.evaluate(() => document.activeElement!.getAttribute("aria-label")),
    "PFL 1 Host",
  );
});

browserTest("two taps near 0 dB set 0 dB", async (desk) => {
  const page = await desk.open(MIXER, { token: desk.token, ...touching });
  const fader = faderOf(page, "Host");
  await shows(fader, FADER_MIN);
  const { x, y } = await knobOf(fader);
  const zero = { x, y: y - travelAt(0) * await travelHeight(fader) };
  const hand = await fingersAt(page);
  for (let tap = 0; tap < 2; tap++) {
    await hand.press(zero);
    await hand.lift();
  }
  await shows(fader, 0);
});

browserTest(
  "a mouse drags a fader, and Shift makes it fine; it jumps where that is chosen",
  async (desk) => {
    const page = await desk.open(MIXER, {
      token: desk.token,
      preferences: { touch: "jump" },
    });
    const fader = faderOf(page, "Host");
    await shows(fader, FADER_MIN);
    const { x, y } = await knobOf(fader);
    const height = await travelHeight(fader);
    const top = y - travelAt(-10) * height;
    await page.mouse.move(x, top);
    await page.mouse.down();
    await until(async () => Math.abs(await levelOf(fader) + 10) < 1);
    const jumped = await levelOf(fader);
    await page.mouse.move(x, top - 4);
    await page.mouse.move(x, top - 44);
    const dragged = travelAt(await restingLevel(fader));
    assert(Math.abs(dragged - travelAt(jumped) - 40 / height) < 0.02, String(dragged));
    await page.keyboard.down("Shift");
    await page.mouse.move(x, top - 144);
    const fine = travelAt(await restingLevel(fader));
    assert(Math.abs(fine - dragged - 10 / height) < 0.02, String(fine));
    await page.keyboard.up("Shift");
    await page.mouse.up();
  },
);

browserTest("two browsers see each other, and who holds a fader is not disturbed", async (desk) => {
  const one = await desk.open(MIXER, { token: desk.token, ...touching });
  const two = await desk.open(MIXER, { token: desk.token });
  const [here, there] = [faderOf(one, "Host"), faderOf(two, "Host")];
  await shows(here, FADER_MIN);
  const { hand, level: held } = await takeUp(one, here);
  await shows(there, held);
  await there.focus();
  await two.keyboard.press("End");
  await shows(there, 10);
  // Time enough for this page to hear of it.
  await one.waitForTimeout(500);
  assertEquals(await levelOf(here), held, "while it is held, others wait");
  await hand.lift();
  await shows(here, 10);
  const on = (page: Page) => page.getByRole("button", { name: "ON Guest 1", exact: true });
  await on(two).click();
  await on(one).and(one.locator('[aria-pressed="true"]')).waitFor();
});

browserTest(
  "a fade is asked for at the strip, is seen moving with the time it takes, and is caught by touch",
  async (desk) => {
    const page = await desk.open(MIXER, { token: desk.token, ...touching });
    const fader = faderOf(page, "Guest 1");
    await shows(fader, FADER_MIN);
    await page.getByRole("button", { name: "Fade Guest 1" }).click();
    await page.getByRole("button", { name: "0 dB", exact: true }).click();
    await page.getByRole("button", { name: "10 s" }).click();
    await page.getByRole("button", { name: "Start" }).click();
    const strip = page.getByRole("region", { name: "Fader 2, Guest 1" });
    await strip.locator("[data-fading=true]").waitFor();
    const told = await strip.locator(".strip-level small").textContent();
    assert(/^→ 0\.0 (9\.\d|10\.0) s$/.test(told!), told!);
    await until(async () => await levelOf(fader) > -60);
    const knob = await knobOf(fader);
    const hand = await fingersAt(page);
    await hand.press(knob);
    const caught = await levelOf(fader);
    await strip.locator("[data-fading=false]").waitFor();
    await hand.lift();
    await page.waitForTimeout(300);
    await shows(fader, caught);
    assert(caught > -60 && caught < -5, String(caught));
  },
);

browserTest(
  "in German levels have a comma, and a fade is typed with it, or a point",
  async (desk) => {
    await using other = otherClient(desk);
    await other.ready();
    await other.set("/audio/mixers/0/faders/0/fader", -6);
    const page = await desk.open(MIXER, { token: desk.token, locale: "de-DE" });
    const strip = page.getByRole("region", { name: "Fader 1, Host" });
    await strip.getByText("-6,0 dB").waitFor();
    await faderOf(page, "Host").and(page.locator('[aria-valuetext="-6,0 dB"]')).waitFor();
    await page.getByRole("button", { name: "Blende Host" }).click();
    const level = page.getByLabel("Auf (dB)");
    await level.fill("12");
    await page.getByRole("button", { name: "Start" }).click();
    assertEquals(
      await level.evaluate((field) => (field as HTMLInputElement).validationMessage),
      "Von -160 bis 10 dB",
    );
    await level.fill("-3,5");
    await page.getByLabel("In (s)").fill("0.5");
    await page.getByRole("button", { name: "Start" }).click();
    await strip.getByText("-3,5 dB").waitFor();
  },
);

browserTest("a cross-fade takes one fader out and another in", async (desk) => {
  await using other = otherClient(desk);
  await other.ready();
  await other.set("/audio/mixers/0/faders/4/fader", -6);
  const page = await desk.open(MIXER, { token: desk.token });
  await shows(faderOf(page, "Playout A"), -6);
  await page.getByRole("button", { name: "Fade Playout A" }).click();
  await page.getByLabel("Cross-fade with").selectOption({ label: "6 Playout B" });
  await page.getByRole("button", { name: "0.5 s" }).click();
  await page.getByRole("button", { name: "Start" }).click();
  await shows(faderOf(page, "Playout A"), FADER_MIN);
  await shows(faderOf(page, "Playout B"), -6);
});

browserTest("faders and mute groups have the numbers of a desk, which begin at 1", async (desk) => {
  await using other = otherClient(desk);
  await other.ready();
  await other.set("/audio/mixers/0/faders/1/mutegroups/0", true);
  const page = await desk.open(MIXER, { token: desk.token });
  const strip = page.getByRole("region", { name: "Fader 2, Guest 1" });
  await strip.getByText("2", { exact: true }).waitFor();
  await strip.getByText("M1", { exact: true }).waitFor();
  await page.getByRole("button", { name: "Mute 1", exact: true }).click();
  await until(async () => await other.get("/audio/mixers/0/mutegroups/0"));
  await strip.getByTitle("Muted by mute group 1").waitFor();
});

browserTest("a label is edited where it stands, and Escape leaves it as it was", async (desk) => {
  const [one, two] = [
    await desk.open(MIXER, { token: desk.token }),
    await desk.open(MIXER, { token: desk.token }),
  ];
  await one.getByRole("button", { name: "Host: rename" }).click();
  await one.getByLabel("Label").fill("Anna");
  await one.keyboard.press("Enter");
  await two.getByRole("button", { name: "Anna: rename" }).click();
  await two.getByLabel("Label").fill("Nobody");
  await two.keyboard.press("Escape");
  await two.getByRole("button", { name: "Anna: rename" }).waitFor();
  await one.getByRole("button", { name: "Anna: rename" }).waitFor();
});

browserTest("who renames may type on at once", async (desk) => {
  const page = await desk.open(MIXER, { token: desk.token });
  const name = page.getByRole("button", { name: "Host: rename" });
  const chosen = await name.evaluate(async (button) => {
    (button as HTMLElement).click();
    await new Promise((done) => queueMicrotask(() => queueMicrotask(() => done(undefined))));
    const { value = "", selectionStart, selectionEnd } = document
      .activeElement as HTMLInputElement;
    return value.slice(selectionStart ?? 0, selectionEnd ?? 0);
  });
  assertEquals(chosen, "Host");
  await page.keyboard.type("Anna");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Anna: rename" }).waitFor();
});

browserTest("who may only look sees all of it disabled, with the reason", async (desk) => {
  await using other = otherClient(desk);
  await other.ready();
  const user = await other.rpc("adduser", { name: "guest", groups: 1, may: "view" });
  const page = await desk.open(MIXER, { token: user.token, ...touching });
  const fader = faderOf(page, "Host");
  await shows(fader, FADER_MIN);
  const told = page.locator('[aria-disabled="true"][title="This needs the right to operate."]');
  await fader.and(told).waitFor();
  const knob = await knobOf(fader);
  const hand = await fingersAt(page);
  await hand.press(knob);
  await hand.move({ ...knob, y: knob.y - 200 });
  await hand.lift();
  await page.getByRole("status").getByText("This needs the right to operate.").first().waitFor();
  assertEquals(await levelOf(fader), FADER_MIN);
  const operator = await other.rpc("adduser", { name: "operator", groups: 1, may: "operate" });
  const desked = await desk.open(MIXER, { token: operator.token });
  await desked.getByRole("button", { name: "Everything of Host" }).click();
  await until(() => desked.getByLabel("Compressor: Threshold").isDisabled());
});

for (const [device, width, height] of [["tablet", 1024, 768], ["phone", 390, 844]] as const) {
  browserTest(`on a ${device} nothing above the strips is out of sight`, async (desk) => {
    const page = await desk.open(MIXER, { token: desk.token, viewport: { width, height } });
    await faderOf(page, "Host").waitFor();
    const buttons = await page.locator(".mixer-bar .button").all();
    assert(buttons.length >= 7);
    for (const button of buttons) {
      const { x, width: wide } = (await button.boundingBox())!;
      assert(x >= 0 && x + wide <= width, `${await button.textContent()}: ${x} + ${wide}`);
    }
    const { width: key } = (await page.getByRole("button", { name: "PFL 1 Host" }).boundingBox())!;
    assert(key >= 40, `${key} pixels`);
  });
}

for (
  const [screen, width, height, options] of [
    ["a small phone", 390, 664, {}],
    ["a phone that lies", 844, 390, {}],
    ["a phone with an alarm, in German", 390, 844, { locale: "de-DE", before: withoutEngine }],
  ] as const
) {
  browserTest(`on ${screen} the lowest key is inside its row, and is reached`, async (desk) => {
    const { token } = desk;
    const page = await desk.open(MIXER, { token, viewport: { width, height }, ...options });
    await faderOf(page, "Host").waitFor();
    const strip = page.locator(".strip").first();
    if ("before" in options) await page.locator(".alarm").waitFor();
    const key = strip.locator(".key").last();
    const row = (await page.locator(".row").boundingBox())!;
    const { y, height: high } = (await key.boundingBox())!;
    assert(y + high <= row.y + row.height, `${y} + ${high} in ${row.y} + ${row.height}`);
    await page.mouse.move(width / 2, row.y + 20);
    await page.mouse.wheel(0, 1000);
    const isSeen = () =>
      key.evaluate((key) => {
        const { left, top, width, height } = key.getBoundingClientRect();
        return key.contains(document.elementFromPoint(left + width / 2, top + height / 2));
      });
    await until(isSeen);
  });
}

/** Stands between a page and its console, and says that the engine is lost. */
function withoutEngine(page: Page): Promise<void> {
  return page.routeWebSocket(/api\/ws$/, (socket) => {
    const server = socket.connectToServer();
    server.onMessage((text) => {
      const message = JSON.parse(String(text));
      const isIt = message.path === "/general/_engine" && "payload" in message;
      socket.send(JSON.stringify(isIt ? { ...message, payload: "lost" } : message));
    });
  });
}

browserTest("marks of a fader never overlap, and most of them stay", async (desk) => {
  const page = await desk.open(MIXER, { viewport: { width: 390, height: 664 } });
  await faderOf(page, "Host").waitFor();
  for (const [height, least] of [[664, 6], [900, 9], [1080, 10]] as const) {
    await page.setViewportSize({ width: 390, height });
    const marks = await page.locator(".fader").first().locator(".fader-scale span").all();
    const places: number[] = [];
    for (const mark of marks) {
      const box = await mark.boundingBox();
      if (box !== null) places.push(box.y);
    }
    assert(places.length >= least, `${places.length} marks at ${height}`);
    const gaps = places.slice(1).map((place, at) => place - places[at]!);
    assert(Math.min(...gaps) >= 12, `${gaps} at ${height}`);
  }
});

browserTest(
  "the key that opens the wide strip stays under the pointer, and closes it again",
  async (desk) => {
    const viewport = { width: 1920, height: 1080 };
    const page = await desk.open(MIXER, { token: desk.token, viewport });
    const key = page.getByRole("button", { name: "Everything of Guest 1" });
    // Once the strips stand where they stay.
    await key.hover();
    const { x, y, width, height } = (await key.boundingBox())!;
    await page.mouse.click(x + width / 2, y + height / 2);
    await page.locator(".wide").waitFor();
    // Time enough to lay it out anew.
    await page.waitForTimeout(300);
    assertEquals(await key.boundingBox(), { x, y, width, height });
    await page.mouse.click(x + width / 2, y + height / 2);
    await page.locator(".wide").waitFor({ state: "detached" });
    assertEquals(await page.getByRole("dialog").count(), 0);
  },
);

browserTest(
  "Escape and Back close the wide strip, and the focus is at the key that opens it",
  async (desk) => {
    const viewport = { width: 390, height: 844 };
    const page = await desk.open(MIXER, { token: desk.token, viewport });
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
    const fresh = await desk.open("#/mixer/0/2", { token: desk.token });
    await fresh.getByRole("complementary", { name: "Everything of Guest 2" }).waitFor();
  },
);

browserTest(
  "a long label stands in two lines, and meters have numbers where there is room",
  async (desk) => {
    await using other = otherClient(desk);
    await other.ready();
    await other.set("/audio/mixers/0/faders/0/label", "Guest microphone left");
    const page = await desk.open(MIXER, { viewport: { width: 1024, height: 768 } });
    const heightOf = async (label: string) =>
      (await page.locator(".strip-name span", { hasText: label }).boundingBox())!.height;
    await page.locator(".strip-name span", { hasText: "left" }).waitFor();
    assert(await heightOf("Guest microphone left") > 1.9 * await heightOf("Guest 1"));
    const scale = page.locator(".strip .meter-scale").first();
    await scale.waitFor({ state: "hidden" });
    await page.setViewportSize({ width: 1920, height: 1080 });
    await scale.waitFor();
  },
);

browserTest("what is refused in the wide strip is not shown as if in force", async (desk) => {
  await using other = otherClient(desk);
  await other.ready();
  const { token } = await other.rpc("adduser", { name: "guest", groups: 1, may: "configure" });
  const page = await desk.open(MIXER, { token });
  await page.getByRole("button", { name: "Everything of Host" }).click();
  const wide = page.getByRole("complementary", { name: "Everything of Host" });
  const source = wide.getByRole("combobox").first();
  const type = wide.getByLabel("EQ 2: Type");
  const phase = wide.getByRole("switch").first();
  await source.waitFor();
  const before = [await source.inputValue(), await type.inputValue(), await phase.isChecked()];
  await other.rpc("modifyuser", { name: "guest", may: "view" });
  // In one go: after the first refusal the page knows of the right, and disables them all.
  await wide.evaluate((wide) => {
    const choices = [
      wide.querySelector("select")!,
      wide.querySelector('[aria-label="EQ 2: Type"]')!,
    ];
    for (const choice of choices as HTMLSelectElement[]) {
      choice.selectedIndex = choice.selectedIndex === 0 ? 1 : 0;
      choice.dispatchEvent(new Event("change", { bubbles: true }));
    }
    wide.querySelector<HTMLElement>('[role="switch"]')!.click();
  });
  await page.getByRole("status").getByText("right").first().waitFor();
  await until(async () => {
    const now = [await source.inputValue(), await type.inputValue(), await phase.isChecked()];
    return JSON.stringify(now) === JSON.stringify(before);
  });
});

browserTest(
  "the wide strip shows and sets the processing, and who is logged in on the mixer",
  async (desk) => {
    await using other = otherClient(desk);
    await other.ready();
    const page = await desk.open(MIXER, { token: desk.token });
    await page.getByRole("button", { name: "Everything of Host" }).click();
    const wide = page.getByRole("complementary", { name: "Everything of Host" });
    await wide.getByRole("button", { name: "ON EQ 2" }).click();
    const gain = wide.getByLabel("EQ 2: Gain");
    await gain.focus();
    const flat = await wide.locator(".curve-line").getAttribute("d");
    await page.keyboard.press("PageUp");
    await until(async () => await other.get("/audio/mixers/0/faders/0/params/eq2/gain") === 10);
    await until(async () => await wide.locator(".curve-line").getAttribute("d") !== flat);
    await wide.getByRole("button", { name: "The next fader" }).click();
    await page.getByRole("complementary", { name: "Everything of Guest 1" }).waitFor();
    await page.getByRole("button", { name: "Take over" }).click();
    await until(async () => await other.get("/audio/mixers/0/_user") === "admin");
    await page.getByRole("button", { name: "Leave", exact: true }).click();
    await until(async () => await other.get("/audio/mixers/0/_user") === "");
  },
);

browserTest("a lock takes a fader out of the hand that holds it", async (desk) => {
  const page = await desk.open(MIXER, { token: desk.token, ...touching });
  const fader = faderOf(page, "Host");
  await shows(fader, FADER_MIN);
  const { hand, knob, level } = await takeUp(page, fader);
  await page.getByRole("button", { name: "Lock against touch" }).dispatchEvent("click");
  await page.locator('.fader[aria-disabled="true"]').first().waitFor();
  await hand.move({ ...knob, y: knob.y - 250 });
  assertEquals(await restingLevel(fader), level);
  await page.locator(".fader.held").waitFor({ state: "detached" });
  await hand.lift();
});

browserTest("a finger scrolls over the sliders, and moves one only sideways", async (desk) => {
  const viewport = { width: 390, height: 844 };
  const page = await desk.open(MIXER, { token: desk.token, viewport, ...touching });
  await page.getByRole("button", { name: "Everything of Host" }).click();
  const gain = page.getByLabel("EQ 2: Gain");
  await gain.scrollIntoViewIfNeeded();
  const body = page.locator(".wide-body");
  const before = [await gain.inputValue(), await body.evaluate((body) => body.scrollTop)];
  const place = async () => {
    const { x, y, width, height } = (await gain.boundingBox())!;
    return { x: x + width * 0.8, y: y + height / 2 };
  };
  const hand = await fingersAt(page);
  const scrolling = await place();
  await hand.press(scrolling);
  for (let way = 0; way <= 200; way += 20) {
    await hand.move({ x: scrolling.x + 4, y: scrolling.y - way });
  }
  await hand.lift();
  await until(async () => await body.evaluate((body) => body.scrollTop) > Number(before[1]) + 100);
  assertEquals(await gain.inputValue(), before[0], "it scrolls");
  // What was scrolled by a finger goes on for a while.
  let top = -1;
  await until(async () => {
    await page.waitForTimeout(300);
    const last = top;
    top = await body.evaluate((body) => body.scrollTop);
    return top === last;
  });
  // It may have gone behind the head of the strip.
  await gain.scrollIntoViewIfNeeded();
  const { x, y } = await place();
  await page.mouse.dblclick(x, y);
  await hand.press({ x, y });
  await hand.move({ x: x - 7, y });
  await hand.lift();
  // Time enough for a browser to hand it on.
  await page.waitForTimeout(300);
  assertEquals(await gain.inputValue(), before[0], "it is tapped");
  await hand.press({ x, y });
  for (let way = 0; way <= 40; way += 5) await hand.move({ x: x - way, y });
  await until(async () => await gain.inputValue() < before[0]!);
  await hand.lift();
  const { width } = (await gain.boundingBox())!;
  const way = Number(before[0]) - Number(await gain.inputValue());
  assert(way > 20 / width && way <= 40 / width, `${way * width} pixels`);
});

browserTest(
  "a console that dies under a dragged fader takes it out of the hand, and gives it back",
  async (desk) => {
    const page = await desk.open(MIXER, { token: desk.token, ...touching });
    const fader = faderOf(page, "Host");
    await shows(fader, FADER_MIN);
    const { hand, knob, level } = await takeUp(page, fader);
    await using other = otherClient(desk);
    await other.ready();
    await until(async () => await other.get("/audio/mixers/0/faders/0/fader") === level);
    await other.close();
    desk.service.kill("SIGKILL");
    await desk.service.ended();
    await page.getByText("The connection to the console is lost").waitFor();
    await hand.move({ ...knob, y: knob.y - 250 });
    assertEquals(await restingLevel(fader), level, "nothing is operated while it is gone");
    await desk.startAgain();
    await page.locator(".lamp.open").waitFor();
    await shows(fader, level);
    await hand.move({ ...knob, y: knob.y - 50 });
    assertEquals(await restingLevel(fader), level, "a finger that still lies there holds nothing");
    await hand.lift();
    await fader.focus();
    await page.keyboard.press("End");
    await shows(fader, 10);
  },
  { expected: /WebSocket|ERR_CONNECTION/ },
);

browserTest(
  "a slider of the wide strip is taken out of the hand with the console, and Shift makes it fine",
  async (desk) => {
    const page = await desk.open(MIXER, { token: desk.token });
    await page.getByRole("button", { name: "Everything of Host" }).click();
    const gain = page.getByLabel("EQ 2: Gain");
    await gain.scrollIntoViewIfNeeded();
    const value = async () => Number(await gain.inputValue());
    const { x, y, width, height } = (await gain.boundingBox())!;
    const go = (way: number) => page.mouse.move(x + width / 2 + way, y + height / 2);
    await go(0);
    await page.mouse.down();
    await go(10);
    await go(60);
    await until(async () => Math.abs(await value() - 0.5 - 52 / width) < 0.02);
    await page.keyboard.down("Shift");
    await go(110);
    await until(async () => Math.abs(await value() - 0.5 - 57 / width) < 0.02);
    await page.keyboard.up("Shift");
    const held = await value();
    // Time enough for all of it to be kept.
    await page.waitForTimeout(500);
    desk.service.kill("SIGKILL");
    await desk.service.ended();
    await page.getByText("The connection to the console is lost").waitFor();
    await desk.startAgain();
    await page.locator(".lamp.open").waitFor();
    await until(() => gain.isEnabled());
    const before = await value();
    await go(-60);
    await page.waitForTimeout(300);
    assertEquals(await value(), before, "a pointer that is still down holds nothing");
    assert(Math.abs(before - held) < 0.02, `${before} after ${held}`);
    await page.mouse.up();
  },
  { expected: /WebSocket|ERR_CONNECTION/ },
);

const many = {
  mixers: [{
    faders: Array.from({ length: 64 }, (_, at) => ({ channel: at + 1, label: `F${at + 1}` })),
  }],
  engine: "simulated",
};

browserTest(
  "of many faders only those on the screen are in the page, and a bar jumps to the rest",
  async (desk) => {
    const page = await desk.open("", { token: desk.token, viewport: { width: 1024, height: 768 } });
    await faderOf(page, "F1").waitFor();
    assert(await page.locator(".strip").count() < 14);
    await page.getByRole("navigation", { name: "Faders" }).getByRole("button").last().click();
    await faderOf(page, "F64").waitFor();
    await faderOf(page, "F1").waitFor({ state: "detached" });
    await until(async () => await page.locator(".strip").count() < 14);
  },
  { configuration: many },
);

/** Waits until what is called so has the focus. */
async function hasFocus(page: Page, label: string): Promise<void> {
  await page.locator(`:focus[aria-label="${label}"]`).waitFor();
}

browserTest(
  "Tab goes through one strip, and arrows to the side to the same control of the next ones",
  async (desk) => {
    const page = await desk.open("", { token: desk.token, viewport: { width: 1024, height: 768 } });
    await faderOf(page, "F1").focus();
    for (let fader = 2; fader <= 40; fader++) {
      await page.keyboard.press("ArrowRight");
      await hasFocus(page, `F${fader}`);
    }
    await page.keyboard.press("Tab");
    await hasFocus(page, "PFL 1 F40");
    await page.keyboard.press("ArrowLeft");
    await hasFocus(page, "PFL 1 F39");
    await until(async () => await page.locator('.row [tabindex="0"]').count() === 7);
    await page.getByRole("navigation", { name: "Faders" }).getByRole("button").first().click();
    await faderOf(page, "F1").waitFor();
    await page.locator('.strip[aria-label="Fader 1, F1"] [role="slider"][tabindex="0"]').waitFor();
  },
  { configuration: many },
);

browserTest("the focus stays where it is in a strip, after a label and a dialog", async (desk) => {
  const page = await desk.open(MIXER, { token: desk.token });
  await page.getByRole("button", { name: "Host: rename" }).press("Enter");
  await page.getByLabel("Label").fill("Anna");
  await page.keyboard.press("Enter");
  await hasFocus(page, "Anna: rename");
  await page.getByRole("button", { name: "Fade Anna" }).press("Enter");
  await page.getByRole("dialog").locator("button:focus", { hasText: "Out" }).waitFor();
  await page.getByRole("button", { name: "Start" }).click();
  await hasFocus(page, "Fade Anna");
});

/** Counts the meters that are not empty: the pixels of a canvas are all of one colour then. */
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

/** Calls `onMeters` whenever a page is sent levels or gain reductions. */
function hearing(onMeters: () => void) {
  return (page: Page) => {
    page.on("websocket", (socket) => {
      socket.on("framereceived", ({ payload }) => {
        const text = String(payload);
        if (JSON.parse(text).method !== "update") return;
        if (text.includes('"meter"') || text.includes('"_gainreduction"')) onMeters();
      });
    });
    return Promise.resolve();
  };
}

browserTest("meters move, and with ?meters=0 none is asked for", async (desk) => {
  const page = await desk.open("", { token: desk.token });
  await until(async () => await livelyMeters(page) > 5);
  let heard = 0;
  const before = hearing(() => heard++);
  const quiet = await desk.open("?meters=0", { token: desk.token, before });
  await faderOf(quiet, "F1").waitFor();
  await quiet.waitForTimeout(500);
  assertEquals([heard, await livelyMeters(quiet)], [0, 0]);
}, { configuration: many });

browserTest(
  "while the page is not seen no meter is asked for, of the wide strip either",
  async (desk) => {
    let heard = 0;
    const page = await desk.open("", { token: desk.token, before: hearing(() => heard++) });
    const see = (state: string) =>
      page.evaluate((state) => {
        Object.defineProperty(document, "visibilityState", { value: state, configurable: true });
        document.dispatchEvent(new Event("visibilitychange"));
      }, state);
    await page.getByRole("button", { name: "Everything of F1", exact: true }).click();
    await page.getByRole("button", { name: "ON Compressor" }).click();
    await until(() => heard > 5);
    await see("hidden");
    await page.waitForTimeout(300);
    heard = 0;
    await page.waitForTimeout(500);
    assertEquals(heard, 0);
    await see("visible");
    await until(() => heard > 5);
  },
  { configuration: many },
);
