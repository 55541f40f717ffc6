/** The page Console: a value set in one page is seen in the others. */
import { assert, assertEquals } from "@std/assert";
import { demoConfiguration } from "../../core/configuration/demo.ts";
import { between, holdAnswers, sentBy } from "./between.ts";
import {
  accessibilityFaults,
  becomes,
  browserTest,
  clickDisabled,
  type Page,
  until,
} from "./browser.ts";
import { fingersAt, frames, placeIn, steadyPlace } from "./fingers.ts";

const slider = (page: Page, name: string) => page.getByRole("slider", { name });
const valueOf = (page: Page, label: string) => () => page.getByLabel(label).inputValue();

browserTest("pages see each other's labels, logics, pots, routes and selectors", async (desk) => {
  const page = await desk.open("#/console");
  const other = await desk.open("#/console");
  await page.getByLabel("Label 1: Studio 1").fill("Studio Köln");
  await page.keyboard.press("Enter");
  await becomes(valueOf(other, "Label 1"), "Studio Köln");
  await page.getByRole("button", { name: "Door" }).click();
  await other.getByRole("button", { name: "Off Door" }).waitFor();
  await page.getByLabel("Transmitter").selectOption("Web stream (core)");
  await becomes(valueOf(other, "Transmitter"), "2");
  await page.getByRole("button", { name: "PFL" }).click();
  await becomes(
    () => other.getByRole("button", { name: "PFL" }).getAttribute("aria-pressed"),
    "true",
  );
  await slider(page, "Headphones").press("ArrowUp");
  await becomes(() => slider(other, "Headphones").getAttribute("aria-valuetext"), "-19.5 dB");
  assertEquals(await accessibilityFaults(page), []);
});

browserTest("an empty label restores the configured label, Escape the last one", async (desk) => {
  const page = await desk.open("#/console");
  const client = await desk.client();
  const label = page.getByLabel("Label 1: Studio 1");
  await label.fill("Other");
  await label.press("Escape");
  await becomes(() => label.inputValue(), "Studio 1");
  await label.press("Tab");
  assertEquals(await client.get("/control/labels/1/label"), "Studio 1", "nothing is set");
  await label.fill("Other");
  await label.press("Tab");
  await becomes(() => client.get("/control/labels/1/label"), "Other");
  await label.fill("");
  await label.press("Enter");
  await becomes(() => label.inputValue(), "Studio 1");
});

browserTest("text typed into a label while the console answers is kept", async (desk) => {
  const { before, release } = holdAnswers(({ method, success }) => method === "set" && success);
  const page = await desk.open("#/console", { before });
  const client = await desk.client();
  const label = page.getByLabel("Label 1: Studio 1");
  await label.fill("Other");
  await label.press("Enter");
  await becomes(() => client.get("/control/labels/1/label"), "Other");
  await label.fill("");
  release();
  // The page receives this update after the answer.
  await client.set("/control/labels/2/label", "After");
  await becomes(valueOf(page, "Label 2"), "After");
  assertEquals(await label.inputValue(), "");
  await label.press("Enter");
  await becomes(() => label.inputValue(), "Studio 1");
});

browserTest(
  "a pot moves by the distance that a finger moves, also from a value that others set",
  async (desk) => {
    const page = await desk.open("#/console", { hasTouch: true });
    const client = await desk.client();
    const pot = slider(page, "Headphones");
    const at = (x: number) => placeIn(pot, { x, y: 0.5 });
    const level = async () => Number(await pot.getAttribute("aria-valuenow"));
    const hand = await fingersAt(page);
    // The regions stand in columns, and the last region to load may still move the others.
    await page.getByRole("region", { name: "Labels" }).waitFor();
    await steadyPlace(pot);
    await hand.press(await at(0.1));
    await frames(page);
    assertEquals(await level(), -20, "a touch moves nothing");
    for (const part of [0.12, 0.15, 0.2]) await hand.move(await at(part));
    await until(async () => Math.abs(await level() - -11) <= 1);
    const held = await level();
    await becomes(() => client.get("/audio/pots/1/value"), held);
    await client.set("/audio/pots/1/value", -50);
    await becomes(level, -50);
    await hand.move(await at(0.25));
    await until(async () => Math.abs(await level() - -45.5) <= 1);
    await hand.lift();
    await becomes(() => client.get("/audio/pots/1/value"), await level());
  },
);

browserTest("keys and a trackpad move a pot in steps, in pages and to its ends", async (desk) => {
  const page = await desk.open("#/console");
  const pot = slider(page, "Monitors");
  const reads = (text: string) => becomes(() => pot.getAttribute("aria-valuetext"), text);
  await pot.focus();
  const rows = [
    ["ArrowDown", "-30.5 dB"],
    ["PageUp", "-25.5 dB"],
    ["End", "10.0 dB"],
    ["Home", "-80.0 dB"],
  ] as const;
  for (const [key, text] of rows) {
    await page.keyboard.press(key);
    await reads(text);
  }
  await pot.hover();
  for (let turns = 0; turns < 10; turns++) await page.mouse.wheel(0, -20);
  await reads("-79.0 dB");
  await page.mouse.wheel(0, 100);
  await reads("-79.5 dB");
});

browserTest("controls without the right show the reason, also after a revocation", async (desk) => {
  const client = await desk.client();
  const { token } = await client.rpc("adduser", { name: "op", groups: 1, may: "operate" });
  let sent: ReturnType<typeof sentBy> = [];
  const page = await desk.open("#/console", {
    token: token!,
    before: (page) => sent = sentBy(page),
  });
  await page.getByText("op", { exact: true }).waitFor();
  await becomes(() => page.getByLabel("Transmitter").isDisabled(), true);
  await clickDisabled(page.getByRole("button", { name: "PFL" }));
  await page.getByText("needs the right to configure").waitFor();
  const door = page.getByRole("button", { name: "Door" });
  await door.click();
  await page.getByRole("button", { name: "Off Door" }).waitFor();
  await client.rpc("modifyuser", { name: "op", may: "view" });
  await clickDisabled(door);
  await becomes(() => door.getAttribute("aria-disabled"), "true");
  assertEquals(await door.getAttribute("title"), "This needs the right to operate.");
  // A right that is granted is seen at the next press, but many presses ask only once a second.
  const begun = performance.now();
  sent.splice(0);
  await door.evaluate((door: HTMLElement) => {
    for (let presses = 0; presses < 20; presses++) door.click();
  });
  await client.rpc("modifyuser", { name: "op", may: "operate" });
  await until(async () => {
    if (await door.getAttribute("aria-disabled") === "false") return true;
    await clickDisabled(door);
    return false;
  });
  const asked = sent.filter(({ payload }) => payload?.method === "getuser").length;
  const seconds = (performance.now() - begun) / 1000;
  // One more may be due to the refusal of the press before.
  assert(asked <= 2 + seconds, `${asked} times in ${seconds} s`);
});

browserTest("if callers without a token may only view, the page asks for a login", async (desk) => {
  const page = await desk.open("#/console", { token: "" });
  await clickDisabled(page.getByRole("button", { name: "Door" }));
  await page.getByRole("status").getByText("Log in to do this.").waitFor();
  await becomes(() => page.getByLabel("Transmitter").isDisabled(), true);
  assert(await page.getByRole("button", { name: "On Door" }).isVisible(), "it is as it was");
}, { configuration: { ...demoConfiguration, anonymous: "view" } });

browserTest("the page says that a change which could not be stored may be lost", async (desk) => {
  const page = await desk.open("#/console", {
    // Like an answer of a console with a failing medium.
    before: between({
      answered: (message) =>
        message.method === "set" && message.success ? { ...message, durable: false } : message,
    }),
  });
  await page.getByRole("button", { name: "Door" }).click();
  await page.getByText("is in force, but is not stored").waitFor();
  await page.getByRole("button", { name: "Off Door" }).waitFor();
});

browserTest("inputs and outputs show their state, and take another channel", async (desk) => {
  const client = await desk.client();
  const page = await desk.open("#/console");
  const outputs = page.getByRole("region", { name: "Outputs (GPO)" });
  await outputs.getByText("Off").waitFor();
  // The red light follows the fader of this channel.
  await client.set("/audio/mixers/0/faders/0", { on: true, fader: 0 });
  await outputs.getByText("On", { exact: true }).waitFor();
  await outputs.locator(".lamp.open").waitFor();
  const channel = page.getByLabel("Channel of Fader start");
  await becomes(() => channel.inputValue(), "1.2.1");
  await channel.fill("1.2.7");
  await channel.press("Enter");
  await becomes(() => client.get("/control/gpis/1/channel" as string), "1.2.7");
  const german = await desk.open("#/console", { preferences: { language: "de" } });
  await becomes(valueOf(german, "Kanal von Fader start"), "1.2.7");
  await german.getByRole("region", { name: "Schaltausgänge (GPO)" }).getByText("Ein").waitFor();
  assertEquals(await german.getByText("Netzwerktakt").count(), 0, "no device for audio over IP");
});

browserTest(
  "a device for audio over IP has its streams, its clock and its capabilities",
  async (desk) => {
    const client = await desk.client();
    const page = await desk.open("#/console");
    const part = (name: string) => page.getByRole("region", { name });
    const value = (path: string) => () => client.get(path as string);
    await part("Streams").getByText("8 channels").waitFor();
    await part("Streams").getByRole("button", { name: "ON Studio 2" }).click();
    await becomes(value("/streams/1/on"), true);
    const clock = part("Network clock (PTP)");
    await clock.getByText("0 ns").waitFor();
    const domain = clock.getByLabel("Domain");
    await becomes(() => domain.inputValue(), "0");
    await domain.fill("many");
    await domain.press("Enter");
    await becomes(() => domain.inputValue(), "0");
    await domain.fill("5");
    await domain.press("Enter");
    await becomes(value("/general/ptp/domain"), 5);
    await clock.getByLabel("Delay mechanism").selectOption("P2P");
    await becomes(value("/general/ptp/delaymechanism"), "P2P");
    await clock.getByRole("button", { name: "Slave only" }).click();
    await becomes(value("/general/ptp/slaveonly"), true);
    await part("Network device").getByText("0.0 °C").waitFor();
    assertEquals(await part("Network device").locator("dd").allTextContents(), [
      ...["0.0 °C", "16", "12", "0", "0", "no", "yes"],
    ]);
    assertEquals(await accessibilityFaults(page), []);
    const viewer = await desk.open("?view#/console");
    await becomes(() => viewer.getByLabel("Domain").getAttribute("readonly"), "");
  },
  {
    configuration: {
      mixers: [],
      aes67: {
        streams: [{ id: 1, name: "Studio 2", channels: 8 }],
        maxrxstreams: 16,
        maxtxstreams: 12,
        limited16x16: true,
      },
    },
  },
);

browserTest("the page says when the console has nothing for it", async (desk) => {
  const page = await desk.open("#/console");
  await page.getByText("nothing to operate besides its mixers").waitFor();
}, { configuration: { device: { name: "bare" }, mixers: [{ faders: 1 }] } });
