/** Own pages: making, storing and showing them, also in a kiosk. */
import { assert, assertEquals } from "@std/assert";
import { OWN_PAGE_ITEMS, OWN_PAGES } from "../../core/limits.ts";
import { between, type PageEnd } from "./between.ts";
import {
  accessibilityFaults,
  becomes,
  browserTest,
  clickDisabled,
  type Desk,
  type Page,
  until,
} from "./browser.ts";
import { frames } from "./fingers.ts";

/** Fills list 1 like a radio automation; returns the presses that it receives. */
async function automation(desk: Desk): Promise<string[]> {
  const client = await desk.client();
  const heard: string[] = [];
  client.onEvent(({ type, params }) => {
    if (type === "extlistnotified") heard.push(`${params.entry} ${params.on}`);
  });
  await client.rpc("registerextlist", { list: 1 });
  await client.rpc("setextlist", { list: 1, entries: [{ label: "Opener" }, { label: "News" }] });
  return heard;
}

const button = (page: Page, name: string | RegExp) => page.getByRole("button", { name });

/** Makes a page, and opens it for editing. */
async function make(page: Page, title: string, place?: string): Promise<void> {
  await button(page, "New page").click();
  const form = page.getByRole("dialog", { name: "New page" });
  await form.getByLabel("Title").fill(title);
  if (place !== undefined) await form.getByRole("button", { name: place }).click();
  await form.getByRole("button", { name: "Create" }).click();
  await page.getByRole("region", { name: "On this page" }).waitFor();
}

/** Puts an item on the page. */
async function add(page: Page, kind: string, which: string): Promise<void> {
  const form = page.getByRole("form", { name: "Add" });
  await form.getByLabel("What").selectOption({ label: kind });
  if (kind === "Text") await form.getByRole("textbox").fill(which);
  else await form.getByLabel("Which").selectOption({ label: which });
  const count = await lines(page).count();
  await form.getByRole("button", { name: "Add" }).click();
  await until(async () => await lines(page).count() > count);
}

const lines = (page: Page) => page.locator(".own-item-name");

const text = (text: string) => ({ kind: "text", text });

const itemsOf = (desk: Desk) => async () =>
  (await desk.rpc("getviewdocument", { name: "pages" })).payload.result.document?.pages[0].items;

/** One item of every kind. */
const EVERYTHING = [
  ["Text", "On air"],
  ["Strip", "Main · 1 Host"],
  ["ON key", "Main · 2 Guest 1"],
  ["PFL 1 key", "Main · 2 Guest 1"],
  ["Mute group", "Main · Mute group 1"],
  ["Logic", "Red light"],
  ["External list", "Jingles"],
  ["Level meter", "Programme"],
  ["Loudness meter", "Programme"],
  ["Snapshot", "Main · All closed"],
  ["Channel snapshot", "Speech"],
  ["Processing snapshot", "Transparent"],
] as const;

browserTest(
  "a page holds each kind of item, survives a reload, and is shown elsewhere at once if the console stores it",
  async (desk) => {
    const heard = await automation(desk);
    const page = await desk.open("#/own");
    const names = await namesOf(desk);
    await make(page, "Studio");
    for (const [kind, which] of EVERYTHING) await add(page, kind, renamed(which, names));
    assertEquals(await accessibilityFaults(page, []), []);
    await button(page, "Done").click();
    await page.reload();
    await page.getByRole("heading", { name: "On air" }).waitFor();
    const other = await desk.open("#/own");
    await button(other, "New page").waitFor();
    assertEquals(await other.getByRole("link", { name: "Studio" }).count(), 0, "on its device");

    await button(page, "Edit Studio").click();
    await button(page, "In the console, for all").click();
    await other.getByRole("link", { name: "Studio" }).first().click();
    await other.getByRole("heading", { name: "On air" }).waitFor();

    const host = other.getByRole("slider", { name: "Host" });
    await host.focus();
    await host.press("End");
    const client = await desk.client();
    await becomes(() => client.get("/audio/mixers/0/faders/0/fader"), 10);
    const on = await client.get("/audio/mixers/0/faders/1/on");
    await button(other, /^Guest 1 · ON/).click();
    await becomes(() => client.get("/audio/mixers/0/faders/1/on"), !on);
    await button(other, "Mute group 1").click();
    await becomes(() => client.get("/audio/mixers/0/mutegroups/0"), true);
    await button(other, "Opener").click();
    await becomes(() => heard.join(), "0 1,0 0");
    await other.getByRole("meter").nth(1).waitFor();
    await button(other, "Load All closed").click();
    const load = other.getByRole("dialog");
    await load.getByRole("button", { name: "Load", exact: true }).click();
    await becomes(
      () => client.get("/audio/mixers/0/_lastloadedsnapid"),
      "0f0c0002-0000-4000-8000-000000000001",
    );
    assertEquals(await accessibilityFaults(other), []);
  },
  { isMetered: true },
);

/** The present names of a mixer, a logic and a list of the demo console. */
async function namesOf(desk: Desk) {
  const client = await desk.client();
  return {
    "Main": (await client.get("/audio/mixers/0/_name")) as string,
    "Red light": Object.values(await client.get("/control/logics"))[0]!._name,
    "Jingles": Object.values((await client.get("/control/extlists"))!)[0]!._name,
  };
}

function renamed(text: string, names: Readonly<Record<string, string>>): string {
  return Object.entries(names).reduce((one, [name, is]) => one.replace(name, is), text);
}

browserTest("a key loads a channel snapshot to the fader chosen for the key", async (desk) => {
  let end: PageEnd | undefined;
  let reads = 0;
  const page = await desk.open("#/own", {
    before: between({
      asked(message, own) {
        end = own;
        return message;
      },
      answered(message) {
        if (message.path === "/audio/flexprocessings") reads++;
        return message;
      },
    }),
  });
  await make(page, "Voices");
  const form = page.getByRole("form", { name: "Add" });
  await form.getByLabel("What").selectOption({ label: "Channel snapshot" });
  await form.getByLabel("Loaded to").selectOption({ label: "On Air · 3 Guest 2" });
  await form.getByLabel("Which").selectOption({ label: "Speech" });
  await form.getByLabel("Ask before it is loaded").uncheck();
  // The choices stay after a loss of the connection, when the console is asked again.
  end!.close();
  await until(() => reads >= 2);
  await frames(page);
  await becomes(
    () => form.getByLabel("Loaded to").locator(":checked").textContent(),
    "On Air · 3 Guest 2",
  );
  await form.getByRole("button", { name: "Add" }).click();
  await page.getByText("channel snapshot Speech to 3 Guest 2, On Air").waitFor();
  await form.getByLabel("What").selectOption({ label: "Processing snapshot" });
  await form.getByLabel("Loaded to").selectOption({ label: "Web stream" });
  await form.getByLabel("Ask before it is loaded").check();
  await form.getByRole("button", { name: "Add" }).click();
  await page.getByText("processing snapshot Transparent to Web stream").waitFor();
  await button(page, "Done").click();
  const client = await desk.client();
  await button(page, "Load Speech → 3 Guest 2").click();
  await becomes(() => client.get("/audio/mixers/0/faders/2/params/compressor/threshold"), -24);
  await becomes(() => client.get("/audio/mixers/0/faders/0/params/compressor/on"), false);
  await button(page, "Load Transparent → Web stream").click();
  const dialog = page.getByRole("dialog");
  await becomes(() => dialog.getByRole("combobox").locator("option").allTextContents(), [
    "Web stream",
  ]);
  await dialog.getByRole("button", { name: "Load", exact: true }).click();
  await becomes(() => client.get("/audio/flexprocessings/1/params/limiter/threshold"), -3);
});

browserTest(
  "a key follows the name and the groups of its snapshot, and says when it is gone",
  async (desk) => {
    const client = await desk.client();
    const { token } = await client.rpc("adduser", { name: "op", groups: 2, may: "operate" });
    const names = ["Night", "Day"];
    const [night, day] = await Promise.all(names.map(async (name) => {
      const groups = { writegroups: 1, readgroups: 1 };
      await client.rpc("savesnapshot", { type: 1, mixer: 0, fader: 0, id: "", name, ...groups });
      const list = await client.rpc("getsnapshotlist", { type: 1 });
      return list.find((one) => one.name === name)!.id;
    }));
    const common = { kind: "channelsnapshot", mixer: 0, fader: 1, asks: false };
    const items = [night, day].map((id, at) => ({ ...common, id, name: names[at] }));
    const document = { pages: [{ name: "voices", title: "Voices", items }] };
    await desk.rpc("setviewdocument", { name: "pages", document });
    const page = await desk.open("#/own/voices", { token: token! });
    const isBarred = (name: string) => button(page, `Load ${name}`).getAttribute("aria-disabled");
    await becomes(() => isBarred("Night"), "true");
    await becomes(() => isBarred("Day"), "true");
    await client.rpc("modifysnapshot", { id: night!, name: "Late", readgroups: 3 });
    await client.rpc("removesnapshot", { id: day! });
    await becomes(() => isBarred("Late"), "false");
    await page.getByText("This console has no channel snapshot Day").waitFor();
  },
);

browserTest("the overview sets the order of own pages, also of the navigation", async (desk) => {
  const names = ["one", "two", "three"];
  const pages = names.map((name) => ({ name, title: name, icon: "own", items: [] }));
  await desk.rpc("setviewdocument", { name: "pages", document: { pages } });
  const page = await desk.open("#/own");
  const handle = (name: string) => button(page, new RegExp(`^Move ${name}:`));
  const inConsole = async () =>
    (await desk.rpc("getviewdocument", { name: "pages" })).payload.result.document.pages
      .map(({ name }: { name: string }) => name).join();
  await handle("one").press("ArrowDown");
  await becomes(inConsole, "two,one,three");
  await becomes(() => page.locator(".list .own-link").allTextContents(), ["two", "one", "three"]);
  await page.getByText("one is at 2 of 3").waitFor();
  const links = page.getByRole("navigation").getByRole("link", { name: /^(one|two|three)$/ });
  await becomes(async () => (await links.allTextContents()).join(), "two,one,three");
  assertEquals(await accessibilityFaults(page, []), []);
  const viewer = await desk.open("?view#/own");
  await button(viewer, /^Move three:/).press("ArrowUp");
  await viewer.getByText("This page only looks on.").waitFor();
  assertEquals(await viewer.getByText("three is at").count(), 0, "a refused move is not announced");
  await becomes(inConsole, "two,one,three");
});

browserTest("items are ordered by dragging and by keys, and removed", async (desk) => {
  const page = await desk.open("#/own");
  await make(page, "Texts", "In the console, for all");
  for (const text of ["one", "two", "three"]) await add(page, "Text", text);
  const items = itemsOf(desk);
  const inConsole = async () => (await items()).map(({ text }: { text: string }) => text);
  const areIn = async (...texts: string[]) => {
    await becomes(() => lines(page).allTextContents(), texts.map((text) => `text ${text}`));
    await becomes(inConsole, texts);
  };
  const handle = (text: string) => button(page, new RegExp(`^Move text ${text}:`));
  await handle("one").focus();
  await handle("one").press("ArrowDown");
  await areIn("two", "one", "three");
  await page.getByText("text one is at 2 of 3").waitFor();
  await becomes(
    () => page.evaluate("document.activeElement.ariaLabel"),
    "Move text one: drag it, or use the arrow keys",
  );
  await page.keyboard.press("ArrowDown");
  await areIn("two", "three", "one");
  const from = (await handle("one").boundingBox())!;
  const to = (await handle("two").boundingBox())!;
  await page.mouse.move(from.x + 10, from.y + 10);
  await page.mouse.down();
  await page.mouse.move(to.x + 10, to.y + 20, { steps: 5 });
  await page.mouse.move(to.x + 10, to.y - 5, { steps: 5 });
  await page.mouse.up();
  await areIn("one", "two", "three");
  // Another client puts a line above while this one is held.
  const held = (await handle("three").boundingBox())!;
  const top = (await handle("one").boundingBox())!;
  await page.mouse.move(held.x + 10, held.y + 10);
  await page.mouse.down();
  const more = ["zero", "one", "two", "three"].map(text);
  const document = { pages: [{ name: "texts", title: "Texts", items: more }] };
  await desk.rpc("setviewdocument", { name: "pages", document });
  await handle("zero").waitFor();
  await page.mouse.move(top.x + 10, top.y - 5, { steps: 5 });
  await page.mouse.up();
  await areIn("three", "zero", "one", "two");
  await button(page, "Remove text two").click();
  await areIn("three", "zero", "one");
});

browserTest(
  "a missing or unreadable item shows a notice in its place; the others work",
  async (desk) => {
    const items = [
      { kind: "strip", mixer: 9, fader: 0 },
      { kind: "key", path: "/control/logics/999/value" },
      { kind: "list", list: 77 },
      { kind: "meter", of: "levels", id: 77 },
      { kind: "snapshot", mixer: 0, id: "gone", name: "Gone", asks: true },
      { kind: "key", path: "/audio/mixers/0/faders/0/params/gain/p48" },
      { kind: "strip", mixer: 0, fader: 0 },
    ];
    const pages = [7, { name: "../x" }, { name: "studio", title: "Studio", items }, null];
    await desk.rpc("setviewdocument", { name: "pages", document: { pages } });
    const page = await desk.open("#/own/studio");
    await page.getByRole("slider", { name: "Host" }).waitFor();
    for (const missing of ["strip 1, 10", "logic 999", "external list 77", "level meter 77"]) {
      await page.getByText(`This console has no ${missing}`).waitFor();
    }
    await page.getByText("This console has no Snapshot Gone").waitFor();
    await page.getByText("This item cannot be read here").waitFor();
    // The strip stays the same element when an item before it is removed, so a hold goes on.
    const strip = page.locator(".own-item").filter({ has: page.getByRole("slider") });
    await strip.evaluate((element) => element.dataset.kept = "");
    pages[2] = { name: "studio", title: "Studio", items: items.slice(1) };
    await desk.rpc("setviewdocument", { name: "pages", document: { pages } });
    await page.getByText("This console has no strip 1, 10").waitFor({ state: "detached" });
    assertEquals(await page.locator("[data-kept]").getByRole("slider").count(), 1);
    await desk.rpc("setviewdocument", { name: "pages", document: { pages: "rubbish" } });
    await page.getByText("There is no own page studio.").waitFor();
  },
);

browserTest("simultaneous changes of a page by two devices are all kept", async (desk) => {
  const one = await desk.open("#/own");
  await make(one, "Texts", "In the console, for all");
  const two = await desk.open("#/own/texts/edit");
  await Promise.all([add(one, "Text", "one"), add(two, "Text", "two")]);
  const items = itemsOf(desk);
  await becomes(async () => (await items()).length, 2);
  await until(async () => await lines(one).count() === 2 && await lines(two).count() === 2);
  // A key that moves nothing must not take the focus later.
  await one.locator(".own-handle").first().press("ArrowUp");
  const title = one.getByRole("textbox", { name: "Title" });
  await title.fill("Morning sho");
  await add(two, "Text", "three");
  await becomes(() => lines(one).count(), 3);
  assertEquals(await title.inputValue(), "Morning sho", "it is still being typed");
  await frames(one);
  assertEquals(await title.evaluate((field) => field === document.activeElement), true);
  await one.keyboard.press("Enter");
  await two.getByRole("link", { name: "Morning sho" }).waitFor();
});

browserTest("a page never replaces another page of its name", async (desk) => {
  const theirs = { name: "studio", title: "Theirs", items: [] };
  const page = await desk.open("#/own");
  await make(page, "Studio");
  await add(page, "Text", "mine");
  await desk.rpc("setviewdocument", { name: "pages", document: { pages: [theirs] } });
  await button(page, "In the console, for all").click();
  await page.getByText("this one is now at #/own/studio-2").waitFor();
  const inConsole = async () =>
    (await desk.rpc("getviewdocument", { name: "pages" })).payload.result.document.pages;
  const mine = { name: "studio-2", title: "Studio", icon: "own", items: [text("mine")] };
  await becomes(inConsole, [theirs, mine]);
  await until(() => page.url().endsWith("#/own/studio-2/edit"));
  await page.getByRole("link", { name: "Theirs" }).first().waitFor();
});

browserTest("items and pages beyond the limits are refused with a sentence", async (desk) => {
  const items = Array.from({ length: OWN_PAGE_ITEMS }, (_, at) => text(`${at}`));
  const names = Array.from({ length: OWN_PAGES }, (_, at) => `p${at}`);
  const pages = names.map((name, at) => ({ name, title: name, items: at === 0 ? items : [] }));
  await desk.rpc("setviewdocument", { name: "pages", document: { pages } });
  const page = await desk.open("#/own/p0/edit");
  await page.getByRole("form", { name: "Add" }).getByLabel("What").selectOption("text");
  await page.getByRole("form", { name: "Add" }).getByRole("textbox").fill("more");
  await page.getByRole("form", { name: "Add" }).getByRole("button", { name: "Add" }).click();
  await page.getByText("A page holds up to 200 items: remove one first.").waitFor();
  await page.goto(`${desk.url}/#/own`);
  await button(page, "New page").click();
  const form = page.getByRole("dialog", { name: "New page" });
  await form.getByLabel("Title").fill("More");
  await form.getByRole("button", { name: "In the console, for all" }).click();
  await form.getByRole("button", { name: "Create" }).click();
  await page.getByText("50 own pages are kept there already: remove one first.").waitFor();
});

browserTest("a long text covers no other item, and moves the items below it", async (desk) => {
  const key = { kind: "key", path: "/audio/mixers/0/mutegroups/0" };
  const items = [{ kind: "strip", mixer: 0, fader: 0 }, key, text("so long ".repeat(16)), key];
  const document = { pages: [{ name: "studio", title: "Studio", items }] };
  await desk.rpc("setviewdocument", { name: "pages", document });
  const page = await desk.open("#/own/studio", { viewport: { width: 390, height: 844 } });
  await page.getByRole("slider", { name: "Host" }).waitFor();
  await page.getByRole("heading", { name: "so long" }).waitFor();
  const box = async (at: number) => (await page.locator(".own-item").nth(at).boundingBox())!;
  const [strip, above, line, below] = await Promise.all([0, 1, 2, 3].map(box));
  // A strip has eight rows of 56 pixels, and the gaps between them.
  assert(strip!.height >= 448 && strip!.height < 560, `a strip of ${strip!.height} pixels`);
  assertEquals([above!.height, below!.height], [56, 56]);
  assert(line!.height > 56, `the text takes ${line!.height} pixels`);
  assert(line!.y >= strip!.y + strip!.height, "below what is above it");
  assert(below!.y >= line!.y + line!.height, "above what is below it");
});

browserTest("only users with the right to configure change a page in the console", async (desk) => {
  const { token } = (await desk.rpc("adduser", { name: "op", groups: 1, may: "operate" }))
    .payload.result;
  const document = { pages: [{ name: "studio", title: "Studio", items: [] }] };
  await desk.rpc("setviewdocument", { name: "pages", document });
  const page = await desk.open("#/own/studio/edit", { token });
  await page.getByText("This needs the right to configure.").waitFor();
  assertEquals(await page.locator(".own-edit").getAttribute("inert"), "");
});

browserTest(
  "an intern gets a page that can only start jingles",
  async (desk) => {
    const heard = await automation(desk);
    // An admin adds the intern, and makes the page.
    const admin = await desk.open("#/admin");
    await button(admin, "Add user").first().click();
    const form = admin.getByRole("dialog");
    await form.getByLabel("Name").fill("intern");
    await form.getByRole("button", { name: "Press list buttons" }).click();
    await form.getByRole("button", { name: "Save" }).click();
    const token = await admin.getByRole("textbox", { name: "Token of intern" }).inputValue();
    await admin.goto(`${desk.url}/#/own`);
    await admin.reload();
    await make(admin, "Jingles", "In the console, for all");
    await add(admin, "External list", (await namesOf(desk)).Jingles);

    // The link with ?kiosk shows only this page.
    const phone = { viewport: { width: 390, height: 844 }, hasTouch: true };
    const intern = await desk.open("#/own/jingles?kiosk", { token, ...phone });
    await button(intern, "Opener").waitFor();
    assertEquals(await intern.getByRole("navigation").count(), 0);
    assertEquals(await intern.getByRole("link").count(), 0);
    await button(intern, "Opener").tap();
    await becomes(() => heard.join(), "0 1,0 0");
    assertEquals(await accessibilityFaults(intern), []);
    const box = (await button(intern, "News").boundingBox())!;
    assert(box.y + box.height <= 844, "all of the list is on the screen");

    // A press inside another page that is shown alone does not lead out.
    await intern.goto(`${desk.url}/#/lists?kiosk`);
    await button(intern, "Carts").tap();
    await intern.getByText("No system fills Carts").waitFor();
    assertEquals(new URL(intern.url()).hash, "#/lists/2?kiosk");
    assertEquals(await intern.getByRole("navigation").count(), 0);

    // At another address the intern still cannot change anything.
    await intern.goto(`${desk.url}/#/mixer/0`);
    const on = intern.getByRole("button", { name: /^ON/ }).first();
    await clickDisabled(on);
    await intern.getByText("This needs the right to operate.").waitFor();
    const { error } = await desk.rpc("fadetovalue", { fader: 0, time: 0, value: 0 }, token);
    assertEquals(error.code, 5);
  },
);

browserTest("a kiosk can be locked, and with ?view shows View only", async (desk) => {
  await automation(desk);
  const document = {
    pages: [{ name: "jingles", title: "Jingles", items: [{ kind: "list", list: 1 }] }],
  };
  await desk.rpc("setviewdocument", { name: "pages", document });
  const page = await desk.open("?kiosk#/own/jingles");
  await button(page, "Opener").waitFor();
  await page.getByRole("heading", { level: 1, name: "Jingles" }).waitFor();
  await button(page, "Lock against touch").click();
  await button(page, "Hold to unlock").waitFor();
  const looking = await desk.open("?kiosk&view#/own/jingles");
  await looking.getByText("View only").waitFor();
  await clickDisabled(button(looking, "Opener"));
  await looking.getByText("This page only looks on.").waitFor();
});
