/** External lists in the view: what an automation sets, and how its buttons are held. */
import { assert, assertEquals } from "@std/assert";
import { type Client, connect, type ListEvent } from "../../client/client.ts";
import { accessibilityFaults, browserTest, type Page } from "./browser.ts";
import { until } from "./until.ts";

const entries = [
  { label: "News" },
  { label: "Weather", color: "b62324", background: true },
  { label: "Traffic", color: "000080" },
  { label: "Closed", disabled: true },
];

/** A radio automation: a client of its own, that fills list 1 and hears of its buttons. */
async function automation(url: string, token: string) {
  const client: Client = connect(`${url.replace("http", "ws")}/api/ws`, { token });
  await client.ready();
  const events: string[] = [];
  client.onEvent(({ params: { entry, on } }: ListEvent) => events.push(`${entry} ${on}`));
  await client.rpc("registerextlist", { list: 1 });
  await client.rpc("setextlist", { list: 1, entries });
  return {
    client,
    events,
    /** Waits until so many events have come, and for one too many. */
    async heard(...expected: string[]) {
      const end = Date.now() + 15_000;
      while (events.length < expected.length && Date.now() < end) await delay(20);
      await delay(150);
      assertEquals(events, expected);
    },
    [Symbol.asyncDispose]: () => client.close(),
  };
}

const delay = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

/** Waits until a button is there, and the page knows that this user may press it. */
const isReady = (page: Page, name: string) =>
  until(async () => await button(page, name).getAttribute("aria-disabled") === "false");

async function middleOf(page: Page, name: string) {
  const { x, y, width, height } = (await button(page, name).boundingBox())!;
  return { x: x + width / 2, y: y + height / 2 };
}

/** Fingers on a page, by the browser's own debugger. */
async function fingers(page: Page) {
  const session = await page.context().newCDPSession(page);
  const send = (type: string, ...touchPoints: { x: number; y: number; id: number }[]) =>
    session.send("Input.dispatchTouchEvent", { type: type as "touchStart", touchPoints });
  return {
    down: (...points: { x: number; y: number; id: number }[]) => send("touchStart", ...points),
    move: (...points: { x: number; y: number; id: number }[]) => send("touchMove", ...points),
    /** All are lifted. */
    up: () => send("touchEnd"),
  };
}

browserTest("a list that another client sets appears, and goes with that client", async (desk) => {
  const page = await desk.open("#/lists", { token: desk.token });
  await page.getByText("Nothing fills").waitFor();
  const other = await automation(desk.service.url, desk.token);
  await button(page, "News").waitFor();
  assertEquals(await button(page, "Closed").getAttribute("aria-disabled"), "true");
  const style = (name: string) =>
    button(page, name).evaluate((element) => getComputedStyle(element).backgroundColor);
  assertEquals(await style("Weather"), "rgb(182, 35, 36)");
  await other.client.rpc("setextlist", { list: 1, entries: [{ label: "Later" }] });
  await button(page, "Later").waitFor();
  await button(page, "News").waitFor({ state: "detached" });
  await other.client.close();
  await page.getByText("Nothing fills").waitFor();
});

browserTest("a touch presses at once, and releases when the finger is lifted", async (desk) => {
  const page = await desk.open("#/lists/1", { token: desk.token, hasTouch: true });
  await using other = await automation(desk.service.url, desk.token);
  await isReady(page, "News");
  const at = { ...await middleOf(page, "News"), id: 1 };
  const { down, move, up } = await fingers(page);
  await down(at);
  await other.heard("0 1");
  await until(async () => await button(page, "News").getAttribute("aria-pressed") === "true");
  // Neither a long press, nor a finger that wanders off, lets go.
  await delay(1200);
  await move({ ...at, x: at.x + 200, y: at.y + 150 });
  await other.heard("0 1");
  await up();
  await other.heard("0 1", "0 0");
});

browserTest("a finger, the mouse and a key hold several buttons, each for itself", async (desk) => {
  const page = await desk.open("#/lists/1", { token: desk.token, hasTouch: true });
  await using other = await automation(desk.service.url, desk.token);
  await isReady(page, "News");
  const { down, up } = await fingers(page);
  await down({ ...await middleOf(page, "News"), id: 1 });
  await other.heard("0 1");
  await button(page, "Weather").hover();
  await page.mouse.down();
  await button(page, "Traffic").focus();
  await page.keyboard.down("Space");
  await other.heard("0 1", "1 1", "2 1");
  await page.mouse.up();
  await other.heard("0 1", "1 1", "2 1", "1 0");
  await page.keyboard.up("Space");
  await up();
  await other.heard("0 1", "1 1", "2 1", "1 0", "2 0", "0 0");
});

for (const key of ["Space", "Enter"]) {
  browserTest(`${key} presses and holds as a finger does`, async (desk) => {
    const page = await desk.open("#/lists/1", { token: desk.token });
    await using other = await automation(desk.service.url, desk.token);
    await isReady(page, "Weather");
    await button(page, "Weather").focus();
    await page.keyboard.down(key);
    // Held down, a key repeats.
    await page.keyboard.down(key);
    await other.heard("1 1");
    await page.keyboard.up(key);
    await other.heard("1 1", "1 0");
  });
}

/** What happens to a page while a button of it is held. */
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
    page.getByRole("button", { name: "Lock against touch" }).evaluate((element) =>
      (element as HTMLElement).click()
    ),
};

for (const [what, happen] of Object.entries(ends)) {
  browserTest(`a button that is held is released when ${what}`, async (desk) => {
    const page = await desk.open("#/lists/1", { token: desk.token });
    await using other = await automation(desk.service.url, desk.token);
    await isReady(page, "News");
    await button(page, "News").hover();
    await page.mouse.down();
    await other.heard("0 1");
    await happen(page);
    await other.heard("0 1", "0 0");
  });
}

browserTest("a button that is disabled is not pressed, and says why", async (desk) => {
  const page = await desk.open("#/lists/1", { token: desk.token });
  await using other = await automation(desk.service.url, desk.token);
  await button(page, "Closed").click({ force: true });
  await page.getByText("cannot be pressed now").waitFor();
  await other.heard();
});

browserTest("who may only look on cannot press", async (desk) => {
  const page = await desk.open("?view#/lists/1", { token: desk.token });
  await using other = await automation(desk.service.url, desk.token);
  await button(page, "News").click({ force: true });
  await page.getByText("This page only looks on").waitFor();
  await other.heard();
});

browserTest("pages are leafed through here, and the list can jump to one", async (desk) => {
  const page = await desk.open("#/lists/1", { token: desk.token });
  await using other = await automation(desk.service.url, desk.token);
  const many = Array.from({ length: 60 }, (_, at) => ({ label: `Button ${at}` }));
  await other.client.rpc("setextlist", { list: 1, entries: many });
  await button(page, "Button 0").waitFor();
  await button(page, "Next page").click();
  await button(page, "Button 24").waitFor();
  await button(page, "Button 0").waitFor({ state: "detached" });
  await button(page, "Page 3").click();
  await button(page, "Button 59").focus();
  await page.keyboard.press("PageUp");
  await button(page, "Button 24").waitFor();
  await other.client.rpc("setextlist", { list: 1, entries: many, select: 2 });
  await button(page, "Button 48").waitFor();
  await other.heard();
});

browserTest("keys go from button to button, and from page to page and back", async (desk) => {
  const page = await desk.open("#/lists/1", { token: desk.token });
  await using other = await automation(desk.service.url, desk.token);
  const many = Array.from({ length: 55 }, (_, at) => ({ label: `Button ${at}` }));
  await other.client.rpc("setextlist", { list: 1, entries: many });
  await button(page, "Button 0").focus();
  // Six columns.
  const ways = [
    ...[["ArrowRight", 1], ["ArrowDown", 7], ["ArrowLeft", 6], ["ArrowUp", 0], ["ArrowUp", 0]],
    ...[["ArrowDown", 6], ["ArrowDown", 12], ["PageDown", 36], ["PageDown", 54], ["PageUp", 30]],
    ...[["PageUp", 6], ["PageUp", 6]],
  ] as const;
  for (const [key, at] of ways) {
    await page.keyboard.press(key);
    await page.locator(".list-button:focus").getByText(`Button ${at}`, { exact: true }).waitFor();
  }
  await other.heard();
});

browserTest("who leaves a button with two keys down lets go of it", async (desk) => {
  const page = await desk.open("#/lists/1", { token: desk.token });
  await using other = await automation(desk.service.url, desk.token);
  await isReady(page, "News");
  await button(page, "News").focus();
  await page.keyboard.down("Space");
  await page.keyboard.down("Enter");
  await page.keyboard.up("Space");
  await other.heard("0 1");
  await page.keyboard.down("ArrowRight");
  await other.heard("0 1", "0 0");
});

browserTest(
  "on a phone a page that does not fit is parted, and swiped beside the buttons",
  async (desk) => {
    const viewport = { width: 390, height: 560 };
    const page = await desk.open("#/lists/1", { token: desk.token, viewport, hasTouch: true });
    await using other = await automation(desk.service.url, desk.token);
    const many = Array.from({ length: 24 }, (_, at) => ({ label: `B${at}` }));
    await other.client.rpc("setextlist", { list: 1, entries: many });
    await button(page, "B0").waitFor();
    const isScrolling = await page.locator(".page").evaluate((element) =>
      element.scrollHeight > element.clientHeight
    );
    assertEquals(isScrolling, false);
    assertEquals(await button(page, "B23").count(), 0);
    const box = (await page.getByRole("navigation", { name: "Pages of the list" }).boundingBox())!;
    for (const key of await page.locator(".lists-pager button").all()) {
      const { width, height } = (await key.boundingBox())!;
      assert(width >= 44 && height >= 44, `${width} x ${height}`);
    }
    const { down, move, up } = await fingers(page);
    const at = (x: number) => ({ x: box.x + x, y: box.y + box.height / 2, id: 1 });
    await down(at(box.width - 10));
    await move(at(box.width / 2));
    await move(at(20));
    await up();
    await button(page, "B23").waitFor();
    await other.heard();
  },
);

for (const theme of ["dark", "light"]) {
  browserTest(`axe-core finds nothing on a list, ${theme}`, async (desk) => {
    await using _other = await automation(desk.service.url, desk.token);
    const page = await desk.open("#/lists/1", { token: desk.token, preferences: { theme } });
    await button(page, "News").waitFor();
    assertEquals(await accessibilityFaults(page), []);
    assert((await button(page, "Traffic").boundingBox())!.height >= 44);
  });
}
