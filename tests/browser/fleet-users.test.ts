import { assertEquals } from "@std/assert";
import { entry, idOf, USER_TOKEN } from "../fleet/fake-core.ts";
import { accessibilityFaults, becomes, hubProcessTest, hubTest, type Page } from "./browser.ts";

const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();
const users = (page: Page) => page.locator(".fleet-user p:nth-child(-n + 2)").allInnerTexts();
const lines = async (page: Page) =>
  (await page.locator(".fleet-told > div:last-child").allInnerTexts())
    .map((text) => text.replace("\n\n", "\n"));

hubTest(
  "an admin adds a user by keyboard, hands over the token, and changes the rights",
  async (desk, core) => {
    core.put(idOf(1), entry("Studio 1", { site: "Berlin" }));
    core.put(idOf(2), entry("Van", { site: "Wien" }));
    const page = await desk.open("#/users");
    await becomes(() => users(page), [
      ...["anna\nyou", "admin on all consoles"],
      ...["ben", "operate on all consoles"],
    ]);
    assertEquals(await accessibilityFaults(page), []);
    const dialog = page.getByRole("dialog");
    const add = dialog.getByRole("button", { name: "Add a right" });
    const save = dialog.getByRole("button", { name: "Save" });
    const focused = () =>
      page.evaluate("document.activeElement.name || document.activeElement.ariaLabel");
    await page.getByRole("button", { name: "Add a user" }).press("Enter");
    await becomes(focused, "name");
    await page.keyboard.type("carl");
    await page.keyboard.press("Tab");
    // A choice takes the letter with which an option begins.
    await page.keyboard.press("n");
    await save.press("Enter");
    await dialog.getByRole("alert").getByText("Give at least one right.").waitFor();
    await add.press("Enter");
    await becomes(focused, "Site or console 1");
    await page.keyboard.press("W");
    await page.keyboard.press("Tab");
    await page.keyboard.press("v");
    assertEquals(await accessibilityFaults(page), []);
    await add.press("Enter");
    await becomes(focused, "Site or console 2");
    await dialog.getByLabel("Site or console 2").selectOption("Berlin: Studio 1");
    await save.press("Enter");
    await becomes(
      () => dialog.getByLabel("Token of carl").inputValue(),
      "cccccccc-00000000-00000000-00000002",
    );
    await dialog.getByText(`The user logs in with it at ${desk.url}/.`).waitFor();
    await page.keyboard.press("Escape");
    await page.locator("button:focus", { hasText: "Add a user" }).waitFor();
    await becomes(async () => (await users(page)).slice(4), [
      "carl",
      "view at site Wien, operate on Studio 1, no right elsewhere",
    ]);
    await press(page, "Change carl");
    await press(page, "Remove right 1");
    await dialog.getByLabel("On all consoles").selectOption("configure");
    await press(page, "Save");
    await becomes(async () => (await users(page)).slice(4), [
      "carl",
      "operate on Studio 1, configure elsewhere",
    ]);
    await press(page, "Change anna");
    await dialog.getByLabel("On all consoles").selectOption("view");
    await dialog.getByText("This is you: without the right admin you lose this page").waitFor();
  },
);

hubTest(
  "the audit trail is searched, shows what was refused, and more on request; it is for admins",
  async (desk, core) => {
    core.put(idOf(1), entry("Studio 1", { site: "Berlin" }));
    const refused = "user ben is not an admin of the whole fleet";
    for (let count = 0; count < 150; count++) {
      core.tell({ user: "anna", from: "10.0.0.7", what: "backup", target: idOf(1) });
    }
    core.tell({ user: "ben", from: "10.1.2.3", what: "approve", target: idOf(1), refused });
    const preferences = { language: "de", theme: "light" };
    const page = await desk.open("#/audit", { preferences, viewport: { width: 375, height: 700 } });
    await becomes(async () => (await lines(page)).slice(0, 2), [
      `Pult freigeben: Studio 1\nAbgelehnt: ${refused}`,
      "Pult sichern: Studio 1",
    ]);
    const wider = "document.body.scrollWidth > innerWidth";
    assertEquals([await page.evaluate(wider), await accessibilityFaults(page)], [false, []]);
    await press(page, "Abgelehnt 1");
    await becomes(async () => (await lines(page)).length, 1);
    await page.getByLabel("Suchen").fill("studio sichern");
    await page.getByText("Keine Zeile entspricht dem.").waitFor();
    await press(page, "Alle 99");
    await page.getByText("99 von 100 Zeilen").waitFor();
    await press(page, "Mehr zeigen");
    await page.getByText("150 von 151 Zeilen").waitFor();
    core.tell({ user: "anna", from: "10.0.0.7", what: "backup", target: idOf(1) });
    await press(page, "Erneut lesen");
    await page.getByText("151 von 152 Zeilen").waitFor();
    const other = await desk.open("#/audit", { token: USER_TOKEN });
    await other.getByText("This page is for admins of the whole fleet.").waitFor();
    await other.getByRole("link", { name: "Users" }).click();
    await becomes(() => other.title(), "Users – Radio");
    await other.getByText("This page is for admins of the whole fleet.").waitFor();
  },
);

hubProcessTest(
  "a removed user is asked for a token on every open page, and the last admin is not removed",
  async (desk, id) => {
    const { payload } = await desk.rpc("fleetuseradd", { name: "ben", may: "operate" });
    const { token } = payload.result;
    const fleet = await desk.open("", { token });
    await fleet.getByRole("link", { name: "demo" }).waitFor();
    const console = await desk.open(`consoles/${id}/`, { token });
    await console.getByRole("button", { name: "ON Host" }).waitFor();
    const page = await desk.open("#/users");
    const dialog = page.getByRole("dialog");
    await press(page, "Remove ben");
    await dialog.getByText("All connections of this user are closed at once, on all hubs.")
      .waitFor();
    await dialog.getByRole("button", { name: "Remove" }).click();
    await becomes(() => users(page), ["admin\nyou", "admin on all consoles"]);
    const asked = fleet.getByRole("dialog", { name: "Log in" });
    await asked.getByRole("alert").getByText("The hub does not accept this token.").waitFor();
    await console.getByRole("dialog", { name: "Log in" }).getByRole("alert").waitFor();
    await asked.getByLabel("Token").fill(desk.token);
    await asked.getByRole("button", { name: "Log in" }).click();
    await fleet.getByText("admin", { exact: true }).waitFor();
    await press(page, "Remove admin");
    await dialog.getByText("This is you: you are logged out").waitFor();
    await dialog.getByRole("button", { name: "Remove" }).click();
    await dialog.getByRole("alert").getByText("admin is the last admin of the fleet").waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("link", { name: "Audit" }).click();
    await becomes(async () => (await lines(page)).slice(0, 3), [
      "Remove a user: admin\nRefused: name: admin is the last admin of the fleet",
      "Remove a user: ben",
      "Add a user: ben: operate on all consoles",
    ]);
  },
);
