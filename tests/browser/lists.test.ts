/** External lists in the view: the content set by an automation, and the holding of buttons. */
import { assert, assertEquals } from "@std/assert";
import type { RpcParams } from "../../client/client.ts";
import { demoConfiguration } from "../../core/configuration/demo.ts";
import {
  accessibilityFaults,
  becomes,
  browserTest,
  clickDisabled,
  type Desk,
  type Page,
  processTest,
} from "./browser.ts";
import { fingersAt, frames, placeIn } from "./fingers.ts";

type Entries = RpcParams<"setextlist">["entries"];

const entries: Entries = [
  { label: "News" },
  { label: "Weather", color: "b62324", background: true },
  { label: "Traffic", color: "000080" },
  { label: "Closed", disabled: true },
];

/** A radio automation: a client that fills list 1, and gets the events of its buttons. */
async function automation(desk: Desk, filled = entries) {
  const client = await desk.client();
  const events: string[] = [];
  client.onEvent(({ type, params }) => {
    if (type === "extlistnotified") events.push(`${params.entry} ${params.on}`);
  });
  await client.rpc("registerextlist", { list: 1 });
  const set = (entries: Entries, more = {}) =>
    client.rpc("setextlist", { list: 1, entries, ...more });
  await set(filled);
  return { client, set, heard: (...expected: string[]) => becomes(() => [...events], expected) };
}

const labels = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ label: `Button ${at}` }));

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

/** Opens the list, and waits until its buttons are enabled for this user. */
async function openList(desk: Desk, options = {}): Promise<Page> {
  const page = await desk.open("#/lists/1", options);
  await page.locator('.list-button[aria-disabled="false"]').first().waitFor();
  return page;
}

/** Presses a button last, by the mouse: earlier events would come before this one. */
async function pressLast(page: Page, name: string): Promise<void> {
  await frames(page);
  await button(page, name).click();
}

browserTest("a list set by another client appears, and ends with that client", async (desk) => {
  const page = await desk.open("#/lists");
  await page.getByText("No system fills").waitFor();
  const other = await automation(desk);
  await button(page, "News").waitFor();
  assertEquals(await button(page, "Closed").getAttribute("aria-disabled"), "true");
  const ground = () =>
    button(page, "Weather").evaluate((element) => getComputedStyle(element).backgroundColor);
  assertEquals(await ground(), "rgb(182, 35, 36)");
  await other.set([{ label: "Later" }]);
  await button(page, "Later").waitFor();
  await button(page, "News").waitFor({ state: "detached" });
  await other.client.close();
  await page.getByText("No system fills").waitFor();
});

browserTest("fingers, the mouse and keys hold buttons independently", async (desk) => {
  const other = await automation(desk);
  const page = await openList(desk, { hasTouch: true });
  const hand = await fingersAt(page);
  const news = await placeIn(button(page, "News"));
  await hand.press(news);
  await other.heard("0 1");
  await becomes(() => button(page, "News").getAttribute("aria-pressed"), "true");
  // Neither a long press, which asks for a menu, nor a finger leaving the button releases it.
  const isTaken = await button(page, "News").evaluate((button) =>
    !button.dispatchEvent(new Event("contextmenu", { bubbles: true, cancelable: true }))
  );
  assertEquals(isTaken, true);
  await hand.move({ x: news.x + 200, y: news.y + 150 });
  await button(page, "Weather").hover();
  await page.mouse.down();
  await other.heard("0 1", "1 1");
  await button(page, "Traffic").focus();
  for (const key of ["Space", "Enter"]) {
    await page.keyboard.down(key);
    // A held key repeats.
    await page.keyboard.down(key);
  }
  await other.heard("0 1", "1 1", "2 1");
  await page.mouse.up();
  await other.heard("0 1", "1 1", "2 1", "1 0");
  await page.keyboard.up("Space");
  await hand.lift();
  await other.heard("0 1", "1 1", "2 1", "1 0", "0 0");
  // Moving the focus away from a held button releases it.
  await page.keyboard.press("ArrowLeft");
  await other.heard("0 1", "1 1", "2 1", "1 0", "0 0", "2 0");
});

/** The events that end the hold of a button. */
const ends: Readonly<Record<string, (page: Page) => Promise<unknown>>> = {
  "another page is opened": (page) => page.evaluate(() => location.hash = "#/console"),
  "the window loses the focus": (page) =>
    page.evaluate(() => globalThis.dispatchEvent(new Event("blur"))),
  "the tab is hidden": (page) =>
    page.evaluate(() => {
      Object.defineProperty(document, "hidden", { value: true });
      document.dispatchEvent(new Event("visibilitychange"));
    }),
  "the tab is closed": (page) => page.close(),
  "the page is locked": (page) =>
    page.getByRole("button", { name: "Lock against touch" }).dispatchEvent("click"),
};

browserTest("a held button is released whatever happens to the page", async (desk) => {
  const other = await automation(desk);
  const heard: string[] = [];
  for (const [what, happen] of Object.entries(ends)) {
    const page = await openList(desk);
    await button(page, "News").hover();
    await page.mouse.down();
    await other.heard(...heard, "0 1");
    await happen(page);
    heard.push("0 1", "0 0");
    await other.heard(...heard).catch((fault) => {
      throw new Error(what, { cause: fault });
    });
  }
});

browserTest("disabled buttons, and those of a view-only page, are not pressed", async (desk) => {
  const other = await automation(desk);
  const page = await openList(desk);
  await clickDisabled(button(page, "Closed"));
  await page.getByText("cannot be pressed now").waitFor();
  const looking = await desk.open("?view#/lists/1");
  await clickDisabled(button(looking, "News"));
  await looking.getByText("This page only looks on").waitFor();
  await pressLast(page, "Weather");
  await other.heard("1 1", "1 0");
});

browserTest("pages turn by buttons, by keys, and by the list itself", async (desk) => {
  const other = await automation(desk, labels(60));
  const page = await openList(desk);
  await button(page, "Next page").click();
  await button(page, "Button 24").waitFor();
  await button(page, "Button 0").waitFor({ state: "detached" });
  await button(page, "Page 1").click();
  await button(page, "Button 0").focus();
  // The buttons are in six columns.
  const ways = [
    ["ArrowRight", 1],
    ["ArrowDown", 7],
    ["ArrowLeft", 6],
    ["ArrowUp", 0],
    ["ArrowUp", 0],
    ["ArrowDown", 6],
    ["ArrowDown", 12],
    ["ArrowDown", 18],
    ["PageDown", 42],
    ["PageDown", 59],
    ["PageUp", 35],
    ["PageUp", 11],
    ["PageUp", 11],
  ] as const;
  for (const [key, at] of ways) {
    await page.keyboard.press(key);
    await page.locator(".list-button:focus").getByText(`Button ${at}`, { exact: true }).waitFor();
  }
  await other.set(labels(60), { select: 2 });
  await pressLast(page, "Button 48");
  await other.heard("48 1", "48 0");
});

/** As many lists as leave no room for buttons on a phone if each of them has a key. */
const manyLists = Array.from({ length: 32 }, (_, at) => ({ id: at + 1, name: `Studio ${at + 1}` }));

browserTest("on a phone one of many lists is divided, and turned by swipes", async (desk) => {
  const other = await automation(desk, labels(24));
  const page = await openList(desk, { viewport: { width: 390, height: 560 }, hasTouch: true });
  const isScrolling = await page.locator(".page").evaluate((element) =>
    element.scrollHeight > element.clientHeight
  );
  assertEquals(isScrolling, false);
  assertEquals(await button(page, "Button 23").count(), 0);
  for (const key of await page.locator(".lists-pager button").all()) {
    const { width, height } = (await key.boundingBox())!;
    assert(width >= 44 && height >= 44, `${width} x ${height}`);
  }
  const hand = await fingersAt(page);
  const pager = page.getByRole("navigation", { name: "Pages of the list" });
  await hand.press(await placeIn(pager, { x: 0.95, y: 0.5 }));
  for (const x of [0.5, 0.05]) await hand.move(await placeIn(pager, { x, y: 0.5 }));
  await hand.lift();
  await pressLast(page, "Button 23");
  await other.heard("23 1", "23 0");
  await page.getByRole("combobox", { name: "List" }).selectOption("Studio 32");
  await page.getByText("No system fills Studio 32").waitFor();
}, { configuration: { ...demoConfiguration, lists: manyLists } });

// The colours of texts depend on the chosen look.
for (const theme of ["dark", "light"]) {
  browserTest(`axe-core finds nothing on a list, ${theme}`, async (desk) => {
    await automation(desk);
    const page = await openList(desk, { preferences: { theme } });
    assertEquals(await accessibilityFaults(page, []), []);
    assert((await button(page, "Traffic").boundingBox())!.height >= 44);
  });
}

processTest(
  "a button held when the console falls silent is released, and no button is pressed",
  async (desk) => {
    const other = await automation(desk);
    const page = await openList(desk);
    await button(page, "News").hover();
    await page.mouse.down();
    await other.heard("0 1");
    desk.service.kill("SIGSTOP");
    await page.locator(".lamp.silent").waitFor();
    await page.mouse.up();
    await button(page, "Weather").dispatchEvent("click");
    desk.service.kill("SIGCONT");
    await page.locator(".lamp.open").waitFor();
    await pressLast(page, "Traffic");
    await other.heard("0 1", "0 0", "2 1", "2 0");
  },
);
