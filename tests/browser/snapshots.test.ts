/** Snapshots in the view: listing, loading with a preview, saving, changing, removing, moving. */
import { assert, assertEquals } from "@std/assert";
import { startService, tokens } from "../service.ts";
import { temporaryFolder } from "../program/faderd.ts";
import { readView } from "../../program/view-files.ts";
import { between, holdAnswers } from "./between.ts";
import { accessibilityFaults, becomes, browserTest, clickDisabled, type Page } from "./browser.ts";

const FADER = "/audio/mixers/0/faders/3";

const row = (page: Page, name: string) => page.locator(".snapshots li").filter({ hasText: name });
const dialog = (page: Page) => page.getByRole("dialog");
const press = (page: Page, name: string) =>
  dialog(page).getByRole("button", { name, exact: true }).click();
const isClosed = (page: Page) => dialog(page).waitFor({ state: "detached" });

/** Closes the dialog: while it is open, nothing below it can have the focus. */
async function escape(page: Page): Promise<void> {
  await page.keyboard.press("Escape");
  await isClosed(page);
}

/** Waits until the page reports an operation. */
const said = (page: Page, sentence: string) =>
  page.locator(".snapshots").getByRole("status").getByText(sentence).waitFor();

const load = (page: Page, name: string) =>
  row(page, name).getByRole("button", { name: "Load" }).click();

async function more(page: Page, name: string, what: string): Promise<void> {
  await page.getByRole("button", { name: `More of ${name}` }).click();
  await press(page, what);
}

/** Opens the dialog for saving, and types a name. */
async function nameToSave(page: Page, name: string): Promise<void> {
  await page.getByRole("button", { name: "Save …" }).click();
  await page.getByLabel("Name").fill(name);
}

async function save(page: Page, name: string): Promise<void> {
  await nameToSave(page, name);
  await page.getByLabel("Name").press("Enter");
  await row(page, name).waitFor();
}

browserTest(
  "a snapshot and its preview are read again after a loss of the connection; a refusal is shown",
  async (desk) => {
    let fate: "answered" | "lost" | "refused" = "answered";
    const client = await desk.client();
    await client.set("/audio/mixers/1/faders/0/fader", -20);
    let asked = 0;
    const page = await desk.open("#/snapshots", {
      before: between({
        asked(message, end) {
          if (message.payload?.method === "getsnapshot") {
            const now = fate;
            fate = "answered";
            if (now === "lost") return end.close();
            const params = { id: "gone" };
            if (now === "refused") return { ...message, payload: { ...message.payload, params } };
          }
          // The second read of ranges is for the newly chosen mixer.
          if (!message.path?.startsWith("/range") || ++asked !== 2) return message;
          end.close();
        },
      }),
    });
    await save(page, "Evening");
    await load(page, "Evening");
    await dialog(page).getByText("Nothing changes").waitFor();
    await dialog(page).getByRole("combobox").selectOption({ index: 1 });
    await dialog(page).locator(".difference-lines li").first().waitFor();
    assertEquals(asked, 3);
    await escape(page);
    const compare = () => page.getByRole("button", { name: "Compare …" }).click();
    for (
      const [begin, shown] of [
        [() => load(page, "Evening"), "Nothing changes"],
        [compare, /They are alike|values? differs?/],
      ] as const
    ) {
      fate = "lost";
      await begin();
      await dialog(page).getByText(shown).waitFor();
      await escape(page);
      fate = "refused";
      await begin();
      await dialog(page).getByRole("alert").getByText("there is no snapshot").waitFor();
      await escape(page);
    }
  },
);

browserTest("a mixer is saved, changed, and loaded after a preview", async (desk) => {
  const page = await desk.open("#/snapshots");
  const client = await desk.client();
  await client.set(FADER, { fader: -20, on: true });
  await save(page, "Evening");
  await client.set(FADER, { fader: -12, on: false });
  await load(page, "Evening");
  await dialog(page).getByText("Fader 4 (Phone): -12.0 dB to -20.0 dB").waitFor();
  await dialog(page).getByText("Fader 4 (Phone), ON: off to on").waitFor();
  await dialog(page).getByText("2 values change").waitFor();
  // The preview is live: another client moves the fader meanwhile.
  await client.set(`${FADER}/fader`, -20);
  await dialog(page).getByText("1 value changes").waitFor();
  await press(page, "Load");
  await isClosed(page);
  await said(page, "Evening is loaded: On Air.");
  await row(page, "Evening").getByText("Loaded last").waitFor();
  assertEquals(await client.get(`${FADER}/on`), true);
});

const side = (page: Page, name: "A" | "B") =>
  dialog(page).getByRole("combobox", { name, exact: true });
const rows = (page: Page) => dialog(page).locator("tbody tr").allInnerTexts();

browserTest("two snapshots, or a snapshot and the live values, are compared", async (desk) => {
  const page = await desk.open("#/snapshots");
  const client = await desk.client();
  await client.set(FADER, { fader: -20, on: true });
  await save(page, "Evening");
  await client.set(FADER, { fader: -12 });
  await save(page, "Night");
  await page.getByRole("button", { name: "Compare …" }).click();
  await side(page, "A").selectOption({ label: "Evening" });
  await becomes(() => rows(page), ["Fader 4 (Phone)\t-20.0 dB\t-12.0 dB"]);
  await client.set(FADER, { on: false });
  await becomes(() => rows(page), [
    "Fader 4 (Phone)\t-20.0 dB\t-12.0 dB",
    "Fader 4 (Phone), ON\ton\toff",
  ]);
  await side(page, "B").selectOption({ label: "Night" });
  await dialog(page).getByText("1 value differs").waitFor();
  assertEquals(await accessibilityFaults(page), []);
  await side(page, "A").selectOption({ label: "Night" });
  await dialog(page).getByText("They are alike.").waitFor();
});

browserTest("default and factory snapshots are marked, and are not changed", async (desk) => {
  const page = await desk.open("#/snapshots");
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
  await isClosed(page);
});

browserTest("channel and processing snapshots are loaded to a chosen target", async (desk) => {
  const page = await desk.open("#/snapshots/channel");
  const client = await desk.client();
  await load(page, "Speech");
  await dialog(page).getByLabel("To").selectOption({ label: "Production · 3 Line 1" });
  await dialog(page).getByText("Compressor, Ratio: 2.0 to 3.0").waitFor();
  await press(page, "Load");
  await isClosed(page);
  // Strips are numbered from 1.
  await said(page, "Speech is loaded: Production · 3 Line 1.");
  assertEquals(await client.get("/audio/mixers/1/faders/2/params/compressor/ratio"), 3);

  await client.set("/audio/flexprocessings/1/params/limiter/threshold", -9);
  await page.getByRole("button", { name: "Processing" }).click();
  await nameToSave(page, "Loud");
  await dialog(page).getByLabel("From").selectOption({ label: "Web stream" });
  await press(page, "Save");
  await load(page, "Loud");
  await dialog(page).getByText("Limiter, Threshold").waitFor();
  await press(page, "Load");
  await isClosed(page);
  assertEquals(await client.get("/audio/flexprocessings/0/params/limiter/threshold"), -9);
});

browserTest("a snapshot gets another name and groups, is overwritten and removed", async (desk) => {
  const page = await desk.open("#/snapshots");
  const client = await desk.client();
  await save(page, "First");
  await more(page, "First", "Name and groups");
  await page.getByLabel("Name").fill("Second");
  await dialog(page).getByText("Who may change and load it").click();
  const loaders = dialog(page).getByRole("group", { name: "Groups that may load it" });
  await loaders.getByRole("button", { name: "Group 3" }).click();
  await press(page, "Change");
  await row(page, "Second").getByText("For groups 3").waitFor();
  await page.getByText("First is renamed to Second.").waitFor();
  await client.set(`${FADER}/fader`, -33);
  await more(page, "Second", "Overwrite");
  await press(page, "Overwrite");
  await isClosed(page);
  await load(page, "Second");
  await dialog(page).getByText("Nothing changes").waitFor();
  await escape(page);
  await more(page, "Second", "Remove");
  await dialog(page).getByText("This cannot be undone").waitFor();
  await press(page, "Remove");
  await row(page, "Second").waitFor({ state: "detached" });
  await said(page, "Second is removed.");
});

browserTest(
  "groups that another admin has set meanwhile stay when a snapshot is renamed or overwritten",
  async (desk) => {
    const page = await desk.open("#/snapshots");
    const client = await desk.client();
    await save(page, "Q");
    const find = async () => (await client.rpc("getsnapshotlist", { type: 2 })).at(-1)!;
    const { id } = await find();
    await more(page, "Q", "Name and groups");
    await page.getByLabel("Name").fill("First");
    await client.rpc("modifysnapshot", { id, readgroups: 128 });
    await press(page, "Change");
    await said(page, "Q is renamed to First.");
    assertEquals((await find()).readgroups, 128);

    await more(page, "First", "Overwrite");
    await client.rpc("modifysnapshot", { id, readgroups: 4 });
    await press(page, "Overwrite");
    await said(page, "First is saved.");
    assertEquals((await find()).readgroups, 4);

    await nameToSave(page, "First");
    await page.getByLabel("Name").press("Enter");
    await dialog(page).getByText("First exists already").waitFor();
    await client.rpc("modifysnapshot", { id, readgroups: 8 });
    await press(page, "Overwrite");
    await isClosed(page);
    assertEquals((await find()).readgroups, 8);
  },
);

browserTest("a known name asks to overwrite or to keep both; Enter does neither", async (desk) => {
  const page = await desk.open("#/snapshots");
  const client = await desk.client();
  const count = async () => (await client.rpc("getsnapshotlist", { type: 2 })).length;
  const before = await count();
  await save(page, "Evening");
  await client.set(`${FADER}/fader`, -33);
  await nameToSave(page, "Evening");
  await page.getByLabel("Name").press("Enter");
  await dialog(page).getByText("Evening exists already").waitFor();
  assertEquals(await accessibilityFaults(page), []);
  await page.getByLabel("Name").press("Enter");
  await press(page, "Overwrite");
  await isClosed(page);
  await said(page, "Evening is saved.");
  assertEquals(await count(), before + 1);
  await load(page, "Evening");
  await dialog(page).getByText("Nothing changes").waitFor();
  await escape(page);

  await nameToSave(page, "Evening");
  await press(page, "Save");
  await press(page, "Keep both");
  await isClosed(page);
  assertEquals(await count(), before + 2);

  await nameToSave(page, "All closed");
  await press(page, "Save");
  await dialog(page).getByText("A factory snapshot cannot be changed").waitFor();
  const overwrite = dialog(page).getByRole("button", { name: "Overwrite" });
  assertEquals(await overwrite.getAttribute("aria-disabled"), "true");
  // Under a new name, a snapshot is saved without a question.
  await page.getByLabel("Name").fill("All closed now");
  await press(page, "Save");
  await row(page, "All closed now").waitFor();
});

browserTest("without a number in the address the page has the first mixer", async (desk) => {
  const params = { id: "", name: "Morning", type: 2, mixer: 5, writegroups: 1, readgroups: 0 };
  await desk.rpc("savesnapshot", params);
  const page = await desk.open("#/snapshots");
  await load(page, "Morning");
  await dialog(page).getByText("Nothing changes").waitFor();
}, { configuration: { mixers: [{ id: 5, name: "Only", faders: 1 }], licenses: ["52-8577"] } });

browserTest("two taps on Save make one snapshot, even if the answer is slow", async (desk) => {
  const { before, release } = holdAnswers(({ payload }) => payload?.method === "getsnapshotlist");
  const page = await desk.open("#/snapshots", { before });
  const client = await desk.client();
  const count = async () => (await client.rpc("getsnapshotlist", { type: 2 })).length;
  const snapshots = await count();
  await nameToSave(page, "Twice");
  await dialog(page).getByRole("button", { name: "Save" }).dblclick();
  release();
  await said(page, "Twice is saved.");
  assertEquals(await count(), snapshots + 1);
});

browserTest(
  "snapshots saved and loaded by others appear; of two with the same name the right one is marked",
  async (desk) => {
    const client = await desk.client();
    const page = await desk.open("#/snapshots", { before: (page) => page.clock.install() });
    await row(page, "Default").waitFor();
    for (const readgroups of [1, 2]) {
      await client.rpc("savesnapshot", {
        type: 2,
        id: "",
        name: "Twin",
        writegroups: 1,
        readgroups,
      });
    }
    await page.clock.runFor(5000);
    await row(page, "Twin").first().waitFor();
    for (const { id, readgroups } of (await client.rpc("getsnapshotlist", { type: 2 })).slice(-2)) {
      await client.rpc("loadsnapshot", { id });
      const marked = page.locator(".snapshots li").filter({ hasText: "Loaded last" });
      await marked.getByText(`For groups ${readgroups}`).waitFor();
      await becomes(() => marked.count(), 1);
    }
  },
);

browserTest("a snapshot is moved to another console of the site as a file", async (desk) => {
  const page = await desk.open("#/snapshots");
  await save(page, "Touring");
  const downloading = page.waitForEvent("download");
  await more(page, "Touring", "Download");
  const download = await downloading;
  assertEquals(download.suggestedFilename(), "Touring.sfp");
  await using folder = await temporaryFolder();
  const file = `${folder.path}/Touring.sfp`;
  await download.saveAs(file);
  const other = desk.use(await startService({ view: readView()! }));
  const there = await desk.open("#/snapshots", { token: tokens.admin, url: other.url });
  const upload = () => there.locator("input[type=file]").setInputFiles(file);
  await row(there, "Default").waitFor();
  await upload();
  await row(there, "Touring").waitFor();
  // An altered file is refused by the console, in its own words.
  const altered = JSON.parse(Deno.readTextFileSync(file));
  Deno.writeTextFileSync(file, JSON.stringify({ ...altered, name: "Forged" }));
  await upload();
  await there.getByText("was altered, or comes from a console with another site key").waitFor();
  Deno.writeTextFileSync(file, "no JSON");
  await upload();
  await there.getByText("Touring.sfp is not a file of a snapshot").waitFor();
});

browserTest("without a login saving is disabled, with the reason", async (desk) => {
  const page = await desk.open("#/snapshots", { token: "" });
  const button = page.getByRole("button", { name: "Save …" });
  await becomes(() => button.getAttribute("title"), "Log in to do this.");
  assertEquals(await button.getAttribute("aria-disabled"), "true");
  await clickDisabled(button);
  await page.getByText("Log in to do this").waitFor();
});

browserTest("a snapshot is saved, loaded and removed by keyboard alone", async (desk) => {
  // Keys come before the page knows its user and the mixers.
  const { before, release } = holdAnswers(({ method, path, payload }) =>
    path === "/audio/mixers" || method === "rpc" && payload.method === "getuser"
  );
  const page = await desk.open("#/snapshots", { before });
  await page.getByRole("button", { name: "Save …" }).press("Enter");
  release();
  // The field for the name gets the focus.
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
  // A held key repeats: the dialog that it opens is not sent.
  const count = await page.locator(".snapshots li").count();
  await page.getByRole("button", { name: "Save …" }).focus();
  for (let repeats = 0; repeats < 5; repeats++) await page.keyboard.down("Enter");
  await page.keyboard.up("Enter");
  await escape(page);
  const { result } = (await desk.rpc("getsnapshotlist", { type: 2 })).payload;
  assertEquals(result.length, count);
});

browserTest("a snapshot is loaded by touch on a phone", async (desk) => {
  const viewport = { width: 390, height: 844 };
  const page = await desk.open("#/snapshots", { viewport, hasTouch: true });
  const client = await desk.client();
  await client.set("/audio/mixers/0/faders/0/on", true);
  await row(page, "All closed").getByRole("button", { name: "Load" }).tap();
  await dialog(page).getByText("Fader 1 (Host), ON: on to off").waitFor();
  const isWide = await page.evaluate(() => document.body.scrollWidth > innerWidth);
  assert(!isWide, "nothing stands out of the screen");
  await dialog(page).getByRole("button", { name: "Load", exact: true }).tap();
  await isClosed(page);
  assertEquals(await client.get("/audio/mixers/0/faders/0/on"), false);
});

browserTest("axe-core finds nothing on snapshots and their dialogs", async (desk) => {
  const page = await desk.open("#/snapshots");
  const isFaultless = async (what: string) =>
    assertEquals(await accessibilityFaults(page), [], what);
  await row(page, "All closed").waitFor();
  await isFaultless("the list");
  await load(page, "All closed");
  await dialog(page).getByText(/change/).waitFor();
  await isFaultless("to load");
  await escape(page);
  await page.getByRole("button", { name: "Save …" }).click();
  await dialog(page).getByText("Who may change and load it").click();
  await dialog(page).getByText("At least one").waitFor();
  await isFaultless("to save");
  await escape(page);
  await page.getByRole("button", { name: "More of All closed" }).click();
  await dialog(page).getByText("Download").waitFor();
  await isFaultless("more");
});
