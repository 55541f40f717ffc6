/** The frame of every page: logging in, the connection and its loss, the lock, the looks. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import { between, type PageEnd, sentBy } from "./between.ts";
import {
  accessibilityFaults,
  becomes,
  browserTest,
  clickDisabled,
  type Page,
  processTest,
  until,
} from "./browser.ts";
import { startProxy } from "./proxy.ts";

/** The page may still be loading its chunks when the console stops. */
const lostConnection = {
  expected: /WebSocket .* failed|ERR_(CONNECTION|CONTENT_LENGTH_MISMATCH|EMPTY_RESPONSE)/,
};
const phone = { viewport: { width: 390, height: 844 }, hasTouch: true };

/** Waits until the page below the header is operable, or is not. */
function becomesOperable(page: Page, isIt: boolean): Promise<void> {
  const isOperable = () =>
    page.locator(".page").evaluate((element) => !(element as HTMLElement).inert);
  return becomes(isOperable, isIt);
}

/** Clicks the place of a text, whether the element there is operable or not. */
async function touchAt(page: Page, text: string): Promise<void> {
  const { x, y, width, height } = (await page.getByText(text, { exact: true }).boundingBox())!;
  await page.mouse.click(x + width / 2, y + height / 2);
}

const isTitled = (page: Page, title: string) =>
  page.getByRole("heading", { level: 1, name: title }).waitFor();

const isLoggedIn = (page: Page, name = "admin") =>
  page.getByRole("banner").getByText(name, { exact: true }).waitFor();

async function logIn(page: Page, token: string): Promise<void> {
  await page.getByRole("button", { name: "Log in" }).first().click();
  await page.getByLabel("Token").fill(token);
  await page.getByLabel("Token").press("Enter");
}

const keptTokens = (page: Page) => page.evaluate(() => sessionStorage.length);

browserTest(
  "a user who logs in is named and sees the administration until the logout",
  async (desk) => {
    const page = await desk.open("", { token: "" });
    await page.locator(".console-name").getByText("demo", { exact: true }).waitFor();
    await becomes(() => page.title(), "Mixer – demo");
    await page.getByText("Not logged in").waitFor();
    const admin = page.getByRole("link", { name: "Admin", exact: true });
    await clickDisabled(admin);
    await page.locator(".notice").getByText("This is for admins").waitFor();
    assertEquals(await page.title(), "Mixer – demo", "the page stays");
    await logIn(page, desk.token);
    await isLoggedIn(page);
    assertEquals((await page.content()).includes(desk.token), false, "no token is shown");
    await admin.click();
    await isTitled(page, "Admin");
    await page.reload();
    await isLoggedIn(page);
    await page.getByRole("button", { name: "Log out" }).click();
    await page.getByRole("dialog", { name: "Log admin out?" })
      .getByRole("button", { name: "Log out" }).click();
    await page.getByText("Not logged in").waitFor();
    assertEquals(await keptTokens(page), 0);
  },
);

browserTest("users without the right to operate see that they only look on", async (desk) => {
  const page = await desk.open("", { token: "" });
  await page.getByRole("banner").getByText("Looking on").waitFor();
}, { configuration: { mixers: [{ faders: 1 }], anonymous: "view" } });

browserTest("on a phone, too, logging out is confirmed, or cancelled", async (desk) => {
  const page = await desk.open("", phone);
  await page.getByRole("button", { name: "Log out" }).tap();
  await page.getByRole("dialog", { name: "Log admin out?" })
    .getByRole("button", { name: "Cancel" }).tap();
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Log out" }).waitFor();
});

browserTest("a token is kept for the tab, or if chosen for the device", async (desk) => {
  for (const isForDevice of [false, true]) {
    const page = await desk.open("", { token: "" });
    await page.getByRole("button", { name: "Log in" }).click();
    await page.getByLabel("Token").fill(` ${desk.token} `);
    if (isForDevice) await page.getByLabel("Keep it on this device").check();
    await page.getByRole("dialog").getByRole("button", { name: "Log in" }).click();
    await isLoggedIn(page);
    const other = await page.context().newPage();
    await other.goto(page.url());
    await other.getByText(isForDevice ? "admin" : "Not logged in", { exact: true }).waitFor();
    assertEquals((await page.content()).includes(desk.token), false, "it is nowhere in the page");
  }
});

browserTest("a wrong token is refused in the form, in the console's own words", async (desk) => {
  const page = await desk.open("", { token: "" });
  await logIn(page, "00000000-00000000-00000000-00000000");
  const alert = page.getByRole("alert").filter({ hasText: "does not accept this token" });
  await alert.waitFor();
  assertStringIncludes((await alert.textContent())!, "token");
  assertEquals(await keptTokens(page), 0, "it is not kept");
  await page.keyboard.press("Escape");
  await page.getByText("Not logged in").waitFor();
});

browserTest("a console that refuses to name the user at first is asked again", async (desk) => {
  let count = 0;
  const page = await desk.open("", {
    async before(page) {
      await page.clock.install();
      await between({
        asked(message, end) {
          const { msgID, method, payload } = message;
          if (payload?.method !== "getuser" || ++count > 1) return message;
          const error = { code: 11, message: "limits.rpc: expected less, got more" };
          end.send({ msgID, method, success: false, error });
        },
      })(page);
    },
  });
  await until(() => count > 0);
  await page.clock.runFor(1000);
  await isLoggedIn(page);
  assertEquals(count, 2);
});

browserTest("the page of a console with required login asks for a token", async (desk) => {
  const page = await desk.open("", { token: "" });
  await page.getByText("to known users only").waitFor();
  await page.getByLabel("Token").fill(desk.token);
  await page.getByLabel("Token").press("Enter");
  await isLoggedIn(page);
  await page.getByRole("dialog").waitFor({ state: "detached" });
}, { configuration: { device: { name: "closed" }, mixers: [{ faders: 1 }], auth: "required" } });

processTest("a loss of the console is shown calmly, and the page recovers", async (desk) => {
  const { token } = (await desk.rpc("adduser", { name: "guest", groups: 1, may: "operate" }))
    .payload.result;
  const other = await desk.open("#/snapshots", { token });
  await other.getByRole("button", { name: /^Load/ }).first().click();
  const dialog = other.getByRole("dialog");
  await dialog.getByText("Nothing changes").waitFor();
  await desk.rpc("modifyuser", { name: "guest", may: "view" });
  // The page may already know the new right: the key is disabled then, and shows the reason.
  await clickDisabled(dialog.getByRole("button", { name: "Load", exact: true }));
  await dialog.locator(".notice").waitFor();
  await dialog.getByRole("button", { name: "Dismiss" }).click();
  await other.locator(".notice").waitFor({ state: "detached" });
  const page = await desk.open("#/console", { before: (page) => page.clock.install() });

  desk.service.kill("SIGKILL");
  await page.getByText("The connection to the console is lost").waitFor();
  await page.getByText("The console, or the network to it, does not answer.").waitFor();
  await becomesOperable(page, false);
  assertEquals(await page.locator(".console-name").textContent(), "demo", "what was known stays");
  await page.clock.runFor(1000);
  await page.getByText(/^for [1-9]\d* s$/).waitFor();
  await dialog.getByText("The connection to the console is lost").waitFor();
  await dialog.locator(".dialog-content[inert]").waitFor();
  await dialog.getByRole("button", { name: "Close" }).click();
  await dialog.waitFor({ state: "detached" });
  await other.getByText("The connection to the console is lost").waitFor();

  await desk.service.ended();
  await desk.startAgain();
  await page.locator(".overlay").waitFor({ state: "detached" });
  await becomesOperable(page, true);
}, lostConnection);

processTest("a form reports a lost answer in the page's language", async (desk) => {
  const asked = new Set<string>();
  const before = between({
    asked(message) {
      const what = message.method === "set" ? "set" : message.payload?.method;
      if (what !== "set" && what !== "adduser") return message;
      // The console answers neither request.
      asked.add(what);
    },
  });
  const german = { locale: "de-DE", before };
  const mixer = await desk.open("", german);
  const key = mixer.getByRole("button", { name: /^EIN / }).first();
  await becomes(() => key.getAttribute("aria-disabled"), "false");
  const admin = await desk.open("#/admin", german);
  await admin.getByRole("button", { name: "Benutzer anlegen" }).click();
  await admin.getByLabel("Name").fill("anna");
  await key.click();
  await admin.getByLabel("Name").press("Enter");
  await becomes(() => asked.size, 2);
  desk.service.kill("SIGKILL");
  await admin.getByText(
    "Die Verbindung wurde unterbrochen; niemand weiß, ob die Änderung noch ankam.",
  )
    .waitFor();
  await mixer.getByText("Die Verbindung zum Pult ist unterbrochen").waitFor();
  assertEquals(await mixer.locator(".notice").count(), 0);
}, lostConnection);

processTest(
  "a hanging console is not shown as live, and the page recovers with its focus and typed text",
  async (desk) => {
    const page = await desk.open();
    await page.locator(".lamp.open").waitFor();
    await page.getByRole("button", { name: "Host: rename" }).click();
    await page.getByLabel("Label").fill("Anna");
    const other = await desk.open();
    await other.getByRole("button", { name: "Settings of this page" }).click();
    await other.locator(".dialog-content :focus").waitFor();
    const left = await desk.open();
    await left.getByRole("button", { name: "Guest 1: rename" }).click();
    await left.getByLabel("Label").fill("Ben");
    desk.service.kill("SIGSTOP");
    await page.getByText("Nothing comes from the console").waitFor();
    await page.locator('.lamp.silent[title="Nothing comes from the console"]').waitFor();
    await becomesOperable(page, false);
    assertEquals(
      await page.locator(".page").evaluate((page) => getComputedStyle(page).opacity),
      "0.5",
    );
    await other.locator(".dialog-content[inert]").waitFor();
    await left.locator(".lamp.silent").waitFor();
    await left.getByRole("button", { name: "Settings of this page" }).focus();
    assertEquals(await other.locator(".dialog-content :focus").count(), 0);
    desk.service.kill("SIGCONT");
    await page.locator(".lamp.open").waitFor();
    await becomesOperable(page, true);
    await page.locator(':focus[aria-label="Label"]').press("Enter");
    await page.getByRole("button", { name: "Anna: rename" }).waitFor();
    await other.locator(".dialog-content :focus").waitFor();
    // That field was left while the console was silent.
    await left.getByRole("button", { name: "Ben: rename" }).waitFor();
  },
);

browserTest("a locked page only unlocks, by a held button", async (desk) => {
  const page = await desk.open("", { before: (page) => page.clock.install() });
  await isLoggedIn(page);
  await page.getByRole("button", { name: "Lock against touch" }).click();
  const unlock = page.getByRole("button", { name: "Hold to unlock" });
  await unlock.waitFor();
  for (const text of ["Log out", "Snapshots"]) await touchAt(page, text);
  await unlock.click();
  await page.clock.runFor(2000);
  await unlock.hover();
  await page.mouse.down();
  await unlock.press("Enter"); // a second press while the first lasts
  await page.mouse.up();
  await page.clock.runFor(2000);
  assertEquals(await page.title(), "Mixer – demo", "the page stays");
  assertEquals(await page.getByRole("dialog").count(), 0, "nobody is asked");
  await becomesOperable(page, false);
  await unlock.hover();
  await page.mouse.down();
  await page.clock.runFor(800);
  await page.getByRole("button", { name: "Lock against touch" }).waitFor();
  await page.mouse.up();
  await becomesOperable(page, true);
  await touchAt(page, "Snapshots");
  await isTitled(page, "Snapshots");
  await touchAt(page, "Log out");
  await page.getByRole("dialog", { name: "Log admin out?" }).waitFor();
});

browserTest("the keyboard, too, unlocks by holding, however often a key repeats", async (desk) => {
  const page = await desk.open("", { before: (page) => page.clock.install() });
  for (const key of ["Enter", " "]) {
    await page.getByRole("button", { name: "Lock against touch" }).press(key);
    await page.locator("button:focus", { hasText: "Hold to unlock" }).waitFor();
    for (let repeats = 0; repeats < 10; repeats++) {
      await page.keyboard.down(key);
      await page.clock.runFor(150);
    }
    await page.keyboard.up(key);
    await page.locator(':focus[aria-label="Lock against touch"]').waitFor();
    await becomesOperable(page, true);
  }
  await page.keyboard.press("Enter");
  const unlock = page.getByRole("button", { name: "Hold to unlock" });
  for (const key of ["Enter", " "]) await unlock.press(key);
  await page.clock.runFor(2000);
  await becomesOperable(page, false);
  // A screen reader presses a button by a click without a key or a pointer.
  await unlock.dispatchEvent("click");
  await becomesOperable(page, true);
});

browserTest("a dialog focuses its first field, and returns the focus at the end", async (desk) => {
  const page = await desk.open("", { token: "" });
  await page.getByRole("button", { name: "Log in" }).press("Enter");
  await page.locator("input[name=token]:focus").waitFor();
  await page.keyboard.type(desk.token);
  await page.keyboard.press("Enter");
  await isLoggedIn(page);
  await page.getByRole("button", { name: "Log out" }).press("Enter");
  await page.getByRole("dialog").locator("button:focus", { hasText: "Cancel" }).waitFor();
  await page.keyboard.press("Enter");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await page.locator("button:focus", { hasText: "Log out" }).waitFor();
  await page.getByRole("button", { name: "Settings of this page" }).press("Enter");
  await page.locator("button:focus", { hasText: "Dark" }).waitFor();
});

/** By keyboard: a page, the buttons pressed there, and the place of the focus afterwards. */
const pressed = [
  ["snapshots", ["More of One", "Overwrite", "Escape"], '[aria-label="More of One"]'],
  ["snapshots", ["More of One", "Remove", "Escape"], '[aria-label="More of One"]'],
  ["snapshots", ["More of One", "Remove", "Remove"], "li"],
  ["admin", ["Change kim", "New token", "Escape"], '[aria-label="Change kim"]'],
  ["admin", ["Hand over kim", "Make the code", "Escape"], '[aria-label^="Hand over kim"]'],
  ["admin", ["Remove kim", "Remove"], "li"],
  ["own", ["New page", "Create"], ".page"],
  ["own/page/edit", ["Add", "Add", "Remove strip 1 Host, On Air"], "li"],
  ["own/page/edit", ["Done"], ".page"],
  ["own/page", ["Edit Page"], ".page"],
  ["own/page/edit", ["Remove page", "Remove"], ".page"],
] as const;

browserTest(
  "the focus stays where a control is removed, or a dialog follows another",
  async (desk) => {
    await desk.rpc("savesnapshot", { type: 2, id: "", name: "One", writegroups: 1 });
    await desk.rpc("adduser", { name: "kim", groups: 1 });
    const page = await desk.open("#/snapshots");
    for (const [hash, names, place] of pressed) {
      await page.evaluate((hash) => location.hash = hash, `#/${hash}`);
      for (const name of names) {
        if (name === "Create") await page.getByRole("dialog").getByRole("textbox").fill("Page");
        if (name === "Escape") await page.keyboard.press(name);
        else await page.getByRole("button", { name, exact: true }).last().press("Enter");
      }
      await page.locator(`${place}:focus`).waitFor();
    }
  },
);

browserTest("a link with ?view opens a page that only looks on", async (desk) => {
  let sent: ReturnType<typeof sentBy> = [];
  const page = await desk.open("?view", {
    async before(page) {
      sent = sentBy(page);
      await page.clock.install();
    },
  });
  await page.getByText("View only").waitFor();
  assertEquals(await page.getByRole("button", { name: "Lock" }).count(), 0);
  for (const name of [/^ON /, /^Mute 1/]) {
    await clickDisabled(page.getByRole("button", { name }).first());
    await page.locator(".notice").getByText("This page only looks on").waitFor();
  }
  const fader = page.getByRole("slider").first();
  await page.clock.pauseAt(Date.now() + 60_000);
  // A held key repeats its refusal, which is read out once, and again at the next press.
  const notice = page.locator(".notice");
  await fader.press("PageUp");
  await notice.evaluate((notice) => notice.classList.add("read"));
  for (let repeat = 0; repeat < 5; repeat++) {
    await page.clock.runFor(300);
    await fader.press("PageUp");
  }
  await page.clock.runFor(990);
  assertEquals(await page.locator(".notice.read").count(), 1);
  await page.clock.runFor(10);
  await fader.press("PageUp");
  await becomes(() => page.locator(".notice.read").count(), 0);
  assertEquals(await notice.count(), 1);
  await fader.hover();
  await page.mouse.down();
  await page.mouse.move(100, 100, { steps: 5 });
  await page.mouse.up();
  const asked = sent.map(({ method, payload }) => payload?.method ?? method);
  assertEquals(asked.filter((method) => !/^(auth|get|subscribe|unsubscribe)/.test(method)), []);
});

/** States of the console, each with the text that every page shows. */
const alarms = [
  ["_storage", "slow", "The medium is slow"],
  ["_storage", "full", "The medium is full"],
  ["_storage", "readonly", "The medium takes no writes"],
  ["_storage", "damaged", "The medium is damaged"],
  ["_engine", "lost", "The audio engine of this console is gone"],
  ["_engine", "late", "falls behind"],
] as const;

browserTest("faults of the medium and of the engine are shown on every page", async (desk) => {
  let console: PageEnd | undefined;
  const page = await desk.open("#/lists", {
    before: between({
      answered(message, end) {
        console = end;
        return message;
      },
    }),
  });
  const tell = (member: string, value: string) =>
    console!.send({ method: "update", tick: 1, payload: { general: { [member]: value } } });
  for (const [member, value, said] of alarms) {
    tell(member, value);
    await page.getByRole("alert").getByText(said).waitFor();
  }
  // Screen readers read out only the new part of it.
  assertEquals(await page.getByRole("alert").getAttribute("aria-atomic"), "false");
  // Screen readers do not read out the text behind a dialog.
  await page.getByRole("button", { name: "Settings of this page" }).click();
  tell("_storage", "full");
  const notices = page.getByRole("dialog").getByRole("status");
  await notices.getByText("The medium is full").waitFor();
  assertEquals(await notices.locator(".notice").count(), 1);
  assertEquals(await notices.getAttribute("aria-atomic"), "false");
  await page.keyboard.press("Escape");
  await page.getByRole("link", { name: "Plots" }).click();
  await isTitled(page, "Plots");
  await page.getByRole("alert").getByText("falls behind").waitFor();
});

browserTest("the page works behind a proxy under a path prefix", async (desk) => {
  const proxy = desk.use(startProxy(desk.url, "/studio/desk"));
  const page = await desk.open("#/plots", { url: proxy.url, token: "" });
  await isTitled(page, "Plots");
  await logIn(page, desk.token);
  await isLoggedIn(page);
  const icon = await page.evaluate(() => fetch("icon.svg").then(({ status }) => status));
  assertEquals(icon, 200);
});

browserTest("the page is in the language of the browser, or in the selected one", async (desk) => {
  const page = await desk.open("", { locale: "de-DE", token: "" });
  await page.getByRole("button", { name: "Anmelden" }).waitFor();
  assertEquals(await page.locator("html").getAttribute("lang"), "de");
  await page.getByRole("button", { name: "Einstellungen dieser Seite" }).click();
  await page.getByRole("button", { name: "English" }).click();
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Log in" }).waitFor();
  await page.reload();
  await page.getByRole("button", { name: "Log in" }).waitFor();
});

browserTest("a choice that is changed back is stored, too", async (desk) => {
  const page = await desk.open();
  await page.getByRole("button", { name: "Settings of this page" }).click();
  for (const theme of ["Light", "Dark"]) {
    await page.getByRole("button", { name: theme, exact: true }).click();
    await becomes(() => page.locator("html").getAttribute("data-theme"), theme.toLowerCase());
  }
  await page.reload();
  await isLoggedIn(page);
  assertEquals(await page.locator("html").getAttribute("data-theme"), "dark");
});

browserTest("an unknown address is reported, and keys lead to other pages", async (desk) => {
  const page = await desk.open("#/nowhere");
  for (const address of ["#/nowhere", "#/%E0%A4%A"]) {
    await page.evaluate((address) => void (location.hash = address), address);
    await page.getByText("There is no such page").waitFor();
    await page.getByRole("link", { name: "Lists" }).press("Enter");
    await isTitled(page, "Lists");
  }
  await page.reload();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  assertEquals(await page.evaluate(() => document.activeElement?.tagName), "MAIN");
});

browserTest("axe-core finds nothing on the shell", async (desk) => {
  const page = await desk.open();
  const isFaultless = async (what: string) =>
    assertEquals(await accessibilityFaults(page), [], what);
  await isFaultless("logged in");
  await page.getByRole("button", { name: "Settings of this page" }).click();
  await isFaultless("the settings");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Log out" }).click();
  await isFaultless("logging out");
  await page.getByRole("dialog").getByRole("button", { name: "Log out" }).click();
  await page.getByRole("button", { name: "Log in" }).click();
  await isFaultless("logging in");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Lock against touch" }).click();
  await isFaultless("locked");
});

browserTest("axe-core finds nothing on a page whose console is lost", async (desk) => {
  let isLost = false;
  let console: PageEnd | undefined;
  const page = await desk.open("", {
    reducedMotion: "reduce",
    before: between({
      answered(message, end) {
        console = end;
        if (!isLost) return message;
        end.close();
      },
    }),
  });
  isLost = true;
  console!.close();
  await page.getByText("The connection to the console is lost").waitFor();
  assertEquals(await accessibilityFaults(page), []);
}, { expected: /WebSocket/ });
