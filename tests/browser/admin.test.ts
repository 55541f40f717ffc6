/** The page of administration: users, clients, backups, the console. */
import { Buffer } from "node:buffer";
import { assert, assertEquals, assertMatch } from "@std/assert";
import { demoConfiguration } from "../../core/configuration/demo.ts";
import { filesIn, gunzip } from "../core/backup/archives.ts";
import { archiveOf, backupOf, restoreTo } from "../program/restores.ts";
import { accessibilityFaults, browserTest, type Desk, type Locator, type Page } from "./browser.ts";
import { until } from "./until.ts";

type Json = ReturnType<typeof JSON.parse>;

const TOKEN = /^[0-9a-f]{8}(-[0-9a-f]{8}){3}$/;

/** Calls an RPC method over HTTP, beside the page. */
async function rpc(desk: Desk, method: string, params: object, token = desk.token): Promise<Json> {
  const body = JSON.stringify({ method: "rpc", token, payload: { method, params } });
  return await (await fetch(`${desk.service.url}/api/rest`, { method: "POST", body })).json();
}

async function userNamed(desk: Desk, name: string): Promise<Json> {
  const { payload } = await rpc(desk, "getuserlist", {});
  return payload.result.find((user: Json) => user.name === name);
}

/** Adds a user, and answers the token. */
async function added(desk: Desk, name: string, given: object = {}): Promise<string> {
  return (await rpc(desk, "adduser", { name, groups: 1, ...given })).payload.result.token;
}

/** Opens the page as the admin. */
const openAdmin = (desk: Desk) => desk.open("#/admin", { token: desk.token });

/** Whether a text is anywhere in the page, its address, or what the browser keeps. */
function isAnywhere(page: Page, text: string): Promise<boolean> {
  return page.evaluate((sought) => {
    const fields = [...document.querySelectorAll("input")].map(({ value }) => value);
    const kept = [sessionStorage, localStorage].map((storage) => JSON.stringify(storage));
    return [document.documentElement.outerHTML, location.href, ...fields, ...kept]
      .some((place) => place.includes(sought));
  }, text);
}

/** Asks for a new token in the form of a user, and says yes. */
async function renewToken(page: Page): Promise<void> {
  await dialog(page).getByRole("button", { name: "New token" }).press("Enter");
  await dialog(page).getByRole("heading", { name: "New token of" }).waitFor();
  await dialog(page).getByRole("button", { name: "New token" }).press("Enter");
}

/** Waits until a button cannot be pressed, and says why. */
const isForbidden = (button: Locator, reason: string) =>
  until(async () =>
    await button.getAttribute("title") === reason &&
    await button.getAttribute("aria-disabled") === "true"
  );

const dialog = (page: Page) => page.getByRole("dialog");

/** Closes the dialog, without which nothing below it has the focus. */
async function escape(page: Page): Promise<void> {
  await page.keyboard.press("Escape");
  await dialog(page).waitFor({ state: "detached" });
}

browserTest("a user is added, and the token is shown once and never again", async (desk) => {
  const page = await openAdmin(desk);
  await page.getByRole("button", { name: "Add user" }).click();
  await dialog(page).getByLabel("Name").fill("anna");
  await dialog(page).getByRole("button", { name: "Configure" }).click();
  await dialog(page).getByLabel("3", { exact: true }).check();
  await dialog(page).getByLabel("Token good until").fill("2999-01-31");
  await dialog(page).getByRole("button", { name: "Save" }).click();
  const token = await dialog(page).getByLabel("Token of anna").inputValue();
  assertMatch(token, TOKEN);
  await page.mouse.click(5, 5);
  assert(await dialog(page).isVisible(), "a touch beside it does not lose it");
  const known = await rpc(desk, "getuser", {}, token);
  assertEquals(known.payload.result, {
    ...{ name: "anna", groups: 4, admin: false, engine: false, may: "configure" },
    expires: "2999-02-01T00:00:00.000Z",
  });
  await dialog(page).getByRole("button", { name: "Close" }).click();
  await dialog(page).waitFor({ state: "detached" });
  await page.getByText("until 2999-01-31").waitFor();
  assertEquals(await isAnywhere(page, token), false);
});

browserTest(
  "a user who is added may look on, until more is chosen, and the page says what logging out gives",
  async (desk) => {
    const page = await openAdmin(desk);
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
    await dialog(page).getByRole("button", { name: "Close" }).click();
    await page.getByText("eva may only view, but may operate by logging out").waitFor();
    await page.getByRole("button", { name: "Change eva" }).click();
    await dialog(page).waitFor();
    await page.mouse.click(5, 5);
    await dialog(page).waitFor({ state: "detached" });
  },
);

browserTest("the token is copied by a button, where the browser does that", async (desk) => {
  const page = await desk.open("#/admin", {
    token: desk.token,
    permissions: ["clipboard-read", "clipboard-write"],
  });
  await page.getByRole("button", { name: "Add user" }).click();
  await dialog(page).getByLabel("Name").fill("anna");
  await dialog(page).getByLabel("Name").press("Enter");
  await dialog(page).getByRole("button", { name: "Copy" }).click();
  await page.getByText("Copied").waitFor();
  const token = await dialog(page).getByLabel("Token of anna").inputValue();
  assertEquals(await page.evaluate(() => navigator.clipboard.readText()), token);
});

browserTest("by the keyboard alone a user is added, changed and removed", async (desk) => {
  const page = await openAdmin(desk);
  await page.getByRole("button", { name: "Add user" }).press("Enter");
  await dialog(page).locator("input:focus").waitFor();
  await page.keyboard.type("bob");
  await page.keyboard.press("Enter");
  await dialog(page).getByLabel("Token of bob").waitFor();
  await escape(page);
  await page.getByRole("button", { name: "Change bob" }).press("Enter");
  const view = dialog(page).getByRole("button", { name: "View" });
  await view.press(" ");
  await dialog(page).getByLabel("2", { exact: true }).press(" ");
  await dialog(page).getByRole("button", { name: "Save" }).press("Enter");
  await dialog(page).waitFor({ state: "detached" });
  const { may, groups } = await userNamed(desk, "bob");
  assertEquals([may, groups], ["view", 2]);
  await page.getByRole("button", { name: "Remove bob" }).press("Enter");
  await dialog(page).getByRole("button", { name: "Remove", exact: true }).press("Enter");
  await page.getByText("bob", { exact: true }).waitFor({ state: "detached" });
  assertEquals(await userNamed(desk, "bob"), undefined);
});

browserTest("a dialog that is closed does not close the next one", async (desk) => {
  const page = await openAdmin(desk);
  await page.getByRole("button", { name: "Change admin" }).press("Enter");
  await dialog(page).getByLabel("Admin").waitFor();
  // As Escape and the next key do, on a machine that is busy: both before the browser has told
  // that a dialog was closed.
  await page.evaluate(() => {
    document.querySelector("dialog")!.requestClose();
    document.querySelector<HTMLElement>('[aria-label="Remove admin"]')!.click();
  });
  await dialog(page).getByRole("button", { name: "Remove", exact: true }).waitFor();
});

browserTest(
  "on a touch screen a user gets another token, and the old one is worth nothing",
  async (desk) => {
    const old = await added(desk, "carl");
    const page = await desk.open("#/admin", { token: desk.token, hasTouch: true });
    await page.getByRole("button", { name: "Change carl" }).tap();
    await dialog(page).getByRole("button", { name: "New token" }).tap();
    await dialog(page).getByRole("heading", { name: "New token of carl" }).waitFor();
    await dialog(page).getByRole("button", { name: "New token" }).tap();
    const token = await dialog(page).getByLabel("Token of carl").inputValue();
    assertEquals((await rpc(desk, "getuser", {}, old)).error.code, 4);
    assertEquals((await rpc(desk, "getuser", {}, token)).payload.result.name, "carl");
  },
);

browserTest("an admin's own new token goes on in the page", async (desk) => {
  const page = await openAdmin(desk);
  await page.getByRole("button", { name: "Change admin" }).click();
  await renewToken(page);
  const token = await dialog(page).getByLabel("Token of admin").inputValue();
  await escape(page);
  await page.getByRole("button", { name: "Change admin" }).waitFor();
  const kept = await page.evaluate(() => sessionStorage.getItem("faderd:/:token"));
  assertEquals(kept, token);
});

browserTest(
  "what the console refuses of a user is said in the form, in its own sentence",
  async (desk) => {
    const page = await openAdmin(desk);
    await page.getByRole("button", { name: "Change admin" }).click();
    await dialog(page).getByLabel("Admin").uncheck();
    await dialog(page).getByRole("button", { name: "Save" }).click();
    const alert = dialog(page).getByRole("alert");
    const { error } = await rpc(desk, "modifyuser", { name: "admin", admin: false });
    assertEquals(await alert.textContent(), error.message);
    assertEquals((await userNamed(desk, "admin")).admin, true);
  },
);

browserTest("who is connected is listed, and who comes is listed soon", async (desk) => {
  const page = await openAdmin(desk);
  const rows = page.getByRole("region", { name: "Connected clients" }).locator("tbody tr");
  await rows.filter({ hasText: "admin" }).waitFor();
  await until(async () => await rows.count() === 1);
  await desk.open();
  await rows.filter({ hasText: "nobody" }).waitFor();
});

browserTest(
  "a backup of what is ticked comes as a file, and how much has come is said",
  async (desk) => {
    const page = await openAdmin(desk);
    const card = page.locator(".card").filter({
      has: page.getByRole("heading", { name: "Backup" }),
    });
    await card.getByLabel("Everything").uncheck();
    await card.getByLabel("Users").check();
    await card.getByLabel("Mixer snapshots").check();
    const coming = page.waitForEvent("download");
    await card.getByRole("button", { name: "Take a backup" }).click();
    const download = await coming;
    assertMatch(download.suggestedFilename(), /^backup-demo-.*\.bin$/);
    await card.getByText(`${download.suggestedFilename()}, `).waitFor();
    const bytes = await Deno.readFile(await download.path());
    const names = [...filesIn(await gunzip(bytes)).keys()];
    assertEquals([names[0], names.includes("users.bin"), names.includes("tls.pem")], [
      "manifest.json",
      true,
      false,
    ]);
  },
);

browserTest("a backup that the console refuses says why, by keyboard too", async (desk) => {
  const page = await openAdmin(desk);
  const card = page.locator(".card").filter({ has: page.getByRole("heading", { name: "Backup" }) });
  await card.getByLabel("Everything").press(" ");
  await card.getByLabel("AES67").press(" ");
  await card.getByRole("button", { name: "Take a backup" }).press("Enter");
  await card.getByText("AES67CONFIG does not apply").waitFor();
}, { configuration: { device: { name: "bare" }, mixers: [{ faders: 1 }], licenses: ["52-8577"] } });

browserTest(
  "a restore shows what the archive holds, and applies what is ticked of it when that is said twice",
  async (desk) => {
    const { service, token } = desk;
    await added(desk, "from.the.past");
    const buffer = await backupOf(service, ["USERS", "NETWORK", "MXSNAPS"], token);
    await rpc(desk, "removeuser", { name: "from.the.past" });
    const page = await openAdmin(desk);
    const card = page.locator(".card").filter({
      has: page.getByRole("heading", { name: "Restore" }),
    });
    const file = {
      name: "old.bin",
      mimeType: "application/octet-stream",
      buffer: Buffer.from(buffer),
    };
    await card.locator("input[type=file]").setInputFiles(file);
    await card.getByText("demo").waitFor();
    await card.getByLabel("Mixer snapshots").waitFor();
    assertEquals(await userNamed(desk, "from.the.past"), undefined, "nothing is applied yet");
    await card.getByLabel("Network and name").uncheck();
    await card.getByLabel("Mixer snapshots").press(" ");
    await card.getByRole("button", { name: "Apply" }).click();
    await dialog(page).getByText("is lost, and cannot be had back: Users.").waitFor();
    await dialog(page).getByRole("button", { name: "Cancel" }).click();
    assertEquals(await userNamed(desk, "from.the.past"), undefined, "not before it is said twice");
    await card.getByRole("button", { name: "Apply" }).click();
    await dialog(page).getByRole("button", { name: "Apply" }).click();
    await card.getByText("Applied: Users").waitFor();
    assert(await userNamed(desk, "from.the.past") !== undefined);
  },
);

browserTest(
  "a file that is no backup is said to be none, and an altered one is refused",
  async (desk) => {
    const page = await openAdmin(desk);
    const card = page.locator(".card").filter({
      has: page.getByRole("heading", { name: "Restore" }),
    });
    const choose = (bytes: Uint8Array) =>
      card.locator("input[type=file]").setInputFiles({
        name: "x.bin",
        mimeType: "application/octet-stream",
        buffer: Buffer.from(bytes),
      });
    await choose(new TextEncoder().encode("no backup"));
    await card.getByText("x.bin is no backup").waitFor();
    await choose(await archiveOf({ name: "users.bin", content: "altered" }));
    await card.getByRole("button", { name: "Apply" }).click();
    await dialog(page).getByRole("button", { name: "Apply" }).click();
    await card.getByText("users.bin was altered").waitFor();
  },
);

/** What goes over HTTP, and how it is begun on the page. */
const overHttp: readonly (readonly [what: string, begin: (page: Page, desk: Desk) => unknown])[] = [
  ["backup", (page) => page.getByRole("button", { name: "Take a backup" }).click()],
  ["restore", async (page, desk) => {
    const buffer = Buffer.from(await backupOf(desk.service, ["MXSNAPS"], desk.token));
    const mimeType = "application/octet-stream";
    await page.locator("input[type=file]").setInputFiles({ name: "x.bin", mimeType, buffer });
    await page.getByRole("button", { name: "Apply" }).click();
    await dialog(page).getByRole("button", { name: "Apply" }).click();
  }],
];

for (const [what, begin] of overHttp) {
  browserTest(
    `who is no admin any more is seen to be none once a ${what} is refused`,
    async (desk) => {
      const token = await added(desk, "carl", { admin: true });
      const page = await desk.open("#/admin", {
        token,
        // What the page asks for every 5 s would find out, too.
        before: (page) =>
          page.routeWebSocket(/api\/ws$/, (socket) => {
            const server = socket.connectToServer();
            socket.onMessage((text) => {
              const { method } = JSON.parse(String(text)).payload ?? {};
              if (!/^get(user|client)list|getcertificate$/.test(method)) server.send(text);
            });
          }),
      });
      await page.getByRole("button", { name: "Add user" }).waitFor();
      await rpc(desk, "modifyuser", { name: "carl", admin: false });
      await begin(page, desk);
      await page.locator(".refusal").getByText("admin").waitFor();
      await page.getByText("This is for admins").first().waitFor();
      await page.getByRole("button", { name: "Add user" }).waitFor({ state: "detached" });
    },
  );
}

browserTest("the end of the certificate is shown, and nothing of its key", async (desk) => {
  const pem = new URL("../program/certificates/one.pem", import.meta.url);
  const content = Deno.readTextFileSync(pem);
  await restoreTo(desk.service, await archiveOf({ name: "tls.pem", content }), ["TLS"], desk.token);
  const page = await openAdmin(desk);
  await page.getByText("27 Oct 2126").waitFor();
  assertEquals(await isAnywhere(page, content.split("\n")[1]!), false);
});

browserTest(
  "over HTTPS the page shows version, certificate, log space and metrics as the service has them",
  async (desk) => {
    const { stdout } = desk.service;
    const pem = new URL("../program/certificates/one.pem", import.meta.url);
    const archive = await archiveOf({ name: "tls.pem", content: Deno.readTextFileSync(pem) });
    const first = await openAdmin(desk);
    const chosen = { name: "new.tgz", mimeType: "application/gzip", buffer: Buffer.from(archive) };
    await first.locator("input[type=file]").setInputFiles(chosen);
    await first.getByLabel("Certificate and key").waitFor();
    await first.getByRole("button", { name: "Apply" }).click();
    await dialog(first).getByRole("button", { name: "Apply" }).click();
    await first.getByText("Applied: Certificate and key").waitFor();

    const url = /HTTPS on (https:\S+?)(,|\n)/.exec(stdout)![1]!;
    const page = await desk.open("#/admin", { url, token: desk.token, ignoreHTTPSErrors: true });
    const device = page.locator(".card").filter({ hasText: "This console" });
    const text = async (path: string) =>
      String(await (await fetch(`${desk.service.url}/api/rest/general/${path}`)).json());
    for (const path of ["_firmware_version", "_api_version", "_hardwareserial"]) {
      await device.getByText(await text(path), { exact: true }).waitFor();
    }
    const { payload } = await rpc(desk, "getcertificate", {});
    assertEquals(payload.result.until.slice(0, 10), "2126-10-27");
    await device.getByText("27 Oct 2126").waitFor();
    await device.getByRole("button", { name: "Show log space and metrics" }).click();
    await device.getByText("Log on the medium").waitFor();
    const metrics = device.getByLabel("Metrics");
    await metrics.getByText(/^\d+(\.\d)? k?B$/).first().waitFor();
    await metrics.getByText("connections", { exact: true }).waitFor();
  },
  {
    configuration: { ...demoConfiguration, metrics: true },
    options: ["--listen-tls", "127.0.0.1:0"],
  },
);

browserTest("without metrics the page says how to have them", async (desk) => {
  const page = await openAdmin(desk);
  await page.getByRole("button", { name: "Show log space and metrics" }).click();
  await page.getByText("Metrics are off").waitFor();
}, { expected: /404/ });

browserTest("metrics are shown by their names, sizes as sizes", async (desk) => {
  const text =
    '# TYPE x gauge\nfaderd_log_bytes 1234567\nfaderd_x{a="b"} 1\nfaderd_stalls_total 3\n';
  const page = await desk.open("#/admin", {
    token: desk.token,
    async before(page) {
      await page.route("**/metrics", (route) => route.fulfill({ body: text }));
    },
  });
  await page.getByRole("button", { name: "Show log space and metrics" }).click();
  await page.getByText("Log on the medium").waitFor();
  await page.getByText("1.2 MB").waitFor();
  await page.getByText("stalls_total").waitFor();
});

/** A console of which much may be asked at once. */
const unlimited = { ...demoConfiguration, limits: { rest: { burst: 0 } } };

/** What the page does for admins, as it asks for it. */
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

for (const may of ["view", "configure"]) {
  browserTest(
    `who may ${may} and is no admin sees why, and the console refuses it all`,
    async (desk) => {
      const token = await added(desk, "carl", { may });
      const page = await desk.open("#/admin", { token });
      await page.getByText("This is for admins").first().waitFor();
      await page.getByRole("button", { name: "Add user" }).waitFor({ state: "detached" });
      const take = page.getByRole("button", { name: "Take a backup" });
      for (const button of [take, page.getByRole("button", { name: "Choose a file" })]) {
        await isForbidden(button, "This is for admins.");
      }
      await take.click({ force: true });
      await page.locator(".notice").getByText("This is for admins").waitFor();

      for (const [method, params] of actions) {
        assertEquals((await rpc(desk, method, params, token)).error?.code, 5, method);
      }
      const { url } = desk.service;
      const headers = { authorization: `Bearer ${token}` };
      const backup = await fetch(`${url}/action/backup?Tags=ALL`, { headers });
      assertMatch((await backup.json()).Error, /admin/);
      const archive = await backupOf(desk.service, ["USERS"], desk.token);
      assertMatch((await restoreTo(desk.service, archive, ["USERS"], token)).Error, /admin/);
    },
    { configuration: unlimited },
  );
}

browserTest("nobody known is asked to log in", async (desk) => {
  const page = await desk.open("#/admin");
  await page.getByText("Log in to do this.").first().waitFor();
  const take = page.getByRole("button", { name: "Take a backup" });
  await isForbidden(take, "This is for admins.");
});

browserTest("where the page only looks on, an admin changes nothing by it", async (desk) => {
  const page = await desk.open("?view#/admin", { token: desk.token });
  for (const name of ["Add user", "Change admin", "Remove admin", "Take a backup"]) {
    await isForbidden(page.getByRole("button", { name }), "This page only looks on.");
  }
});

for (const theme of ["dark", "light"]) {
  browserTest(`axe-core finds nothing on the administration, ${theme}`, async (desk) => {
    const page = await desk.open("#/admin", { token: desk.token, preferences: { theme } });
    await page.getByRole("button", { name: "Change admin" }).waitFor();
    await page.getByLabel("Everything").uncheck();
    const archive = await backupOf(desk.service, ["USERS", "MXSNAPS"], desk.token);
    await page.locator("input[type=file]").setInputFiles({
      name: "x.bin",
      mimeType: "application/octet-stream",
      buffer: Buffer.from(archive),
    });
    await page.getByRole("button", { name: "Apply" }).waitFor();
    assertEquals(await accessibilityFaults(page), [], "the page");
    await page.getByRole("button", { name: "Change admin" }).click();
    await dialog(page).getByLabel("Token good until").waitFor();
    assertEquals(await accessibilityFaults(page), [], "the form");
    await renewToken(page);
    await dialog(page).getByLabel("Token of admin").waitFor();
    assertEquals(await accessibilityFaults(page), [], "the token");
    await escape(page);
    await page.getByRole("button", { name: "Remove admin" }).click();
    await dialog(page).getByRole("button", { name: "Remove", exact: true }).waitFor();
    assertEquals(await accessibilityFaults(page), [], "the question");
  });
}
