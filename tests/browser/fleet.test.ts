import { assertEquals } from "@std/assert";
import { entry, type FakeCore, idOf, USER_TOKEN } from "../fleet/fake-core.ts";
import { accessibilityFaults, becomes, hubProcessTest, hubTest, type Page } from "./browser.ts";

const rows = (page: Page) => page.locator(".fleet-row");
const names = (page: Page) => page.locator(".fleet-name a").allInnerTexts();

/** Puts consoles at two sites into the fleet. */
function furnish(core: FakeCore): void {
  const full = { alarms: ["The medium is full."], tree: { general: { _storage: "full" } } };
  core.put(idOf(1), entry("Studio 1", { site: "Berlin" }));
  core.put(idOf(2), entry("Studio 2", { site: "Berlin", ...full }, "stale"));
  core.put(idOf(3), entry("Van", { site: "Köln" }, "gone"));
  core.put(idOf(4), entry("New one", { site: "Köln" }, "quarantined"));
}

hubTest(
  "the consoles are grouped by site, with state and alarms, and follow changes",
  async (desk, core) => {
    furnish(core);
    const page = await desk.open("", { before: (page) => page.clock.install() });
    await becomes(() => names(page), ["Studio 1", "Studio 2", "Van"]);
    await becomes(() => page.locator(".fleet-heading bdi").allInnerTexts(), [
      "To be approved",
      "Berlin",
      "Köln",
    ]);
    await page.getByText("The medium is full.").waitFor();
    await page.getByText("Medium: full").waitFor();
    await page.getByText("stale since").waitFor();
    assertEquals(await page.title(), "Fleet – Radio");
    core.put(idOf(1), entry("Studio A", { site: "Berlin" }, "gone"));
    await becomes(() => names(page), ["Studio 2", "Studio A", "Van"]);
    await page.locator(".fleet-row.gone", { hasText: "Studio A" }).waitFor();
    core.put(idOf(2), undefined);
    await becomes(() => names(page), ["Studio A", "Van"]);
    assertEquals(
      await page.getByRole("link", { name: "Studio A" }).getAttribute("href"),
      `consoles/${idOf(1)}/`,
    );
    await page.clock.runFor(5000);
    const said = page.locator(".hidden[role=status]");
    await becomes(() => said.textContent(), "Alarms 0, Not live 2");
  },
);

hubTest(
  "a row names the templates from which its console differs, with links to the differences",
  async (desk, core) => {
    furnish(core);
    core.put(idOf(1), { ...entry("Studio 1", { site: "Berlin" }), digests: { labels: "a" } });
    core.put(idOf(3), { ...entry("Van", { site: "Köln" }), digests: { labels: "b" } });
    const by = {
      console: idOf(1),
      from: "Studio 1",
      saved: "2026-01-01T00:00:00.000Z",
      by: "anna",
    };
    const sections = { labels: { digest: "a", value: {} } };
    for (const name of ["house", "radio"]) {
      await core.templates.save({ ...by, name, model: {}, sections });
    }
    const page = await desk.open();
    const van = page.locator(".fleet-row", { hasText: "Van" });
    await van.getByText("faderd 1 · Drift: house, radio").waitFor();
    assertEquals(
      await van.getByRole("link", { name: "radio" }).getAttribute("href"),
      `#/drift/template/radio/${idOf(3)}`,
    );
    assertEquals(await page.getByText("Drift: ").count(), 1);
    assertEquals(await accessibilityFaults(page), []);
  },
);

hubTest(
  "a user filters by words, by site, by alarms and by consoles that are not live",
  async (desk, core) => {
    furnish(core);
    const page = await desk.open();
    await page.getByLabel("Search").fill("studio berlin");
    await becomes(() => names(page), ["Studio 1", "Studio 2"]);
    await page.getByText("2 of 4 consoles").waitFor();
    await page.getByRole("button", { name: "Alarms 1" }).click();
    await becomes(() => names(page), ["Studio 2"]);
    await page.getByLabel("Search").fill("");
    await page.getByRole("button", { name: "Not live 2" }).click();
    await becomes(() => names(page), ["Studio 2", "Van"]);
    await page.getByLabel("Site").selectOption("Köln");
    await becomes(() => names(page), ["Van"]);
    await page.getByLabel("Search").fill("nowhere");
    await page.getByText("No console matches.").waitFor();
  },
);

hubTest(
  "an admin approves and removes a console, and gets the command to add one",
  async (desk, core) => {
    furnish(core);
    const page = await desk.open();
    const inDialog = (name: string) => page.getByRole("dialog").getByRole("button", { name });
    await page.getByRole("button", { name: "Approve New one" }).click();
    await inDialog("Approve").click();
    await becomes(() => names(page), ["Studio 1", "Studio 2", "New one", "Van"]);
    await page.getByRole("button", { name: "Remove Van" }).click();
    await inDialog("Remove").click();
    await becomes(() => names(page), ["Studio 1", "Studio 2", "New one"]);
    await page.getByRole("button", { name: "Add a console" }).click();
    const command = page.getByRole("dialog").getByLabel("Command");
    await becomes(() => command.inputValue(), `faderd fleet enrol ${desk.url} 1234-5678`);
    assertEquals(await accessibilityFaults(page), []);
  },
);

hubTest(
  "users other than admins see the fleet, and why other operations are forbidden",
  async (desk, core) => {
    furnish(core);
    const page = await desk.open("", { token: USER_TOKEN });
    await becomes(() => names(page), ["Studio 1", "Studio 2", "Van"]);
    for (const name of ["Approve New one", "Remove Van", "Add a console"]) {
      const button = page.getByRole("button", { name });
      await becomes(() => button.getAttribute("title"), "This is for admins.");
      assertEquals(await button.getAttribute("aria-disabled"), "true", name);
    }
  },
);

hubTest(
  "without a token the page asks for a token, and says that this is a hub",
  async (desk, core) => {
    furnish(core);
    const page = await desk.open("", { token: "" });
    const dialog = page.getByRole("dialog");
    await dialog.getByText("This hub shows its consoles to known users only.").waitFor();
    await dialog.getByLabel("Token").fill(USER_TOKEN);
    await dialog.getByRole("button", { name: "Log in" }).click();
    await becomes(() => names(page), ["Studio 1", "Studio 2", "Van"]);
  },
);

hubTest(
  "of 1,000 consoles only those on the screen are in the page, at any scroll position",
  async (desk, core) => {
    for (let number = 0; number < 1000; number++) {
      core.put(idOf(number), entry(`Studio ${number}`, { site: `Site ${number % 10}` }));
    }
    const page = await desk.open();
    await page.getByText("1000 of 1000 consoles").waitFor();
    const count = () => rows(page).count();
    const few = await count();
    assertEquals(few > 5 && few < 40, true, `${few}`);
    const list = page.locator(".fleet-list");
    await list.evaluate((element) => element.scrollTo(0, element.scrollHeight));
    await page.getByRole("link", { name: "Studio 999" }).waitFor();
    assertEquals(await count() < 40, true);
    await page.getByLabel("Search").fill("999");
    await becomes(() => names(page), ["Studio 999"]);
  },
);

hubTest(
  "axe-core finds nothing on the Fleet page, also in German and in the light look",
  async (desk, core) => {
    furnish(core);
    for (const preferences of [{}, { language: "de", theme: "light" }] as const) {
      const page = await desk.open("", { preferences });
      await becomes(() => names(page), ["Studio 1", "Studio 2", "Van"]);
      assertEquals(await accessibilityFaults(page), []);
    }
  },
);

hubProcessTest(
  "one login leads to a console with moving faders, and back to the fleet, which may lose it",
  async (desk, id) => {
    const page = await desk.open();
    await page.getByRole("link", { name: "demo" }).click();
    await page.waitForURL(`${desk.url}/consoles/${id}/`);
    await page.locator("header").getByText("fleet:admin").waitFor();
    const on = page.getByRole("button", { name: "ON Host" });
    await becomes(() => on.getAttribute("aria-pressed"), "true");
    await on.click();
    await becomes(() => on.getAttribute("aria-pressed"), "false");
    const console = `${desk.url}/consoles/${id}/api/rest/audio/mixers/0/faders/0/on`;
    const headers = { authorization: `Bearer ${desk.token}` };
    await becomes(async () => await (await fetch(console, { headers })).json(), false);
    await page.getByRole("link", { name: "To the fleet" }).click();
    await page.getByRole("link", { name: "demo" }).waitFor();
    assertEquals(new URL(page.url()).pathname, "/");
    await desk.rpc("fleetremove", { id });
    await page.getByText("There is no console in this fleet yet.").waitFor();
    await page.goBack();
    await page.locator(".overlay").getByText("The hub does not reach this console now.").waitFor();
  },
);
