/** Mute groups, VCA groups, and the colours and signs of channels. */
import { assert, assertEquals } from "@std/assert";
import { between, holdAnswers, type PageEnd, sentBy } from "./between.ts";
import {
  accessibilityFaults,
  becomes,
  browserTest,
  type Desk,
  type Locator,
  type OpenOptions,
  type Page,
  until,
} from "./browser.ts";
import type { Json } from "../service.ts";
import { fingersAt, placeIn } from "./fingers.ts";

const FADERS = "/audio/mixers/0/faders";
const phone = { viewport: { width: 390, height: 844 }, hasTouch: true };

const key = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const strips = (page: Page) => page.locator(".strip");
/** The key that covers the strip of a fader while members are assigned. */
const coverOf = (page: Page, fader: number) =>
  page.locator(`.row-place[data-fader="${fader}"] .cover`);

/** Opens the mixer, and waits until its row of groups has loaded. */
async function openMixer(desk: Desk, path = "", options: OpenOptions = {}): Promise<Page> {
  const page = await desk.open(path, options);
  await page.locator(".mixer-groups").waitFor();
  return page;
}

/** Starts to assign the members of a group by its line in the dialog. */
async function assign(page: Page, group: string): Promise<void> {
  await key(page, "Groups").click();
  await key(page, `Assign: ${group}`).click();
  await coverOf(page, 0).waitFor();
}

browserTest(
  "mute all microphones: after naming a group, one press mutes at every other device",
  async (desk) => {
    const other = await desk.client();
    await other.set(FADERS, { 0: { on: true }, 1: { on: true }, 4: { on: true } });
    const { token } = await other.rpc("adduser", { name: "intern", groups: 1, may: "operate" });
    const admin = await openMixer(desk);
    const sizes = [[1920, 1080], [1024, 768], [390, 844], [844, 390]] as const;
    const pages = await Promise.all(
      sizes.map(([width, height]) =>
        openMixer(desk, "", { viewport: { width, height }, hasTouch: true, token: token! })
      ),
    );
    await key(admin, "Groups").click();
    await admin.getByRole("textbox", { name: "Mute group 1" }).fill("Microphones");
    await admin.keyboard.press("Enter");
    await key(admin, "Assign: Microphones").click();
    for (const fader of [0, 1, 2]) await coverOf(admin, fader).click();
    await key(admin, "Done").click();
    await until(async () => await admin.locator(".cover").count() === 0);
    for (const page of pages) {
      const mute = key(page, "Mute Microphones");
      await becomes(() => mute.getAttribute("aria-description"), "3 strips");
      const box = (await mute.boundingBox())!;
      const { width, height } = page.viewportSize()!;
      assert(box.x >= 0 && box.x + box.width <= width && box.y + box.height <= height);
      // On low screens keys have less height.
      assert(box.height >= (height < 480 ? 36 : 44), `${box.height} pixels`);
      const isMuted = await mute.getAttribute("aria-pressed") === "true";
      await mute.tap();
      await becomes(() => mute.getAttribute("aria-pressed"), String(!isMuted));
      const said = page.locator('.key.on[data-said="MUTED"][aria-pressed="true"]');
      await becomes(() => said.count(), isMuted ? 0 : 2);
    }
    assertEquals(await other.get(`${FADERS}/0/on`), true);
  },
);

browserTest("the key of a mute group shows at once that it was pressed", async (desk) => {
  let isHolding = false;
  const slow = holdAnswers(({ method }) => isHolding && (method === "set" || method === "update"));
  const page = await openMixer(desk, "", { before: slow.before });
  isHolding = true;
  await key(page, "Mute 1").click();
  await page.locator('.asked[aria-label="Mute 1"][aria-pressed="false"]').waitFor();
  slow.release();
  await page.locator('[aria-label="Mute 1"][aria-pressed="true"]:not(.asked)').waitFor();
});

browserTest("on a phone the key of a group that has the focus is not covered", async (desk) => {
  const other = await desk.client();
  await other.set(`${FADERS}/0/vcagroup`, 1);
  const page = await openMixer(desk);
  await key(page, "Only VCA 1").waitFor();
  for (const [width, height] of [[320, 640], [360, 640], [390, 640], [390, 844]] as const) {
    await page.setViewportSize({ width, height });
    await page.locator("nav[aria-label=Mixers] a").last().focus();
    for (const name of ["Mute 1", "Mute 2", "Mute 3", "Mute 4", "Only VCA 1"]) {
      await page.keyboard.press("Tab");
      // A browser does not scroll to a key of which a part is seen.
      await until(async () => await seenAcross(key(page, name)) >= 3);
    }
  }
});

/** The number of nine points across a key that has the focus that nothing covers. */
function seenAcross(key: Locator): Promise<number> {
  return key.and(key.page().locator(":focus")).evaluate((key) => {
    const { x, y, width, height } = key.getBoundingClientRect();
    const points = Array.from({ length: 9 }, (_, tenth) => x + width * (tenth + 1) / 10);
    return points.filter((x) => key.contains(document.elementFromPoint(x, y + height / 2))).length;
  });
}

browserTest("members are assigned by taps, each sending one set", async (desk) => {
  let sent: ReturnType<typeof sentBy> = [];
  const page = await openMixer(desk, "", { ...phone, before: (page) => sent = sentBy(page) });
  const sets = () =>
    sent.filter(({ method }) => method === "set").map(({ path, payload }) => [path, payload]);
  await assign(page, "Mute group 2");
  const hand = await fingersAt(page);
  for (const fader of [0, 1, 0]) {
    const before = await coverOf(page, fader).getAttribute("aria-pressed");
    await hand.press(await placeIn(coverOf(page, fader)));
    await hand.lift();
    await becomes(
      () => coverOf(page, fader).getAttribute("aria-pressed"),
      String(before !== "true"),
    );
  }
  const path = (fader: number) => `${FADERS}/${fader}/mutegroups/1`;
  assertEquals(sets(), [[path(0), true], [path(1), true], [path(0), false]]);
  await coverOf(page, 1).getByText("Member").waitFor();
  await coverOf(page, 0).getByText("Add").waitFor();
  // A swipe turns the page, and assigns nothing.
  const row = page.locator(".row");
  const from = await placeIn(coverOf(page, 1));
  await hand.press(from);
  for (let way = 0; way <= 150; way += 15) await hand.move({ x: from.x - way, y: from.y });
  await hand.lift();
  await until(async () => await row.evaluate((row) => row.scrollLeft) > 50);
  assertEquals(sets().length, 3);
  await key(page, "Done").click();
  await until(async () => await page.locator(".cover").count() === 0);
});

browserTest("members are assigned by keys; a VCA group's first member leads", async (desk) => {
  const other = await desk.client();
  await other.set(FADERS, { 3: { vcagroup: 1 } });
  const page = await openMixer(desk);
  await key(page, "Groups").press("Enter");
  await key(page, "New VCA group").press("Enter");
  await page.locator(".row-place[data-fader='0'] .cover:focus").waitFor();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Space");
  await becomes(() => other.get(`${FADERS}/1/vcagroup`), 2);
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Space");
  await becomes(() => other.get(`${FADERS}/2/vcagroup`), 2);
  const words = () => page.locator(".cover").allTextContents();
  await becomes(words, ["Add", "Leads", "Member", "VCA 1", "Add", "Add", "Add", "Add"]);
  await page.keyboard.press("Space");
  await becomes(() => other.get(`${FADERS}/2/vcagroup`), 0);
  await page.keyboard.press("Escape");
  await until(async () => await page.locator(".cover").count() === 0);
  await page.locator(".group-edit:focus").waitFor();
  await key(page, "Only VCA 2").and(page.locator('[aria-description="1 strip"]')).waitFor();
});

browserTest("assigning ends with the connection and with the page", async (desk) => {
  let console: PageEnd | undefined;
  const page = await openMixer(desk, "", {
    before: between({
      answered(message, end) {
        console = end;
        return message;
      },
    }),
  });
  await assign(page, "Mute group 1");
  console!.close();
  await until(async () => await page.locator(".cover").count() === 0);
  await page.locator(".lamp.open").waitFor();
  assertEquals(await page.locator(".cover").count(), 0);
  await assign(page, "Mute group 1");
  await page.getByRole("link", { name: "Lists" }).click();
  await page.getByRole("link", { name: "Mixer" }).click();
  await strips(page).first().waitFor();
  assertEquals(await page.locator(".cover").count(), 0);
  // A message to the console may be under way when the connection closes.
}, { expected: /WebSocket is already in CLOSING/ });

browserTest("a name is saved by Enter and by leaving its field, not by Escape", async (desk) => {
  const page = await openMixer(desk);
  const name = page.getByRole("textbox", { name: "Mute group 1" });
  await key(page, "Groups").click();
  await name.fill("Studio");
  await name.press("Tab");
  await page.locator(".group-key", { hasText: "Studio" }).waitFor();
  await name.fill("Microphones");
  await name.press("Enter");
  await page.locator(".group-key", { hasText: "Microphones" }).waitFor();
  await name.fill("Nobody");
  await name.press("Escape");
  await until(async () => await page.getByRole("dialog").count() === 0);
  await key(page, "Groups").click();
  await becomes(() => name.inputValue(), "Microphones");
  await name.fill(" ");
  await name.press("Enter");
  await page.locator(".group-key", { hasText: "Mute 1" }).waitFor();
});

browserTest("a name that was not saved stays in its field, with the reason", async (desk) => {
  let isRefused = true;
  const page = await openMixer(desk, "", {
    ...phone,
    before: between({ asked: (message) => isRefused ? unknownOf(message, "setview") : message }),
  });
  const name = page.getByRole("textbox", { name: "Mute group 1" });
  await key(page, "Groups").click();
  // The key has the same size as in all other dialogs.
  const close = (await page.getByRole("dialog").getByRole("button", { name: "Close" })
    .boundingBox())!;
  assertEquals([close.width, close.height], [44, 44]);
  await name.fill("Studio");
  await name.press("Enter");
  await page.getByText(/getnothing/).first().waitFor();
  assertEquals(await name.inputValue(), "Studio");
  isRefused = false;
  await name.press("Enter");
  await page.locator(".group-key", { hasText: "Studio" }).waitFor();
  assertEquals(await name.inputValue(), "Studio");
});

browserTest("the page says that a console without documents saves no name", async (desk) => {
  const page = await openMixer(desk, "", {
    before: between({ asked: (message) => unknownOf(message, "getview") }),
  });
  await key(page, "Groups").click();
  const name = page.getByRole("textbox", { name: "Mute group 1" });
  await name.fill("Studio");
  await name.press("Enter");
  await page.getByText("This console stores nothing for pages: this was not stored.").first()
    .waitFor();
  assertEquals(await name.inputValue(), "Studio");
});

browserTest("a document whose read was not answered is read before a change", async (desk) => {
  let isRefused = true;
  const lose = (message: Json) => isRefused && isOf(message, "getview") ? undefined : message;
  const page = await openMixer(desk, "", { before: between({ asked: lose }) });
  await key(page, "Groups").click();
  const name = page.getByRole("textbox", { name: "Mute group 1" });
  await name.fill("Studio");
  isRefused = false;
  await name.press("Enter");
  const client = await desk.client();
  const written = async () => (await client.rpc("getviewdocument", { name: "groups" })).document;
  await becomes(written, { mixers: { 0: { mutegroups: { 0: { name: "Studio" } } } } });
});

const isOf = ({ payload }: Json, call: string) => payload?.method?.startsWith(call) === true;

/** Replaces calls of methods with this prefix by an unknown method; other messages stay. */
function unknownOf(message: Json, call: string): Json {
  return isOf(message, call)
    ? { ...message, payload: { method: "getnothing", params: {} } }
    : message;
}

browserTest("assigning and naming without the right shows the reason", async (desk) => {
  const other = await desk.client();
  const { token } = await other.rpc("adduser", { name: "guest", groups: 1, may: "operate" });
  const page = await openMixer(desk, "", { token: token! });
  await key(page, "Groups").click();
  const reason = "This needs the right to configure.";
  const isRefused = page.locator(`[aria-disabled="true"][title="${reason}"]`);
  await key(page, "Assign: Mute group 1").and(isRefused).waitFor();
  assertEquals(await page.getByRole("textbox", { name: "Mute group 1" }).isDisabled(), true);
  await key(page, "Assign: Mute group 1").press("Enter");
  await page.getByRole("status").getByText(reason).first().waitFor();
  assertEquals(await page.locator(".cover").count(), 0);
});

browserTest("a press, the address and Back show a VCA group alone or all strips", async (desk) => {
  const other = await desk.client();
  await other.set(FADERS, { 1: { vcagroup: 3 }, 5: { vcagroup: 3 }, 6: { vcagroup: 4 } });
  await other.rpc("setviewdocument", {
    name: "groups",
    document: { mixers: { 0: { vcagroups: { 3: { name: "Band" } } } } },
  });
  let sent: ReturnType<typeof sentBy> = [];
  const page = await openMixer(desk, "", { before: (page) => sent = sentBy(page) });
  const shown = () =>
    page.locator(".row-place").evaluateAll((places) =>
      places.map((place) => Number(place.getAttribute("data-fader")))
    );
  await key(page, "Only Band").click();
  await becomes(shown, [1, 5]);
  await page.getByText("2 of 8 strips").waitFor();
  const heard = () => {
    const paths = new Set<string>();
    for (const { method, path } of sent) {
      if (method === "subscribe") paths.add(path);
      if (method === "unsubscribe") paths.delete(path);
    }
    return [...paths].filter((path) => path.includes("/meter/")).sort();
  };
  await becomes(heard, [1, 5].map((fader) => `${FADERS}/${fader}/meter/_input`));
  await page.goBack();
  await becomes(shown, [0, 1, 2, 3, 4, 5, 6, 7]);
  await page.goForward();
  await becomes(shown, [1, 5]);
  await page.reload();
  await becomes(shown, [1, 5]);
  await key(page, "Everything of Guest 1").click();
  await page.getByLabel("VCA group").locator("option:checked", { hasText: "VCA 3 · Band" })
    .waitFor({ state: "attached" });
  await page.keyboard.press("Escape");
  // The next fader of an open strip is the next one of the group.
  await key(page, "Everything of Guest 1").click();
  await key(page, "Next fader").click();
  await page.getByRole("complementary", { name: "Everything of Playout B" }).waitFor();
  await key(page, "Close").click();
  await key(page, "All strips").click();
  await becomes(shown, [0, 1, 2, 3, 4, 5, 6, 7]);
  await key(page, "Only VCA 4").click();
  await becomes(shown, [6]);
  await other.set(`${FADERS}/6/vcagroup`, 0);
  await page.getByText("No strip belongs to this group.").waitFor();
  await key(page, "All strips").click();
  await becomes(shown, [0, 1, 2, 3, 4, 5, 6, 7]);
});

browserTest("a channel has its colour and its sign in every browser", async (desk) => {
  const page = await openMixer(desk, "#/mixer/0/1/colour");
  const two = await openMixer(desk, "", { forcedColors: "active" });
  await key(page, "Blue").click();
  await key(page, "Guest").click();
  const look = two.locator('.row-place[data-fader="1"]').getByRole("img", { name: "Guest, Blue" });
  await look.waitFor();
  const colour = () => look.evaluate((look) => getComputedStyle(look).backgroundColor);
  await becomes(colour, "rgb(121, 176, 255)");
  const other = await desk.client();
  // Colour and sign belong to the channel, and move with it.
  await other.set(FADERS, { 1: { sourceid: 1 }, 4: { sourceid: 2 } });
  await two.locator('.row-place[data-fader="4"]').getByRole("img", { name: "Guest, Blue" })
    .waitFor();
  await until(async () => await two.locator('.row-place[data-fader="1"] .look').count() === 0);
});

browserTest("invalid documents of groups and channels break no page", async (desk) => {
  const other = await desk.client();
  await other.set(FADERS, { 2: { vcagroup: 2 } });
  const documents = {
    groups: [
      { mixers: [{ mutegroups: 1 }] },
      { mixers: { 0: { mutegroups: { 0: { name: { a: 1 } } }, vcagroups: { 2: null, x: [] } } } },
      { mixers: { 0: { mutegroups: { 0: { name: `<b>\u202eA${"é".repeat(20_000)}` } } } } },
    ],
    strips: [{ channels: { 1: { colour: "url(x)", icon: "constructor" }, 2: 7 } }],
  };
  const page = await openMixer(desk);
  for (const [name, written] of Object.entries(documents)) {
    for (const document of written) await other.rpc("setviewdocument", { name, document });
  }
  await key(page, "Only VCA 2").waitFor();
  await page.locator(".group-key", { hasText: "<b> Aé" }).waitFor();
  assertEquals(await page.locator(".look").count(), 0);
});

for (const look of ["dark", "light"]) {
  browserTest(`axe-core finds nothing on groups in the ${look} look`, async (desk) => {
    const other = await desk.client();
    await other.set(FADERS, {
      0: { vcagroup: 1, mutegroups: { 0: true } },
      1: { vcagroup: 1 },
    });
    await other.rpc("setviewdocument", {
      name: "strips",
      document: { channels: { 1: { colour: "teal", icon: "host" }, 2: { colour: "yellow" } } },
    });
    const options = { ...phone, preferences: { theme: look } };
    const page = await openMixer(desk, "", options);
    const isFaultless = async (what: string) =>
      assertEquals(await accessibilityFaults(page, []), [], what);
    await page.locator(".look").first().waitFor();
    await isFaultless("the bar");
    await key(page, "Groups").click();
    await isFaultless("the dialog");
    await key(page, "Assign: VCA 1").click();
    await isFaultless("assigning");
    await key(page, "Done").click();
    await key(page, "Only VCA 1").click();
    await isFaultless("the strips of a group");
    await key(page, "Everything of Host").click();
    await page.getByRole("tab", { name: "Colour" }).click();
    await key(page, "Teal").waitFor();
    await isFaultless("the choice of a look");
  });
}
