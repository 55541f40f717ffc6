/** Snapshots in the view: listed, loaded with what they change, saved, changed, removed, moved. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { connect } from "../../client/client.ts";
import { demoConfiguration } from "../../core/configuration/demo.ts";
import { startFaderd, temporaryFolder, tokenIn } from "../program/faderd.ts";
import { accessibilityFaults, browserTest, type Page } from "./browser.ts";
import { holdAnswers } from "./held-answers.ts";
import { until } from "./until.ts";

/** Nothing moves by itself. */
const configuration = { ...demoConfiguration, engine: "none" };

async function clientOf(url: string, token: string) {
  const client = connect(`${url.replace("http", "ws")}/api/ws`, { token });
  await client.ready();
  return client;
}

const row = (page: Page, name: string) => page.locator(".snapshots li").filter({ hasText: name });
const dialog = (page: Page) => page.getByRole("dialog");

/** Closes the dialog, without which nothing below it has the focus. */
async function escape(page: Page): Promise<void> {
  await page.keyboard.press("Escape");
  await dialog(page).waitFor({ state: "detached" });
}
const press = (page: Page, name: string) =>
  dialog(page).getByRole("button", { name, exact: true }).click();

/** Waits until the page says what has been done. */
const said = (page: Page, sentence: string) =>
  page.locator(".snapshots").getByRole("status").getByText(sentence).waitFor();

async function more(page: Page, name: string, what: string): Promise<void> {
  await page.getByRole("button", { name: `More of ${name}` }).click();
  await press(page, what);
}

async function save(page: Page, name: string): Promise<void> {
  await page.getByRole("button", { name: "Save …" }).click();
  await page.getByLabel("Name").fill(name);
  await page.getByLabel("Name").press("Enter");
  await row(page, name).waitFor();
}

browserTest("what a snapshot changes is read again after a loss", async (desk) => {
  await using client = await clientOf(desk.service.url, desk.token);
  await client.set("/audio/mixers/1/faders/0/fader", -20);
  let asked = 0;
  const page = await desk.open("#/snapshots", {
    token: desk.token,
    before: (page) =>
      page.routeWebSocket(/api\/ws$/, (socket) => {
        const server = socket.connectToServer();
        socket.onMessage((text) => {
          const { path = "" } = JSON.parse(String(text));
          // That of the second mixer that is chosen.
          if (!path.startsWith("/range") || ++asked !== 2) return server.send(text);
          socket.close();
          server.close();
        });
      }),
  });
  await save(page, "Evening");
  await row(page, "Evening").getByRole("button", { name: "Load" }).click();
  await dialog(page).getByText("Nothing changes").waitFor();
  await dialog(page).getByRole("combobox").selectOption({ index: 1 });
  await dialog(page).locator(".snapshot-changes li").first().waitFor();
  assertEquals(asked, 3);
}, { configuration });

browserTest("a mixer is saved, changed, and loaded with what changes told before", async (desk) => {
  const page = await desk.open("#/snapshots", { token: desk.token });
  await using client = await clientOf(desk.service.url, desk.token);
  await client.set("/audio/mixers/0/faders/3", { fader: -20, on: true });
  await save(page, "Evening");
  await client.set("/audio/mixers/0/faders/3", { fader: -12, on: false });
  await row(page, "Evening").getByRole("button", { name: "Load" }).click();
  await dialog(page).getByText("Fader 4 (Phone): -12.0 dB to -20.0 dB").waitFor();
  await dialog(page).getByText("Fader 4 (Phone), ON: off to on").waitFor();
  await dialog(page).getByText("2 values change").waitFor();
  // It is live: somebody moves the fader while this one reads.
  await client.set("/audio/mixers/0/faders/3/fader", -20);
  await dialog(page).getByText("1 value changes").waitFor();
  await press(page, "Load");
  await dialog(page).waitFor({ state: "detached" });
  await said(page, "Evening is loaded: On Air.");
  await row(page, "Evening").getByText("Loaded last").waitFor();
  assertEquals(await client.get("/audio/mixers/0/faders/3/on"), true);
}, { configuration });

browserTest(
  "default and factory snapshots are shown as such, and stay as they are",
  async (desk) => {
    const page = await desk.open("#/snapshots", { token: desk.token });
    await row(page, "Default").getByText("Snapshot 0 of this mixer").waitFor();
    await row(page, "All closed").getByText("Factory").waitFor();
    await page.getByRole("button", { name: "More of All closed" }).click();
    const isOff = (name: string) =>
      dialog(page).getByRole("button", { name, exact: true }).getAttribute("aria-disabled");
    for (const name of ["Overwrite", "Name and groups", "Remove"]) {
      assertEquals(await isOff(name), "true", name);
    }
    assertEquals(await isOff("Download"), "false");
    await escape(page);
    await more(page, "Default", "Overwrite");
    await press(page, "Overwrite");
    await dialog(page).waitFor({ state: "detached" });
  },
  { configuration },
);

browserTest("a channel snapshot is loaded to the fader that is chosen", async (desk) => {
  const page = await desk.open("#/snapshots/channel", { token: desk.token });
  await using client = await clientOf(desk.service.url, desk.token);
  await row(page, "Speech").getByRole("button", { name: "Load" }).click();
  await dialog(page).getByLabel("To").selectOption({ label: "Production · 3 Line 1" });
  await dialog(page).getByText("Compressor, Ratio: 2.0 to 3.0").waitFor();
  await press(page, "Load");
  await dialog(page).waitFor({ state: "detached" });
  // As strips count them, it is the third.
  await said(page, "Speech is loaded: Production · 3 Line 1.");
  assertEquals(await client.get("/audio/mixers/1/faders/2/params/compressor/ratio"), 3);
}, { configuration });

browserTest("a processing is saved and loaded, each where it is chosen", async (desk) => {
  const page = await desk.open("#/snapshots/processing", { token: desk.token });
  await using client = await clientOf(desk.service.url, desk.token);
  await client.set("/audio/flexprocessings/1/params/limiter/threshold", -9);
  await page.getByRole("button", { name: "Save …" }).click();
  await dialog(page).getByLabel("From").selectOption({ label: "Web stream" });
  await page.getByLabel("Name").fill("Loud");
  await press(page, "Save");
  await row(page, "Loud").getByRole("button", { name: "Load" }).click();
  await dialog(page).getByText("Limiter, Threshold").waitFor();
  await press(page, "Load");
  await dialog(page).waitFor({ state: "detached" });
  assertEquals(await client.get("/audio/flexprocessings/0/params/limiter/threshold"), -9);
}, { configuration });

browserTest(
  "a snapshot is renamed with its groups, overwritten, and removed once it is asked",
  async (desk) => {
    const page = await desk.open("#/snapshots", { token: desk.token });
    await using client = await clientOf(desk.service.url, desk.token);
    await save(page, "First");
    await more(page, "First", "Name and groups");
    await page.getByLabel("Name").fill("Second");
    await dialog(page).getByText("Who may change and load it").click();
    const load = dialog(page).getByRole("group", { name: "Groups that may load it" });
    await load.getByRole("button", { name: "Group 3" }).click();
    await press(page, "Change");
    await row(page, "Second").getByText("For groups 3").waitFor();
    await client.set("/audio/mixers/0/faders/1/fader", -33);
    await more(page, "Second", "Overwrite");
    await press(page, "Overwrite");
    await dialog(page).waitFor({ state: "detached" });
    await row(page, "Second").getByRole("button", { name: "Load" }).click();
    await dialog(page).getByText("Nothing changes").waitFor();
    await escape(page);
    await more(page, "Second", "Remove");
    await dialog(page).getByText("This cannot be undone").waitFor();
    await press(page, "Remove");
    await row(page, "Second").waitFor({ state: "detached" });
    await said(page, "Second is removed.");
  },
  { configuration },
);

browserTest(
  "under a name that is there one overwrites, or keeps both, and Enter alone does neither",
  async (desk) => {
    const page = await desk.open("#/snapshots", { token: desk.token });
    await using client = await clientOf(desk.service.url, desk.token);
    const saved = async () => (await client.rpc("getsnapshotlist", { type: 2 })).slice(1);
    const before = await saved();
    await save(page, "Evening");
    await client.set("/audio/mixers/0/faders/3/fader", -33);
    await page.getByRole("button", { name: "Save …" }).click();
    await page.getByLabel("Name").fill("Evening");
    await page.getByLabel("Name").press("Enter");
    await dialog(page).getByText("Evening is there already").waitFor();
    assertEquals(await accessibilityFaults(page), []);
    await page.getByLabel("Name").press("Enter");
    await press(page, "Overwrite");
    await dialog(page).waitFor({ state: "detached" });
    await said(page, "Evening is saved.");
    assertEquals((await saved()).length, before.length + 1);
    await row(page, "Evening").getByRole("button", { name: "Load" }).click();
    await dialog(page).getByText("Nothing changes").waitFor();
    await escape(page);

    await page.getByRole("button", { name: "Save …" }).click();
    await page.getByLabel("Name").fill("Evening");
    await press(page, "Save");
    await press(page, "Keep both");
    await dialog(page).waitFor({ state: "detached" });
    assertEquals((await saved()).length, before.length + 2);

    await page.getByRole("button", { name: "Save …" }).click();
    await page.getByLabel("Name").fill("All closed");
    await press(page, "Save");
    await dialog(page).getByText("A factory snapshot stays as it is").waitFor();
    const overwrite = dialog(page).getByRole("button", { name: "Overwrite" });
    assertEquals(await overwrite.getAttribute("aria-disabled"), "true");
    // Another name is another question.
    await page.getByLabel("Name").fill("All closed now");
    await press(page, "Save");
    await row(page, "All closed now").waitFor();
  },
  { configuration },
);

browserTest(
  "two taps on Save make one snapshot, however slow the console answers",
  async (desk) => {
    const page = await desk.open("#/snapshots", {
      token: desk.token,
      before: (page) =>
        page.routeWebSocket(/api\/ws$/, (socket) => {
          const server = socket.connectToServer();
          server.onMessage((text) => setTimeout(() => socket.send(text), 200));
        }),
    });
    await using client = await clientOf(desk.service.url, desk.token);
    const before = await client.rpc("getsnapshotlist", { type: 2 });
    await page.getByRole("button", { name: "Save …" }).click();
    await page.getByLabel("Name").fill("Twice");
    await dialog(page).getByRole("button", { name: "Save" }).dblclick();
    await said(page, "Twice is saved.");
    assertEquals((await client.rpc("getsnapshotlist", { type: 2 })).length, before.length + 1);
  },
  { configuration },
);

browserTest("of two with one name the one that was loaded is marked", async (desk) => {
  await using client = await clientOf(desk.service.url, desk.token);
  for (const readgroups of [1, 2]) {
    await client.rpc("savesnapshot", { type: 2, id: "", name: "Twin", writegroups: 1, readgroups });
  }
  const page = await desk.open("#/snapshots", { token: desk.token });
  const [first, second] = (await client.rpc("getsnapshotlist", { type: 2 })).slice(-2);
  for (const { id, readgroups } of [first!, second!]) {
    await client.rpc("loadsnapshot", { id });
    const marked = page.locator(".snapshots li").filter({ hasText: "Loaded last" });
    await marked.getByText(`For groups ${readgroups}`).waitFor();
    await until(async () => await marked.count() === 1);
  }
}, { configuration });

browserTest("one that another client saves appears by itself", async (desk) => {
  const page = await desk.open("#/snapshots/mixer/1", { token: desk.token });
  await row(page, "Default").waitFor();
  await using client = await clientOf(desk.service.url, desk.token);
  const groups = { writegroups: 1, readgroups: 0 };
  await client.rpc("savesnapshot", { type: 2, mixer: 1, id: "", name: "Elsewhere", ...groups });
  await row(page, "Elsewhere").waitFor();
}, { configuration });

browserTest("a snapshot goes to another console of the site as a file", async (desk) => {
  const page = await desk.open("#/snapshots", { token: desk.token });
  await save(page, "Touring");
  await page.getByRole("button", { name: "More of Touring" }).click();
  const downloading = page.waitForEvent("download");
  await press(page, "Download");
  const download = await downloading;
  assertEquals(download.suggestedFilename(), "Touring.sfp");
  await using folder = await temporaryFolder();
  const file = `${folder.path}/Touring.sfp`;
  await download.saveAs(file);
  await using other = await startFaderd("--data", `${folder.path}/other`);
  const token = tokenIn(other.stdout);
  const there = await desk.open("#/snapshots", { token, url: other.url });
  await row(there, "Default").waitFor();
  await there.locator("input[type=file]").setInputFiles(file);
  await row(there, "Touring").waitFor();
  // What was altered on its way is refused by the console, in its own words.
  const altered = JSON.parse(Deno.readTextFileSync(file));
  Deno.writeTextFileSync(file, JSON.stringify({ ...altered, name: "Forged" }));
  await there.locator("input[type=file]").setInputFiles(file);
  await there.getByText("was altered, or comes from a console with another site key").waitFor();
  Deno.writeTextFileSync(file, "no JSON");
  await there.locator("input[type=file]").setInputFiles(file);
  await there.getByText("Touring.sfp is no file of a snapshot").waitFor();
}, { configuration });

browserTest("who is not logged in cannot save, and is told why", async (desk) => {
  const page = await desk.open("#/snapshots");
  const button = page.getByRole("button", { name: "Save …" });
  await until(async () => await button.getAttribute("title") === "Log in to do this.");
  assertEquals(await button.getAttribute("aria-disabled"), "true");
  await button.click({ force: true });
  await page.getByText("Log in to do this").waitFor();
}, { configuration });

browserTest("by keyboard alone one saves, loads and removes", async (desk) => {
  // Keys come before the page knows who presses them, and which mixers there are.
  const { before, release } = holdAnswers(({ method, path, payload }) =>
    path === "/audio/mixers" || method === "rpc" && payload.method === "getuser"
  );
  const page = await desk.open("#/snapshots", { token: desk.token, before });
  await page.getByRole("button", { name: "Save …" }).press("Enter");
  release();
  // The field of the name gets the focus.
  await dialog(page).locator("input:focus").waitFor();
  await page.keyboard.type("Keys");
  await page.keyboard.press("Enter");
  await row(page, "Keys").getByRole("button", { name: "Load" }).press("Enter");
  await dialog(page).getByText("Nothing changes").waitFor();
  await escape(page);
  await page.getByRole("button", { name: "More of Keys" }).press("Enter");
  await dialog(page).getByRole("button", { name: "Remove" }).press(" ");
  await dialog(page).getByRole("button", { name: "Remove", exact: true }).press("Enter");
  await row(page, "Keys").waitFor({ state: "detached" });
}, { configuration });

browserTest("by touch one loads a snapshot on a phone", async (desk) => {
  const viewport = { width: 390, height: 844 };
  const page = await desk.open("#/snapshots", { token: desk.token, viewport, hasTouch: true });
  await using client = await clientOf(desk.service.url, desk.token);
  await client.set("/audio/mixers/0/faders/0/on", true);
  await row(page, "All closed").getByRole("button", { name: "Load" }).tap();
  await dialog(page).getByText("Fader 1 (Host), ON: on to off").waitFor();
  const isWide = await page.evaluate(() => document.body.scrollWidth > innerWidth);
  assert(!isWide, "nothing stands out of the screen");
  await dialog(page).getByRole("button", { name: "Load", exact: true }).tap();
  await dialog(page).waitFor({ state: "detached" });
  assertEquals(await client.get("/audio/mixers/0/faders/0/on"), false);
}, { configuration });

for (const theme of ["dark", "light"]) {
  browserTest(`axe-core finds nothing on snapshots and their dialogs, ${theme}`, async (desk) => {
    const page = await desk.open("#/snapshots", { token: desk.token, preferences: { theme } });
    await row(page, "All closed").waitFor();
    assertEquals(await accessibilityFaults(page), [], "the list");
    await row(page, "All closed").getByRole("button", { name: "Load" }).click();
    await dialog(page).getByText(/change/).waitFor();
    assertEquals(await accessibilityFaults(page), [], "to load");
    await escape(page);
    await page.getByRole("button", { name: "Save …" }).click();
    await dialog(page).getByText("Who may change and load it").click();
    await dialog(page).getByText("One at least").waitFor();
    assertEquals(await accessibilityFaults(page), [], "to save");
    await escape(page);
    await page.getByRole("button", { name: "More of All closed" }).click();
    await dialog(page).getByText("Download").waitFor();
    assertEquals(await accessibilityFaults(page), [], "more");
    assertStringIncludes(page.url(), "#/snapshots");
  }, { configuration });
}
