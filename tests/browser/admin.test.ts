/** The page of administration: users, clients, backups, the console. */
import { Buffer } from "node:buffer";
import { assert, assertEquals, assertMatch } from "@std/assert";
import { demoConfiguration } from "../../core/configuration/demo.ts";
import { filesIn, gunzip } from "../core/backup/archives.ts";
import { archiveOf, backupOf, restoreTo } from "../program/restores.ts";
import type { Json } from "../service.ts";
import { between } from "./between.ts";
import {
  accessibilityFaults,
  becomes,
  browserTest,
  clickDisabled,
  type Desk,
  type Locator,
  type Page,
  processTest,
} from "./browser.ts";

const TOKEN = /^[0-9a-f]{8}(-[0-9a-f]{8}){3}$/;

async function userNamed(desk: Desk, name: string): Promise<Json> {
  const { payload } = await desk.rpc("getuserlist", {});
  return payload.result.find((user: Json) => user.name === name);
}

/** Adds a user, and returns the token. */
async function added(desk: Desk, name: string, given: object = {}): Promise<string> {
  return (await desk.rpc("adduser", { name, groups: 1, ...given })).payload.result.token;
}

/** Whether a text is anywhere in the page, its address, or the browser's storage. */
function isAnywhere(page: Page, text: string): Promise<boolean> {
  return page.evaluate((sought) => {
    const fields = [...document.querySelectorAll("input")].map(({ value }) => value);
    const kept = [sessionStorage, localStorage].map((storage) => JSON.stringify(storage));
    return [document.documentElement.outerHTML, location.href, ...fields, ...kept]
      .some((place) => place.includes(sought));
  }, text);
}

const dialog = (page: Page) => page.getByRole("dialog");
const inDialog = (page: Page, name: string) =>
  dialog(page).getByRole("button", { name, exact: true });

/** Asks for a new token in the form of a user, and confirms. */
async function renewToken(page: Page): Promise<void> {
  await inDialog(page, "New token").press("Enter");
  await dialog(page).getByRole("heading", { name: "New token of" }).waitFor();
  await inDialog(page, "New token").press("Enter");
}

/** Waits until a button is disabled with a reason. */
async function isForbidden(button: Locator, reason: string): Promise<void> {
  await becomes(() => button.getAttribute("title"), reason);
  assertEquals(await button.getAttribute("aria-disabled"), "true");
}

/** Closes the dialog: while it is open, nothing below it can have the focus. */
async function escape(page: Page): Promise<void> {
  await page.keyboard.press("Escape");
  await dialog(page).waitFor({ state: "detached" });
}

const card = (page: Page, heading: string) =>
  page.locator(".card").filter({ has: page.getByRole("heading", { name: heading }) });

/** Chooses a file for a restore. */
const choose = (page: Page, bytes: Uint8Array) =>
  page.locator("input[type=file]").setInputFiles({
    name: "x.bin",
    mimeType: "application/octet-stream",
    buffer: Buffer.from(bytes),
  });

async function apply(page: Page): Promise<void> {
  await card(page, "Restore").getByRole("button", { name: "Apply" }).click();
  await inDialog(page, "Apply").click();
}

browserTest("a user is added, and the token is shown once and never again", async (desk) => {
  const permissions = ["clipboard-read", "clipboard-write"];
  const page = await desk.open("#/admin", { permissions });
  await page.getByRole("button", { name: "Add user" }).click();
  await dialog(page).getByLabel("Name").fill("anna");
  await dialog(page).getByRole("button", { name: "Configure" }).click();
  await dialog(page).getByRole("button", { name: "Group 3" }).click();
  await dialog(page).getByLabel("Token valid until").fill("2999-01-31");
  await dialog(page).getByRole("button", { name: "Save" }).click();
  const token = await dialog(page).getByLabel("Token of anna").inputValue();
  assertMatch(token, TOKEN);
  await inDialog(page, "Copy").click();
  await page.getByText("Copied").waitFor();
  assertEquals(await page.evaluate(() => navigator.clipboard.readText()), token);
  await page.mouse.click(5, 5);
  assert(await dialog(page).isVisible(), "a touch beside it does not lose it");
  const known = await desk.rpc("getuser", {}, token);
  assertEquals(known.payload.result, {
    name: "anna",
    groups: 4,
    admin: false,
    engine: false,
    may: "configure",
    expires: "2999-02-01T00:00:00.000Z",
  });
  await inDialog(page, "Close").click();
  await dialog(page).waitFor({ state: "detached" });
  await page.getByText("until 2999-01-31").waitFor();
  assertEquals(await isAnywhere(page, token), false);
});

browserTest("a new user may only view, and the page says what logging out allows", async (desk) => {
  const page = await desk.open("#/admin");
  await page.getByRole("button", { name: "Add user" }).click();
  const { x, y } = (await dialog(page).getByLabel("Name").boundingBox())!;
  await page.mouse.move(x + 20, y + 10);
  await page.mouse.down();
  await page.mouse.move(5, 5, { steps: 3 });
  await page.mouse.up();
  await dialog(page).getByLabel("Name").fill("eva");
  await dialog(page).getByLabel("Name").press("Enter");
  await dialog(page).getByLabel("Token of eva").waitFor();
  assertEquals((await userNamed(desk, "eva")).may, "view");
  await inDialog(page, "Close").click();
  await page.getByText("eva may not operate, but may do so by logging out").waitFor();
  await page.getByRole("button", { name: "Change eva" }).click();
  await dialog(page).waitFor();
  await page.mouse.click(5, 5);
  await dialog(page).waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Change eva" }).click();
  await dialog(page).getByRole("button", { name: "Operate" }).click();
  await dialog(page).getByRole("button", { name: "Save" }).click();
  await page.getByText("eva may not operate").waitFor({ state: "detached" });
});

browserTest("by the keyboard alone a user is added, changed and removed", async (desk) => {
  const page = await desk.open("#/admin");
  await page.getByRole("button", { name: "Add user" }).press("Enter");
  await dialog(page).locator("input:focus").waitFor();
  await page.keyboard.type("bob");
  await page.keyboard.press("Enter");
  await dialog(page).getByLabel("Token of bob").waitFor();
  await escape(page);
  await page.getByRole("button", { name: "Change bob" }).press("Enter");
  await dialog(page).getByRole("button", { name: "View" }).press(" ");
  await dialog(page).getByRole("button", { name: "Group 2" }).press(" ");
  // Another admin changes a member that is not changed here.
  await desk.rpc("modifyuser", { name: "bob", engine: true });
  await dialog(page).getByRole("button", { name: "Save" }).press("Enter");
  await dialog(page).waitFor({ state: "detached" });
  const { may, groups, engine } = await userNamed(desk, "bob");
  assertEquals([may, groups, engine], ["view", 2, true]);
  await page.getByRole("button", { name: "Remove bob" }).press("Enter");
  await inDialog(page, "Remove").press("Enter");
  await page.getByText("bob", { exact: true }).waitFor({ state: "detached" });
  assertEquals(await userNamed(desk, "bob"), undefined);
});

browserTest("closing a dialog does not close the next dialog", async (desk) => {
  const page = await desk.open("#/admin");
  await page.getByRole("button", { name: "Change admin" }).press("Enter");
  await dialog(page).getByLabel("Admin").waitFor();
  // Like Escape and the next key on a busy machine: both come before the browser reports that the
  // dialog has closed.
  await page.evaluate(() => {
    document.querySelector("dialog")!.requestClose();
    document.querySelector<HTMLElement>('[aria-label="Remove admin"]')!.click();
  });
  await inDialog(page, "Remove").waitFor();
});

browserTest("by touch a user gets a new token; an admin's own new token is used", async (desk) => {
  const old = await added(desk, "carl");
  const page = await desk.open("#/admin", { hasTouch: true });
  await page.getByRole("button", { name: "Change carl" }).tap();
  await inDialog(page, "New token").tap();
  await dialog(page).getByRole("heading", { name: "New token of carl" }).waitFor();
  await inDialog(page, "New token").tap();
  const token = await dialog(page).getByLabel("Token of carl").inputValue();
  assertEquals((await desk.rpc("getuser", {}, old)).error.code, 4);
  assertEquals((await desk.rpc("getuser", {}, token)).payload.result.name, "carl");
  await escape(page);
  await page.getByRole("button", { name: "Change admin" }).click();
  await renewToken(page);
  const own = await dialog(page).getByLabel("Token of admin").inputValue();
  await escape(page);
  await page.getByRole("button", { name: "Change admin" }).waitFor();
  assertEquals(await page.evaluate(() => sessionStorage.getItem("faderd:/:token")), own);
});

browserTest("a refusal of the console is shown in the form of the user", async (desk) => {
  for (const name of ["one", "two", "none"]) await desk.rpc("removeuser", { name });
  const page = await desk.open("#/admin");
  await page.getByRole("button", { name: "Change admin" }).click();
  await dialog(page).getByLabel("Admin").uncheck();
  await dialog(page).getByRole("button", { name: "Save" }).click();
  const { error } = await desk.rpc("modifyuser", { name: "admin", admin: false });
  assertEquals(await dialog(page).getByRole("alert").textContent(), error.message);
  assertEquals((await userNamed(desk, "admin")).admin, true);
});

browserTest("connected clients are listed, and a new one is listed soon", async (desk) => {
  const page = await desk.open("#/admin", { before: (page) => page.clock.install() });
  const rows = page.getByRole("region", { name: "Connected clients" }).locator("tbody tr");
  await rows.filter({ hasText: "admin" }).waitFor();
  await becomes(() => rows.count(), 1);
  await desk.open("", { token: "" });
  await page.clock.runFor(5000);
  await rows.filter({ hasText: "nobody" }).waitFor();
});

browserTest("a backup of the ticked parts is a file, shown with its size", async (desk) => {
  const page = await desk.open("#/admin");
  const backup = card(page, "Backup");
  await backup.getByLabel("Everything").uncheck();
  await backup.getByLabel("Users").check();
  await backup.getByLabel("Mixer snapshots").check();
  const coming = page.waitForEvent("download");
  await backup.getByRole("button", { name: "Take a backup" }).click();
  const download = await coming;
  assertMatch(download.suggestedFilename(), /^backup-demo-.*\.bin$/);
  await backup.getByText(`${download.suggestedFilename()}, `).waitFor();
  const names = [...filesIn(await gunzip(await Deno.readFile(await download.path()))).keys()];
  assertEquals(names[0], "manifest.json");
  assertEquals([names.includes("users.bin"), names.includes("tls.pem")], [true, false]);
});

browserTest("a backup refused by the console shows the reason, by keyboard too", async (desk) => {
  const page = await desk.open("#/admin");
  const backup = card(page, "Backup");
  await backup.getByLabel("Everything").press(" ");
  await backup.getByLabel("AES67").press(" ");
  await backup.getByRole("button", { name: "Take a backup" }).press("Enter");
  await backup.getByText("AES67CONFIG does not apply").waitFor();
}, { configuration: { device: { name: "bare" }, mixers: [{ faders: 1 }], licenses: ["52-8577"] } });

browserTest("a restore shows the contents, and applies the ticked parts", async (desk) => {
  await added(desk, "from.the.past");
  const archive = await backupOf(desk, ["USERS", "NETWORK", "MXSNAPS", "TLS"], desk.token);
  await desk.rpc("removeuser", { name: "from.the.past" });
  const page = await desk.open("#/admin");
  const restore = card(page, "Restore");
  await choose(page, archive);
  await restore.getByText("demo").waitFor();
  await restore.getByLabel("Mixer snapshots").waitFor();
  assertEquals(await userNamed(desk, "from.the.past"), undefined, "nothing is applied yet");
  await restore.getByLabel("Network and name").uncheck();
  await restore.getByLabel("Mixer snapshots").press(" ");
  const warning = restore.getByText("the certificate of this console is removed");
  await warning.waitFor();
  await restore.getByLabel("Certificate").uncheck();
  await warning.waitFor({ state: "detached" });
  await restore.getByRole("button", { name: "Apply" }).click();
  await dialog(page).getByText(
    "is overwritten on this console: Users. A backup of the present state is saved first",
  ).waitFor();
  await inDialog(page, "Cancel").click();
  assertEquals(await userNamed(desk, "from.the.past"), undefined, "not before it is said twice");
  await added(desk, "of.today");
  const coming = page.waitForEvent("download");
  await apply(page);
  await restore.getByText("Applied: Users").waitFor();
  assert(await userNamed(desk, "from.the.past") !== undefined);
  assertEquals(await userNamed(desk, "of.today"), undefined);
  const saved = await coming;
  await restore.getByText(`The previous state is in ${saved.suggestedFilename()}`).waitFor();
  const backup = await Deno.readFile(await saved.path());
  const restored = await restoreTo(desk, backup, ["USERS"], desk.token);
  assertEquals(restored.Error, undefined);
  assert(await userNamed(desk, "of.today") !== undefined, "the backup brings it back");
}, { configuration: { ...demoConfiguration, limits: { rest: { burst: 0 } } } });

browserTest("the users of another console are not ticked, with a warning", async (desk) => {
  const page = await desk.open("#/admin");
  const restore = card(page, "Restore");
  const users = restore.getByLabel("Users");
  const warning = restore.getByRole("alert").getByText("a backup of another console, test.");
  await choose(page, await backupOf(desk, ["USERS"], desk.token));
  await becomes(() => users.isChecked(), true);
  assertEquals(await warning.count(), 0);
  const content = "altered";
  await choose(
    page,
    await archiveOf({ name: "users.bin", content }, { name: "network.json", content: "{}" }),
  );
  await warning.waitFor();
  const network = restore.getByLabel("Network and name");
  assertEquals([await users.isChecked(), await network.isChecked()], [false, true]);
  assertEquals(await accessibilityFaults(page), []);
});

browserTest("a file that is no backup is reported, and an altered backup refused", async (desk) => {
  const page = await desk.open("#/admin");
  const restore = card(page, "Restore");
  await choose(page, new TextEncoder().encode("no backup"));
  await restore.getByText("x.bin is not a backup").waitFor();
  await choose(page, await archiveOf({ name: "users.bin", content: "altered" }));
  await restore.getByLabel("Users").check();
  await apply(page);
  await restore.getByText("users.bin was altered").waitFor();
  // A loss of the connection, in the words of the page.
  await page.route("**/action/restore", (route) => route.abort());
  await apply(page);
  await restore.getByText("nobody knows whether this arrived").waitFor();
  await page.route("**/action/backup?*", (route) => route.abort());
  await page.getByRole("button", { name: "Take a backup" }).click();
  await card(page, "Backup").getByText("The connection to the console is lost").waitFor();
}, { expected: /ERR_FAILED/ });

/** The operations over HTTP, each with its start on the page. */
const overHttp: readonly (readonly [what: string, begin: (page: Page, desk: Desk) => unknown])[] = [
  ["backup", (page) => page.getByRole("button", { name: "Take a backup" }).click()],
  ["restore", async (page, desk) => {
    await choose(page, await backupOf(desk, ["MXSNAPS"], desk.token));
    await apply(page);
  }],
];

for (const [what, begin] of overHttp) {
  browserTest(
    `a refused ${what} shows the page that its user is no longer an admin`,
    async (desk) => {
      const token = await added(desk, "carl", { admin: true });
      const page = await desk.open("#/admin", {
        token,
        // The requests of every 5 s would show it, too.
        before: between({
          asked: (message) =>
            /^get(user|client)list|getcertificate$/.test(message.payload?.method)
              ? undefined
              : message,
        }),
      });
      await page.getByRole("button", { name: "Add user" }).waitFor();
      await desk.rpc("modifyuser", { name: "carl", admin: false });
      await begin(page, desk);
      await page.locator(".refusal").getByText("admin").waitFor();
      await page.getByText("This is for admins").first().waitFor();
      await page.getByRole("button", { name: "Add user" }).waitFor({ state: "detached" });
    },
  );
}

processTest("over HTTPS version, certificate, log space and metrics are shown", async (desk) => {
  const pem = Deno.readTextFileSync(new URL("../program/certificates/one.pem", import.meta.url));
  const first = await desk.open("#/admin");
  await choose(first, await archiveOf({ name: "tls.pem", content: pem }));
  await first.getByLabel("Certificate and key").waitFor();
  await apply(first);
  await first.getByText("Applied: Certificate and key").waitFor();

  const url = /HTTPS on (https:\S+?)(,|\n)/.exec(desk.service.stdout)![1]!;
  const page = await desk.open("#/admin", { url, ignoreHTTPSErrors: true });
  const device = card(page, "This console");
  for (const path of ["_firmware_version", "_api_version", "_hardwareserial"]) {
    const value = await (await fetch(`${desk.url}/api/rest/general/${path}`)).json();
    await device.getByText(String(value), { exact: true }).waitFor();
  }
  const { payload } = await desk.rpc("getcertificate", {});
  assertEquals(payload.result.until.slice(0, 10), "2126-10-27");
  await device.getByText("27 Oct 2126").waitFor();
  assertEquals(await isAnywhere(page, pem.split("\n")[1]!), false, "nothing of its key");
  await device.getByRole("button", { name: "Show log space and metrics" }).click();
  await device.getByText("Log on the medium").waitFor();
  const metrics = device.getByLabel("Metrics");
  await metrics.getByText(/^\d+(\.\d)? k?B$/).first().waitFor();
  await metrics.getByText("connections", { exact: true }).waitFor();
}, {
  configuration: { ...demoConfiguration, metrics: true },
  options: ["--listen-tls", "127.0.0.1:0"],
});

browserTest("metrics have names and sizes; without metrics the page says why", async (desk) => {
  const page = await desk.open("#/admin");
  const show = page.getByRole("button", { name: "Show log space and metrics" });
  const refusal = JSON.stringify({ error: { code: 4, message: "the token has expired" } });
  await page.route("**/metrics", (route) => route.fulfill({ status: 401, body: refusal }));
  await show.click();
  await page.getByText("the token has expired").waitFor();
  await page.unroute("**/metrics");
  await show.click();
  await page.getByText("Metrics are off").waitFor();
  const body =
    '# TYPE x gauge\nfaderd_log_bytes 1234567\nfaderd_x{a="b"} 1\nfaderd_stalls_total 3\n';
  await page.route("**/metrics", (route) => route.fulfill({ body }));
  await show.click();
  await page.getByText("Log on the medium").waitFor();
  await page.getByText("1.2 MB").waitFor();
  await page.getByText("stalls_total").waitFor();
}, { expected: /40[14]/ });

/** The page's requests for admins. */
const actions: readonly (readonly [string, object])[] = [
  ["getuserlist", {}],
  ["adduser", { name: "new", groups: 1 }],
  ["modifyuser", { name: "carl", groups: 255 }],
  ["modifyuser", { name: "carl", admin: true }],
  ["modifyuser", { name: "admin", newtoken: true }],
  ["removeuser", { name: "carl" }],
  ["getclientlist", {}],
  ["getcertificate", {}],
];

browserTest(
  "a user who is not an admin sees the reason, and the console refuses every operation",
  async (desk) => {
    const token = await added(desk, "carl", { may: "configure" });
    const page = await desk.open("#/admin", { token });
    await page.getByText("This is for admins").first().waitFor();
    await page.getByRole("button", { name: "Add user" }).waitFor({ state: "detached" });
    const take = page.getByRole("button", { name: "Take a backup" });
    for (const button of [take, page.getByRole("button", { name: "Choose a file" })]) {
      await isForbidden(button, "This is for admins.");
    }
    await clickDisabled(take);
    await page.locator(".notice").getByText("This is for admins").waitFor();
    for (const [method, params] of actions) {
      assertEquals((await desk.rpc(method, params, token)).error?.code, 5, method);
    }
    const headers = { authorization: `Bearer ${token}` };
    const backup = await fetch(`${desk.url}/action/backup?Tags=ALL`, { headers });
    assertMatch((await backup.json()).Error, /admin/);
    const archive = await backupOf(desk, ["USERS"], desk.token);
    assertMatch((await restoreTo(desk, archive, ["USERS"], token)).Error, /admin/);

    const nobody = await desk.open("#/admin", { token: "" });
    await nobody.getByText("Log in to do this.").first().waitFor();
    await isForbidden(nobody.getByRole("button", { name: "Take a backup" }), "This is for admins.");

    const looking = await desk.open("?view#/admin");
    for (const name of ["Add user", "Change admin", "Remove admin", "Take a backup"]) {
      await isForbidden(looking.getByRole("button", { name }), "This page only looks on.");
    }
  },
  { configuration: { ...demoConfiguration, limits: { rest: { burst: 0 } } } },
);

browserTest("axe-core finds nothing on the administration", async (desk) => {
  const page = await desk.open("#/admin");
  const isFaultless = async (what: string) =>
    assertEquals(await accessibilityFaults(page), [], what);
  await page.getByRole("button", { name: "Change admin" }).waitFor();
  await page.getByLabel("Everything").uncheck();
  await choose(page, await backupOf(desk, ["USERS", "MXSNAPS"], desk.token));
  await page.getByRole("button", { name: "Apply" }).waitFor();
  await isFaultless("the page");
  await page.getByRole("button", { name: "Change admin" }).click();
  await dialog(page).getByLabel("Token valid until").waitFor();
  await isFaultless("the form");
  await renewToken(page);
  await dialog(page).getByLabel("Token of admin").waitFor();
  await isFaultless("the token");
  await escape(page);
  await page.getByRole("button", { name: "Remove admin" }).click();
  await inDialog(page, "Remove").waitFor();
  await isFaultless("the question");
});
