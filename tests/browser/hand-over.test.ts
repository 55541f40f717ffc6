/** A user is handed over to another device, by a QR code or its link. */
// All packages in deno.json are downloaded at any start.
// deno-lint-ignore-file no-import-prefix
import jsqr from "npm:jsqr@1.4.0";
import { assert, assertEquals, assertMatch } from "@std/assert";
import fc from "fast-check";
import { demoConfiguration } from "../../core/configuration/demo.ts";
import { type Modules, qrCode } from "../../view/pages/admin/qr/qr-code.ts";
import {
  accessibilityFaults,
  becomes,
  browserTest,
  type Desk,
  type Locator,
  type Page,
  until,
} from "./browser.ts";

const CODE = /^[0-9a-f]{8}(-[0-9a-f]{8}){3}$/;
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

// The package is CommonJS, but its types describe a module.
const decode = jsqr as unknown as typeof jsqr.default;

/** The text that an independent QR reader finds in a picture. */
function textIn({ pixels, width, height }: {
  readonly pixels: ArrayLike<number>;
  readonly width: number;
  readonly height: number;
}): string | undefined {
  return decode(Uint8ClampedArray.from(pixels), width, height)?.data;
}

/** A picture of a QR code with 3 × 3 pixels for each module, and its quiet zone. */
function drawn(modules: Modules) {
  const [module, quiet] = [3, 4];
  const width = (modules.length + 2 * quiet) * module;
  const pixels = new Uint8ClampedArray(4 * width * width).fill(255);
  for (let y = 0; y < width; y++) {
    for (let x = 0; x < width; x++) {
      const isDark = modules[Math.floor(y / module) - quiet]?.[Math.floor(x / module) - quiet];
      if (isDark) pixels.fill(0, 4 * (y * width + x), 4 * (y * width + x) + 3);
    }
  }
  return { pixels, width, height: width };
}

/** The text that a camera would read from a picture on the screen. */
async function scanned(picture: Locator): Promise<string | undefined> {
  const base64 = (await picture.screenshot()).toString("base64");
  const seen = await picture.page().evaluate(async (base64) => {
    const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
    const bitmap = await createImageBitmap(new Blob([bytes]));
    const { width, height } = bitmap;
    const context = Object.assign(document.createElement("canvas"), { width, height })
      .getContext("2d")!;
    context.drawImage(bitmap, 0, 0);
    const { data } = context.getImageData(0, 0, width, height);
    return { pixels: new Uint8Array(data.buffer).toBase64(), width, height };
  }, base64);
  return textIn({ ...seen, pixels: Uint8Array.fromBase64(seen.pixels) });
}

const dialog = (page: Page) => page.getByRole("dialog");
const press = (page: Page, name: string) =>
  dialog(page).getByRole("button", { name, exact: true }).click();

/** Makes a code on the page of an admin, and returns the displayed link. */
async function linkFor(page: Page, name: string): Promise<string> {
  await page.getByRole("button", { name: `Hand over ${name}` }).click();
  await press(page, "Make the code");
  return await dialog(page).getByLabel("Link", { exact: true }).inputValue();
}

/** Opens a link on another device, and returns the page there. */
function follow(desk: Desk, link: string, options: Parameters<Desk["open"]>[1] = {}) {
  const { hash, search } = new URL(link);
  return desk.open(`${search}${hash}`, { token: "", ...PHONE, ...options });
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

async function addUser(desk: Desk, name: string): Promise<string> {
  const { payload } = await desk.rpc("adduser", { name, groups: 1 });
  return payload.result.token;
}

const userOf = (page: Page) => page.locator(".user").innerText();
const keptToken = (page: Page) => page.evaluate(() => localStorage.getItem("faderd:/:token"));

Deno.test("an independent reader reads the QR code of any text up to 180 bytes; a longer text has none", () => {
  const texts = fc.string({ unit: "grapheme", minLength: 1, maxLength: 180 });
  fc.assert(fc.property(texts, (text) => {
    const modules = qrCode(text);
    if (new TextEncoder().encode(text).length > 180) return modules === undefined;
    return textIn(drawn(modules!)) === text;
  }));
  for (let length = 1; length <= 180; length += 7) {
    const text = "https://studio".padEnd(length, "/aB3").slice(0, length);
    assertEquals(textIn(drawn(qrCode(text)!)), text);
  }
});

browserTest(
  "a new user's phone scans the QR code, and keeps the login; the code is used up",
  async (desk) => {
    const page = await desk.open("#/admin");
    await page.getByRole("button", { name: "Add user" }).click();
    await dialog(page).getByLabel("Name").fill("anna");
    await press(page, "Save");
    const first = await dialog(page).getByLabel("Token of anna").inputValue();
    await press(page, "Hand over by QR code");
    const link = await dialog(page).getByLabel("Link", { exact: true }).inputValue();
    const { href, hash, search } = new URL(link);
    assertMatch(hash, /^#\/hand-over\//);
    assertEquals([search, href.startsWith(desk.url)], ["", true]);
    const code = hash.slice("#/hand-over/".length);
    assertMatch(code, CODE);
    assertEquals(await scanned(page.locator("svg.qr")), link);
    assertEquals(await accessibilityFaults(page), []);

    const sent: string[] = [];
    const phone = await follow(desk, link, {
      before: (page) =>
        page.on("request", (request) => sent.push(request.url(), request.headers().referer ?? "")),
    });
    await dialog(phone).getByText("logs this device in, once").waitFor();
    assertEquals(await accessibilityFaults(phone), []);
    assertEquals((await desk.rpc("getuser", {}, first)).success, true, "nothing was used yet");
    await press(phone, "Log in");
    await dialog(phone).getByRole("heading", { name: "This is anna's device" }).waitFor();
    await page.getByText("Used: the device has a new token of anna.").waitFor();
    assertEquals((await desk.rpc("getuser", {}, first)).error.code, 4, "the first token is over");
    await press(phone, "Keep on this device");
    await becomes(() => userOf(phone), "anna");
    await until(async () => CODE.test(await keptToken(phone) ?? ""));
    assertEquals(new URL(phone.url()).hash, "#/mixer");
    assertEquals(sent.filter((text) => text.includes(code)), []);
    assertEquals(await isAnywhere(phone, code), false);
    assertEquals(await phone.evaluate(() => history.length), 2, "about:blank and the page");
    await phone.reload();
    await becomes(() => userOf(phone), "anna");

    await press(page, "Done");
    assertEquals(await isAnywhere(page, code), false);
    const second = await follow(desk, link);
    await press(second, "Log in");
    await dialog(second).getByText("This code is not valid any more").waitFor();
    assertEquals(await dialog(second).getByRole("button", { name: "Log in" }).count(), 0);
    await press(second, "Cancel");
    await dialog(second).waitFor({ state: "detached" });
    assertEquals(await userOf(second), "Not logged in");
    const third = await follow(desk, link, { locale: "de-DE" });
    await press(third, "Anmelden");
    await dialog(third).getByText("Dieser Code gilt nicht mehr").waitFor();
  },
);

browserTest("the QR code is readable in every look of the page", async (desk) => {
  await addUser(desk, "anna");
  for (
    const look of [
      { preferences: { theme: "light" } },
      { preferences: { theme: "dark", contrast: "high" }, ...PHONE },
      { forcedColors: "active", colorScheme: "dark" },
    ] as const
  ) {
    const page = await desk.open("#/admin", look);
    const link = await linkFor(page, "anna");
    assertEquals(await scanned(page.locator("svg.qr")), link, JSON.stringify(look));
  }
});

browserTest(
  "where a login is required the link logs in; for the tab only, the device keeps no token",
  async (desk) => {
    await addUser(desk, "anna");
    const page = await desk.open("#/admin");
    const device = await follow(desk, await linkFor(page, "anna"));
    await press(device, "Log in");
    await press(device, "Only for this tab");
    await becomes(() => userOf(device), "anna");
    assertEquals(await keptToken(device), null);
    await device.getByRole("slider").first().waitFor();
  },
  { configuration: { ...demoConfiguration, auth: "required" } },
);

browserTest("a reload before the choice to keep the login asks again", async (desk) => {
  await addUser(desk, "anna");
  const page = await desk.open("#/admin");
  const device = await follow(desk, await linkFor(page, "anna"));
  await press(device, "Log in");
  const asked = dialog(device).getByRole("heading", { name: "This is anna's device" });
  await asked.waitFor();
  await becomes(() => userOf(device), "anna");
  await device.reload();
  await asked.waitFor();
  await press(device, "Keep on this device");
  await dialog(device).waitFor({ state: "detached" });
  await until(async () => CODE.test(await keptToken(device) ?? ""));
  await becomes(() => userOf(device), "anna");
});

browserTest("a link that only works on this machine has a warning above its code", async (desk) => {
  await addUser(desk, "anna");
  for (const [width, height] of [[1024, 768], [390, 844]] as const) {
    const page = await desk.open("#/admin", { viewport: { width, height } });
    await linkFor(page, "anna");
    const warning = await dialog(page).getByText("on this machine alone").boundingBox();
    const picture = await page.locator("svg.qr").boundingBox();
    assert(warning!.y >= 0 && warning!.y + warning!.height <= picture!.y, `${width}x${height}`);
  }
});

browserTest("a logged-in device is warned, and then is logged in as the new user", async (desk) => {
  const token = await addUser(desk, "bert");
  await addUser(desk, "anna");
  const page = await desk.open("#/admin");
  const device = await follow(desk, await linkFor(page, "anna"), { token });
  await dialog(device).getByText("This device is logged in as bert").waitFor();
  await press(device, "Log in");
  await dialog(device).locator("button:focus").waitFor();
  await press(device, "Keep on this device");
  await device.locator(":is(.page, main):focus").waitFor();
  await becomes(() => userOf(device), "anna");
});

browserTest(
  "both sides report an expired code, and a new code can be made",
  async (desk) => {
    await addUser(desk, "anna");
    const page = await desk.open("#/admin", { before: (page) => page.clock.install() });
    const before = await linkFor(page, "anna");
    await dialog(page).getByText("Valid for 1").waitFor();
    await page.clock.fastForward("15:01");
    await dialog(page).getByText("The code has expired.").waitFor();
    assertEquals(await page.locator("svg.qr").count(), 0);
    await press(page, "Make another one");
    const link = dialog(page).getByLabel("Link", { exact: true });
    await until(async () => await link.inputValue() !== before);
    const device = await follow(desk, before);
    await press(device, "Log in");
    await dialog(device).getByText("This code is not valid any more").waitFor();
    await device.reload();
    await dialog(device).getByText("The address has no code any more.").waitFor();
  },
);

browserTest("admins who hand over their own user are warned, and then logged out", async (desk) => {
  const before = (page: Page) => page.clock.install();
  const page = await desk.open("#/admin", { locale: "de-DE", before });
  await page.getByRole("button", { name: "admin übergeben" }).click();
  await dialog(page).getByText("Auch diese Seite wird abgemeldet.").waitFor();
  await press(page, "Code erstellen");
  const link = await dialog(page).getByLabel("Link", { exact: true }).inputValue();
  const device = await follow(desk, link, { locale: "de-DE" });
  await press(device, "Anmelden");
  await press(device, "Auf diesem Gerät speichern");
  await becomes(() => userOf(device), "admin");
  const refused = page.getByText("Das Pult hat dieses Token abgelehnt.");
  await refused.waitFor();
  // The page's repeated requests are refused, too, and do not replace the message.
  await page.clock.runFor(20_000);
  assertEquals(await refused.isVisible(), true);
});
