/** What the console has beside its mixers, in the view: set here and seen elsewhere, and back. */
import { assert, assertEquals } from "@std/assert";
import { connect } from "../../client/client.ts";
import { demoConfiguration } from "../../core/configuration/demo.ts";
import { accessibilityFaults, browserTest, type Page } from "./browser.ts";
import { fingersAt } from "./fingers.ts";
import { holdAnswers } from "./held-answers.ts";
import { until } from "./until.ts";

const configuration = { ...demoConfiguration, engine: "none" };

async function clientOf(url: string, token: string) {
  const client = connect(`${url.replace("http", "ws")}/api/ws`, { token });
  await client.ready();
  return client;
}

const slider = (page: Page, name: string) => page.getByRole("slider", { name });

browserTest(
  "two pages see each other: labels, logics, pots, routes and selectors",
  async (desk) => {
    const { token } = desk;
    const page = await desk.open("#/console", { token });
    const other = await desk.open("#/console", { token });
    await page.getByLabel("Label 1: Studio 1").fill("Studio Köln");
    await page.keyboard.press("Enter");
    await until(async () => await other.getByLabel("Label 1").inputValue() === "Studio Köln");
    await page.getByRole("button", { name: "Door" }).click();
    await other.getByRole("button", { name: "Off Door" }).waitFor();
    await page.getByLabel("Transmitter").selectOption("Web stream (core)");
    await until(async () => await other.getByLabel("Transmitter").inputValue() === "2");
    await page.getByRole("button", { name: "PFL" }).click();
    const pfl = other.getByRole("button", { name: "PFL" });
    await until(async () => await pfl.getAttribute("aria-pressed") === "true");
    await slider(page, "Headphones").press("ArrowUp");
    const there = slider(other, "Headphones");
    await until(async () => await there.getAttribute("aria-valuetext") === "-19.5 dB");
  },
  { configuration },
);

browserTest(
  "an empty label brings the configured one back, and Escape what was there",
  async (desk) => {
    const page = await desk.open("#/console", { token: desk.token });
    await using client = await clientOf(desk.service.url, desk.token);
    const label = page.getByLabel("Label 1: Studio 1");
    await label.fill("Other");
    await label.press("Escape");
    await until(async () => await label.inputValue() === "Studio 1");
    await label.press("Tab");
    assertEquals(await client.get("/control/labels/1/label"), "Studio 1", "nothing is set");
    await label.fill("Other");
    await label.press("Tab");
    await until(async () => await client.get("/control/labels/1/label") === "Other");
    await label.fill("");
    await label.press("Enter");
    await until(async () => await label.inputValue() === "Studio 1");
  },
  { configuration },
);

browserTest("what is typed into a label while the console answers stays there", async (desk) => {
  const { before, release } = holdAnswers(({ method, success }) => method === "set" && success);
  const page = await desk.open("#/console", { token: desk.token, before });
  await using client = await clientOf(desk.service.url, desk.token);
  const label = page.getByLabel("Label 1: Studio 1");
  await label.fill("Other");
  await label.press("Enter");
  await until(async () => await client.get("/control/labels/1/label") === "Other");
  await label.fill("");
  release();
  // The page hears of this after the answer.
  await client.set("/control/labels/2/label", "After");
  await until(async () => await page.getByLabel("Label 2").inputValue() === "After");
  assertEquals(await label.inputValue(), "");
  await label.press("Enter");
  await until(async () => await label.inputValue() === "Studio 1");
}, { configuration });

browserTest("a pot moves as far as a finger goes, never to where it touches", async (desk) => {
  const page = await desk.open("#/console", { token: desk.token, hasTouch: true });
  await using client = await clientOf(desk.service.url, desk.token);
  const pot = slider(page, "Headphones");
  const { x, y, width, height } = (await pot.boundingBox())!;
  const at = (part: number) => ({ x: x + part * width, y: y + height / 2 });
  const hand = await fingersAt(page);
  await hand.press(at(0.1));
  // Time enough for a jump to be sent.
  await page.waitForTimeout(300);
  assertEquals(await client.get("/audio/pots/1/value"), -20, "a touch moves nothing");
  for (const part of [0.12, 0.15, 0.2]) await hand.move(at(part));
  await until(async () => Math.abs(await client.get("/audio/pots/1/value") - -11) <= 1);
  const held = await pot.getAttribute("aria-valuenow");
  await client.set("/audio/pots/1/value", -50);
  // Time enough for the page to hear of it.
  await page.waitForTimeout(300);
  assertEquals(await pot.getAttribute("aria-valuenow"), held, "what others set meanwhile waits");
  await hand.lift();
  await page.locator('[aria-valuenow="-50"]').waitFor();
}, { configuration });

browserTest("by keyboard a pot goes in steps, in pages and to its ends", async (desk) => {
  const page = await desk.open("#/console", { token: desk.token });
  const pot = slider(page, "Monitors");
  await pot.focus();
  const rows = [["ArrowDown", "-30.5 dB"], ["PageUp", "-25.5 dB"], ["Home", "-80.0 dB"]] as const;
  for (const [key, text] of [...rows, ["End", "10.0 dB"]] as const) {
    await page.keyboard.press(key);
    await until(async () => await pot.getAttribute("aria-valuetext") === text);
  }
}, { configuration });

browserTest("a trackpad moves a pot by as much as it goes, in whole steps", async (desk) => {
  const page = await desk.open("#/console", { token: desk.token });
  const pot = slider(page, "Headphones");
  await pot.focus();
  await pot.hover();
  for (let turns = 0; turns < 50; turns++) await page.mouse.wheel(0, 4);
  await until(async () => await pot.getAttribute("aria-valuetext") === "-21.0 dB");
  await page.mouse.wheel(0, -100);
  await until(async () => await pot.getAttribute("aria-valuetext") === "-20.5 dB");
}, { configuration });

browserTest(
  "who may only operate sees routes and selectors disabled, with the reason",
  async (desk) => {
    await using client = await clientOf(desk.service.url, desk.token);
    const { token } = await client.rpc("adduser", { name: "op", groups: 1, may: "operate" });
    const page = await desk.open("#/console", { token });
    await page.getByText("op", { exact: true }).waitFor();
    await until(() => page.getByLabel("Transmitter").isDisabled());
    await page.getByRole("button", { name: "PFL" }).click({ force: true });
    await page.getByText("needs the right to configure").waitFor();
    await page.getByRole("button", { name: "Door" }).click();
    await page.getByRole("button", { name: "Off Door" }).waitFor();
  },
  { configuration },
);

browserTest(
  "where a caller without a token may only view, the page shows all and asks for a login to operate",
  async (desk) => {
    const page = await desk.open("#/console");
    await page.getByRole("button", { name: "Door" }).click({ force: true });
    await page.getByRole("status").getByText("Log in to do this.").waitFor();
    await until(() => page.getByLabel("Transmitter").isDisabled());
    assert(await page.getByRole("button", { name: "On Door" }).isVisible(), "it is as it was");
  },
  { configuration: { ...configuration, anonymous: "view" } },
);

browserTest(
  "a right that is taken while the page is open is seen with the first refusal",
  async (desk) => {
    await using client = await clientOf(desk.service.url, desk.token);
    const { token } = await client.rpc("adduser", { name: "op", groups: 1, may: "operate" });
    const page = await desk.open("#/console", { token });
    const door = page.getByRole("button", { name: "Door" });
    await until(async () => await door.getAttribute("aria-disabled") === "false");
    await client.rpc("modifyuser", { name: "op", may: "view" });
    await door.click();
    await until(async () => await door.getAttribute("aria-disabled") === "true");
    await until(async () =>
      await door.getAttribute("title") === "This needs the right to operate."
    );
  },
  { configuration },
);

browserTest(
  "what the medium did not take is in force, and the page says that it may be lost",
  async (desk) => {
    const page = await desk.open("#/console", {
      token: desk.token,
      // As a console says it whose medium fails.
      before: (page) =>
        page.routeWebSocket(/api\/ws$/, (socket) => {
          const server = socket.connectToServer();
          server.onMessage((text) => {
            const message = JSON.parse(String(text));
            const isSet = message.method === "set" && message.success === true;
            socket.send(JSON.stringify(isSet ? { ...message, durable: false } : message));
          });
        }),
    });
    await page.getByRole("button", { name: "Door" }).click();
    await page.getByText("the medium did not take it").waitFor();
    await page.getByRole("button", { name: "Off Door" }).waitFor();
  },
  { configuration },
);

browserTest("a console without any of it says so", async (desk) => {
  const page = await desk.open("#/console");
  await page.getByText("nothing beside its mixers").waitFor();
}, { configuration: { device: { name: "bare" }, mixers: [{ faders: 1 }] } });

for (const theme of ["dark", "light"]) {
  browserTest(`axe-core finds nothing on the console page, ${theme}`, async (desk) => {
    const page = await desk.open("#/console", { token: desk.token, preferences: { theme } });
    await slider(page, "Headphones").waitFor();
    assertEquals(await accessibilityFaults(page), []);
  }, { configuration });
}
