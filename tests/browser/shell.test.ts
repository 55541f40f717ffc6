/** What stands around every page: logging in, the connection and its loss, the lock, the looks. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { accessibilityFaults, browserTest, type Page } from "./browser.ts";
import { connect } from "../../client/client.ts";
import { demoConfiguration } from "../../core/configuration/demo.ts";
import { archiveOf, restoreTo } from "../program/restores.ts";
import { startProxy } from "./proxy.ts";
import { until } from "./until.ts";

const NO_CONNECTION = /WebSocket connection to .* failed/;
const FADER = "/api/rest/audio/mixers/0/faders/0/fader";

/** Has the console tell the page something else of a path, as a failing medium would. */
function telling(path: string, payload: string) {
  return (page: Page) =>
    page.routeWebSocket(/api\/ws$/, (socket) => {
      const server = socket.connectToServer();
      server.onMessage((text) => {
        const message = JSON.parse(String(text));
        const isIt = message.path === path && "payload" in message;
        socket.send(JSON.stringify(isIt ? { ...message, payload } : message));
      });
    });
}

/** Whether the page below the header can be operated. */
async function isOperable(page: Page): Promise<boolean> {
  return !await page.locator(".page").evaluate((element) => (element as HTMLElement).inert);
}

/** Waits until the page below the header can be operated, or cannot. */
async function becomesOperable(page: Page, isIt: boolean): Promise<void> {
  await until(async () => await isOperable(page) === isIt);
}

/** Touches where a text stands, whether anything there takes it or not. */
async function touchAt(page: Page, text: string): Promise<void> {
  const { x, y, width, height } = (await page.getByText(text, { exact: true }).boundingBox())!;
  await page.mouse.click(x + width / 2, y + height / 2);
}

async function isTitled(page: Page, title: string): Promise<void> {
  await page.getByRole("heading", { level: 1, name: title }).waitFor();
}

browserTest("the page opens without a token, and says which console it is", async ({ open }) => {
  const page = await open();
  await page.locator(".console-name").getByText("demo", { exact: true }).waitFor();
  await until(async () => await page.title() === "Mixer – demo");
  await page.getByText("Looking on").waitFor();
});

browserTest("who logs in is named, and an admin sees the administration", async (desk) => {
  const page = await desk.open();
  const admin = page.getByRole("link", { name: "Admin", exact: true });
  await admin.click({ force: true });
  await page.locator(".notice").getByText("This is for admins").waitFor();
  assertEquals(await page.title(), "Mixer – demo", "the page stays");
  await page.getByRole("button", { name: "Log in" }).click();
  await page.getByLabel("Token").fill(desk.token);
  await page.getByLabel("Token").press("Enter");
  await page.getByRole("banner").getByText("admin", { exact: true }).waitFor();
  await admin.click();
  await isTitled(page, "Admin");
  await page.reload();
  await page.getByRole("banner").getByText("admin", { exact: true }).waitFor();
  await page.getByRole("button", { name: "Log out" }).click();
  await page.getByRole("dialog", { name: "Log admin out?" })
    .getByRole("button", { name: "Log out" }).click();
  await page.getByText("Looking on").waitFor();
  assertEquals(await page.evaluate(() => sessionStorage.length), 0);
});

browserTest(
  "on a phone, too, logging out is asked for, by the name, and can be left",
  async (desk) => {
    const viewport = { width: 390, height: 844 };
    const page = await desk.open("", { token: desk.token, viewport, hasTouch: true });
    await page.getByRole("button", { name: "Log out" }).tap();
    await page.getByRole("dialog", { name: "Log admin out?" })
      .getByRole("button", { name: "Cancel" }).tap();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Log out" }).waitFor();
  },
);

browserTest("a token is kept for the tab, or for the device if that is asked", async (desk) => {
  for (const isForDevice of [false, true]) {
    const page = await desk.open();
    await page.getByRole("button", { name: "Log in" }).click();
    await page.getByLabel("Token").fill(` ${desk.token} `);
    if (isForDevice) await page.getByLabel("Keep it on this device").check();
    await page.getByRole("dialog").getByRole("button", { name: "Log in" }).click();
    await page.getByRole("banner").getByText("admin", { exact: true }).waitFor();
    const other = await page.context().newPage();
    await other.goto(page.url());
    await other.getByText(isForDevice ? "admin" : "Looking on", { exact: true }).waitFor();
    assertEquals((await page.content()).includes(desk.token), false, "it is nowhere in the page");
  }
});

browserTest(
  "a wrong token is refused in the form, with the console's own sentence",
  async (desk) => {
    const page = await desk.open();
    await page.getByRole("button", { name: "Log in" }).click();
    await page.getByLabel("Token").fill("00000000-00000000-00000000-00000000");
    await page.getByLabel("Token").press("Enter");
    const alert = page.getByRole("alert").filter({ hasText: "does not take this token" });
    await alert.waitFor();
    assertStringIncludes((await alert.textContent())!, "token");
    assertEquals(await page.evaluate(() => sessionStorage.length), 0, "it is not kept");
    await page.keyboard.press("Escape");
    await page.getByText("Looking on").waitFor();
  },
);

browserTest("a console that cannot say at once who one is, is asked again", async (desk) => {
  let count = 0;
  const page = await desk.open("", {
    token: desk.token,
    before: (page) =>
      page.routeWebSocket(/api\/ws$/, (socket) => {
        const server = socket.connectToServer();
        socket.onMessage((text) => {
          const { msgID, method, payload } = JSON.parse(String(text));
          if (payload?.method !== "getuser" || ++count > 1) return server.send(text);
          const error = { code: 11, message: "limits.rpc: expected less, got more" };
          socket.send(JSON.stringify({ msgID, method, success: false, error }));
        });
      }),
  });
  await page.getByRole("banner").getByText("admin", { exact: true }).waitFor();
  assert(count > 1);
});

browserTest("a console that shows itself to known users only asks for a token", async (desk) => {
  const page = await desk.open();
  await page.getByText("to known users only").waitFor();
  await page.getByLabel("Token").fill(desk.token);
  await page.getByLabel("Token").press("Enter");
  await page.getByRole("banner").getByText("admin", { exact: true }).waitFor();
  await page.getByRole("dialog").waitFor({ state: "detached" });
}, { configuration: { device: { name: "closed" }, mixers: [{ faders: 1 }], auth: "required" } });

browserTest(
  "a loss of the console is said calmly, nothing can be operated, and it comes back by itself",
  async (desk) => {
    const page = await desk.open("#/console");
    desk.service.kill("SIGKILL");
    await page.getByText("The connection to the console is lost").waitFor();
    await page.getByText("The console, or the network to it, does not answer.").waitFor();
    await becomesOperable(page, false);
    assertEquals(await page.locator(".console-name").textContent(), "demo", "what was known stays");
    await page.getByText(/^for [1-9]\d* s$/).waitFor();
    await desk.service.ended();
    await desk.startAgain();
    await page.locator(".overlay").waitFor({ state: "detached" });
    await becomesOperable(page, true);
  },
  { expected: NO_CONNECTION },
);

browserTest("what was asked as the console went is left to the overlay", async (desk) => {
  const page = await desk.open("", { token: desk.token, locale: "de-DE" });
  const key = page.getByRole("button", { name: /^EIN / }).first();
  await until(async () => await key.getAttribute("aria-disabled") === "false");
  desk.service.kill("SIGSTOP");
  await key.click();
  await page.waitForTimeout(100);
  desk.service.kill("SIGKILL");
  await page.getByText("Die Verbindung zum Pult ist verloren").waitFor();
  await page.waitForTimeout(200);
  assertEquals(await page.locator(".notice").count(), 0);
}, { expected: NO_CONNECTION });

browserTest("a form says in the page's language that its answer is lost", async (desk) => {
  const page = await desk.open("#/admin", { token: desk.token, locale: "de-DE" });
  await page.getByRole("button", { name: "Benutzer anlegen" }).click();
  await page.getByLabel("Name").fill("anna");
  desk.service.kill("SIGSTOP");
  await page.getByLabel("Name").press("Enter");
  await page.waitForTimeout(100);
  desk.service.kill("SIGKILL");
  await page.getByText("Die Verbindung ging verloren; niemand weiß, ob das noch ankam.").waitFor();
}, { expected: NO_CONNECTION });

browserTest(
  "a loss and a refusal are seen over a dialog that is open, which can be closed, and no more",
  async (desk) => {
    const other = connect(`${desk.service.url.replace("http", "ws")}/api/ws`, desk);
    await other.ready();
    const { token } = await other.rpc("adduser", { name: "guest", groups: 1, may: "operate" });
    const page = await desk.open("#/snapshots", { token });
    await page.getByRole("button", { name: /^Load/ }).first().click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("Nothing changes").waitFor();
    await other.rpc("modifyuser", { name: "guest", may: "view" });
    await dialog.getByRole("button", { name: "Load", exact: true }).click();
    await dialog.locator(".notice").waitFor();
    await dialog.getByRole("button", { name: "Put away" }).click();
    await page.locator(".notice").waitFor({ state: "detached" });
    await other.close();
    desk.service.kill("SIGKILL");
    await dialog.getByText("The connection to the console is lost").waitFor();
    await dialog.locator(".dialog-content[inert]").waitFor();
    await dialog.getByRole("button", { name: "Close" }).click();
    await dialog.waitFor({ state: "detached" });
    await page.getByText("The connection to the console is lost").waitFor();
  },
  { expected: NO_CONNECTION },
);

browserTest(
  "on a page that is locked against touch nothing happens but unlocking, by holding the button",
  async ({ open, token }) => {
    const page = await open("", { token });
    await page.getByRole("banner").getByText("admin", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Lock against touch" }).click();
    const unlock = page.getByRole("button", { name: "Hold to unlock" });
    await unlock.waitFor();
    for (const text of ["Log out", "Snapshots"]) await touchAt(page, text);
    await unlock.click();
    // So long it would take to go elsewhere, to ask, or to unlock.
    await page.waitForTimeout(1200);
    assertEquals(await page.title(), "Mixer – demo", "the page stays");
    assertEquals(await page.getByRole("dialog").count(), 0, "nobody is asked");
    assertEquals(await isOperable(page), false, "a touch is not enough");
    await unlock.hover();
    await page.mouse.down();
    await page.getByRole("button", { name: "Lock against touch" }).waitFor();
    await page.mouse.up();
    await becomesOperable(page, true);
    await touchAt(page, "Snapshots");
    await isTitled(page, "Snapshots");
    await touchAt(page, "Log out");
    await page.getByRole("dialog", { name: "Log admin out?" }).waitFor();
  },
);

for (const key of ["Enter", " "]) {
  browserTest(
    `the keyboard, too, unlocks by holding "${key}", however often it repeats`,
    async ({ open }) => {
      const page = await open();
      await page.getByRole("button", { name: "Lock against touch" }).press(key);
      await page.locator("button:focus", { hasText: "Hold to unlock" }).waitFor();
      for (let count = 0; count < 30; count++) {
        await page.keyboard.down(key);
        await page.waitForTimeout(50);
      }
      await page.keyboard.up(key);
      await page.waitForTimeout(300);
      assertEquals(await isOperable(page), true);
      await page.locator(':focus[aria-label="Lock against touch"]').waitFor();
    },
  );
}

browserTest(
  "a dialog has the focus in its first field, a question at what changes nothing",
  async (desk) => {
    const page = await desk.open();
    await page.getByRole("button", { name: "Log in" }).press("Enter");
    await page.locator("input[name=token]:focus").waitFor();
    await page.keyboard.type(desk.token);
    await page.keyboard.press("Enter");
    await page.getByRole("banner").getByText("admin", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Log out" }).press("Enter");
    await page.getByRole("dialog").locator("button:focus", { hasText: "Cancel" }).waitFor();
    await page.keyboard.press("Enter");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await page.locator("button:focus", { hasText: "Log out" }).waitFor();
    await page.getByRole("button", { name: "Settings of this page" }).press("Enter");
    await page.locator("button:focus", { hasText: "Dark" }).waitFor();
  },
);

browserTest(
  "a link with ?view opens a page that only looks on, whoever is logged in",
  async (desk) => {
    const page = await desk.open("?view", { token: desk.token });
    await page.getByText("View only").waitFor();
    assertEquals(await page.getByRole("button", { name: "Lock" }).count(), 0);
    await using other = connect(`${desk.service.url.replace("http", "ws")}/api/ws`, desk);
    await other.ready();
    const mixer = () => other.get("/audio/mixers/0");
    const before = await mixer();
    for (const name of [/^ON /, /^Mute 1/]) {
      await page.getByRole("button", { name }).first().click({ force: true });
      await page.locator(".notice").getByText("This page only looks on").waitFor();
    }
    const fader = page.getByRole("slider").first();
    await fader.press("PageUp");
    await fader.hover({ force: true });
    await page.mouse.down();
    await page.mouse.move(100, 100, { steps: 5 });
    await page.mouse.up();
    await page.waitForTimeout(300);
    assertEquals(await mixer(), before);
  },
  // Nothing moves by itself.
  { configuration: { ...demoConfiguration, engine: "none" } },
);

/** What the console tells of itself, and what the page says then. */
const alarms: readonly (readonly [told: string, said: string])[] = [
  ["slow", "The medium is slow"],
  ["full", "The medium is full"],
  ["readonly", "The medium takes no writes"],
  ["damaged", "The medium is damaged"],
];

for (const [told, said] of alarms) {
  browserTest(
    `where the console tells that the medium is ${told} the page says so`,
    async ({ open }) => {
      const page = await open("", { before: telling("/general/_storage", told) });
      await page.getByRole("alert").getByText(said).waitFor();
    },
  );
}

browserTest("an audio engine that is lost is said on every page", async ({ open }) => {
  const page = await open("#/lists", { before: telling("/general/_engine", "lost") });
  await page.getByRole("alert").getByText("audio engine").waitFor();
});

browserTest("an audio engine that falls behind is said on every page", async ({ open }) => {
  const page = await open("#/plots", { before: telling("/general/_engine", "late") });
  await page.getByRole("alert").getByText("falls behind").waitFor();
});

browserTest("behind a proxy, under a path prefix, it works unchanged", async (desk) => {
  await using proxy = startProxy(desk.service.url, "/studio/desk");
  const page = await desk.open("#/plots", { url: proxy.url });
  await isTitled(page, "Plots");
  await page.getByRole("button", { name: "Log in" }).click();
  await page.getByLabel("Token").fill(desk.token);
  await page.getByLabel("Token").press("Enter");
  await page.getByRole("banner").getByText("admin", { exact: true }).waitFor();
  const icon = await page.evaluate(() => fetch("icon.svg").then(({ status }) => status));
  assertEquals(icon, 200);
});

browserTest("over TLS it works unchanged", async (desk) => {
  const certificate = new URL("../program/certificates/one.pem", import.meta.url);
  const content = Deno.readTextFileSync(certificate);
  await restoreTo(desk.service, await archiveOf({ name: "tls.pem", content }), ["TLS"], desk.token);
  const [, url] = /HTTPS on (https:[^\s,]+)/.exec(desk.service.stdout)!;
  const page = await desk.open("#/lists", { url: url!, ignoreHTTPSErrors: true });
  await isTitled(page, "Lists");
}, { options: ["--listen-tls", "127.0.0.1:0"] });

browserTest(
  "it speaks the language of the browser, or the one that was chosen",
  async ({ open }) => {
    const page = await open("", { locale: "de-DE" });
    await page.getByRole("button", { name: "Anmelden" }).waitFor();
    assertEquals(await page.locator("html").getAttribute("lang"), "de");
    await page.getByRole("button", { name: "Einstellungen dieser Seite" }).click();
    await page.getByRole("button", { name: "English" }).click();
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Log in" }).waitFor();
    await page.reload();
    await page.getByRole("button", { name: "Log in" }).waitFor();
  },
);

for (const address of ["#/nowhere", "#/%E0%A4%A"]) {
  browserTest(
    `an address that names no page, ${address}, says so, and the way on is there`,
    async ({ open }) => {
      const page = await open(address);
      await page.getByText("There is no such page").waitFor();
      await page.getByRole("link", { name: "Lists" }).click();
      await isTitled(page, "Lists");
    },
  );
}

browserTest("by keyboard one goes past the navigation, and from page to page", async ({ open }) => {
  const page = await open();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  const focused = () => page.evaluate(() => document.activeElement?.tagName);
  assertEquals(await focused(), "MAIN");
  await page.getByRole("link", { name: "Pictures" }).press("Enter");
  await isTitled(page, "Pictures");
});

/** The looks, by what is kept of them. */
const looks = ["dark", "light"].flatMap((theme) =>
  ["normal", "high"].map((contrast) => ({ theme, contrast }))
);

for (const { theme, contrast } of looks) {
  browserTest(
    `axe-core finds nothing on the shell, ${theme} with ${contrast} contrast`,
    async (desk) => {
      const page = await desk.open("", { token: desk.token, preferences: { theme, contrast } });
      assertEquals(await accessibilityFaults(page), [], "logged in");
      await page.getByRole("button", { name: "Settings of this page" }).click();
      assertEquals(await accessibilityFaults(page), [], "the settings");
      await page.keyboard.press("Escape");
      await page.getByRole("button", { name: "Log out" }).click();
      assertEquals(await accessibilityFaults(page), [], "logging out");
      await page.getByRole("dialog").getByRole("button", { name: "Log out" }).click();
      await page.getByRole("button", { name: "Log in" }).click();
      assertEquals(await accessibilityFaults(page), [], "logging in");
      await page.keyboard.press("Escape");
      await page.getByRole("button", { name: "Lock against touch" }).click();
      assertEquals(await accessibilityFaults(page), [], "locked");
      desk.service.kill("SIGKILL");
      await page.getByText("The connection to the console is lost").waitFor();
      await page.waitForTimeout(500);
      assertEquals(await accessibilityFaults(page), [], "lost");
    },
    { expected: NO_CONNECTION },
  );
}

browserTest(
  "the page shows no token, and the service refuses what the page hides",
  async (desk) => {
    const page = await desk.open("", { token: desk.token });
    assertEquals((await page.content()).includes(desk.token), false);
    const answer = await fetch(`${desk.service.url}${FADER}?token=${desk.token}`);
    assert(answer.ok);
    await answer.body?.cancel();
    const hidden = JSON.stringify({
      method: "rpc",
      payload: { method: "getuserlist", params: {} },
    });
    const refused = await fetch(`${desk.service.url}/api/rest`, { method: "POST", body: hidden });
    assertEquals((await refused.json()).error.code, 4);
  },
);
