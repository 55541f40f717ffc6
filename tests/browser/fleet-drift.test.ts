import { assertEquals } from "@std/assert";
import { entry, type FakeCore, idOf } from "../fleet/fake-core.ts";
import { accessibilityFaults, becomes, hubTest, type Page } from "./browser.ts";

const LABEL = "/audio/mixers/0/faders/0/label";
const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();
const lines = (page: Page) =>
  page.locator(".fleet-line").evaluateAll((all) =>
    all.map((line) =>
      [...line.querySelectorAll("a, .fleet-name:last-child > *")].map((one) => one.textContent)
    )
  );

/** A tree with the labels of a mixer, in the form of consoles and templates. */
const labels = (...all: string[]) => {
  const faders = Object.fromEntries(all.map((label, fader) => [fader, { label }]));
  return { audio: { mixers: { 0: { faders } } } };
};

/** Puts consoles into the fleet, and a template of their labels. */
function furnish(core: FakeCore, wanted = "Host") {
  const put = (number: number, name: string, digest?: string, tree = labels("Host")) =>
    core.put(idOf(number), {
      ...entry(
        name,
        { site: number < 4 ? "Berlin" : "Köln", tree },
        name === "Van" ? "gone" : "live",
      ),
      ...(digest && { digests: { labels: digest } }),
    });
  put(1, "Studio 1", "a");
  put(2, "Studio 2", "b");
  put(3, "Studio 3", "c", labels("Host", "Guest"));
  put(4, "Van", "b");
  put(5, "Older one");
  core.templates.save({
    name: "house",
    console: idOf(1),
    from: "Studio 1",
    model: { 0: ["0"] },
    saved: "2026-01-01T00:00:00.000Z",
    by: "anna",
    sections: { labels: { digest: "a", value: labels(wanted) } },
  });
  core.answer = ({ message: { path = "" } }) =>
    path.endsWith("/faders")
      ? { payload: { 0: { label: "Guest" } } }
      : path.endsWith("mixers")
      ? { payload: labels("Guest").audio.mixers }
      : { success: false, error: { code: 6, message: "nothing is there" } };
  return put;
}

hubTest(
  "each console shows whether it differs, a section is read on request, and a value opens the page Do",
  async (desk, core) => {
    furnish(core);
    const page = await desk.open();
    await page.getByRole("link", { name: "Drift" }).click();
    await page.getByLabel("Compare with").selectOption("house (Studio 1)");
    await becomes(() => lines(page), [
      ["Studio 1", "the same", ""],
      ["Studio 2", "differs", "Labels"],
      ["Studio 3", "another model", "Labels"],
      ["Older one", "not known", ""],
      ["Van", "differs", "Labels"],
    ]);
    assertEquals(await accessibilityFaults(page), []);
    await press(page, "Differ 2");
    const both = page.getByRole("link", { name: "Act on the 2 consoles that differ" });
    assertEquals(await both.getAttribute("href"), `#/do/${idOf(2)}%2C${idOf(4)}`);
    await page.getByRole("link", { name: "Studio 2" }).click();
    assertEquals(core.asked, []);
    await page.locator("a:focus", { hasText: "Back to all consoles" }).waitFor();
    await press(page, "Read: Labels");
    const cells = () => page.locator("tbody td").allInnerTexts();
    await becomes(cells, [LABEL, '"Guest"', '"Host"', ""]);
    assertEquals(await accessibilityFaults(page), []);
    await page.getByRole("link", { name: `Do it: ${LABEL}` }).click();
    await page.getByText("1 console is ticked").waitFor();
    assertEquals(await page.getByRole("textbox", { name: "Label" }).inputValue(), "Host");
    await press(page, "Run");
    await page.locator(".toolbar p", { hasText: "1 done" }).waitFor();
    const request = { method: "set", path: LABEL, payload: "Host" } as const;
    assertEquals(core.commands.submitted.map((one) => one.request), [request]);
    // Another address fills in the same page again.
    await page.evaluate((hash) => void (location.hash = hash), `#/do/${idOf(1)},${idOf(2)}`);
    await page.getByText("2 consoles are ticked").waitFor();
    assertEquals(await page.getByRole("textbox", { name: "Label" }).inputValue(), "");
    await page.getByRole("link", { name: "Drift", exact: true }).click();
    await becomes(
      () => page.getByLabel("Compare with").locator(":checked").innerText(),
      "house (Studio 1)",
    );
    // Somebody else removes the template: the list of the earlier comparison goes with it.
    await becomes(async () => (await lines(page)).length, 5);
    core.templates.remove("house");
    await page.getByText("no such template").waitFor();
    assertEquals(await lines(page), []);
    await page.getByRole("button", { name: "Ask again" }).waitFor();
  },
);

hubTest(
  "the arrow beside a long text opens the page Do with the whole text",
  async (desk, core) => {
    const wanted = "🎙".repeat(110);
    furnish(core, wanted);
    const page = await desk.open();
    await page.getByRole("link", { name: "Drift" }).click();
    await page.getByLabel("Compare with").selectOption("house (Studio 1)");
    await page.getByRole("link", { name: "Studio 2" }).click();
    await press(page, "Read: Labels");
    await page.getByRole("link", { name: `Do it: ${LABEL}` }).click();
    await page.getByText("1 console is ticked").waitFor();
    assertEquals(await page.getByRole("textbox", { name: "Label" }).inputValue(), wanted);
  },
);

hubTest(
  "a template is saved and removed, and users without the right see why, also when a console leaves",
  async (desk, core) => {
    furnish(core);
    const page = await desk.open("#/drift");
    await press(page, "New template");
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Name").fill("house");
    await dialog.getByText("It takes the place of the template of this name.").waitFor();
    await dialog.getByLabel("Name").fill("desks");
    for (const name of ["Processing", "Setup"]) await dialog.getByLabel(name).uncheck();
    assertEquals(await accessibilityFaults(page), []);
    await dialog.getByRole("button", { name: "New template" }).click();
    await page.getByRole("button", { name: "Remove template" }).waitFor();
    assertEquals(core.templates.list().map(({ name }) => name), ["house", "desks"]);
    await press(page, "Remove template");
    await dialog.getByText("Remove the template desks?").waitFor();
    await dialog.getByRole("button", { name: "Remove template" }).click();
    await becomes(() => core.templates.list().map(({ name }) => name), ["house"]);

    const admin = { user: { name: "anna", may: "admin" as const }, from: "x" };
    const rights = [{ site: "Berlin", may: "view" as const }];
    const { token } = await core.addUser({ name: "carl", rights }, admin) as { token: string };
    const preferences = { language: "de", theme: "light" };
    const other = await desk.open(`#/drift/console/${idOf(1)}`, { token, preferences });
    await other.getByText("user carl has no right to view all consoles").waitFor();
    const isAllowed = other.getByRole("button", { name: "Neue Vorlage" });
    assertEquals(await isAllowed.getAttribute("aria-disabled"), "true");
    await becomes(async () => (await lines(other)).map(([name]) => name), [
      "Vergleichspult",
      "Studio 2",
      "Studio 3",
    ]);
    assertEquals(await accessibilityFaults(other), []);
    core.answer = () => undefined;
    await other.getByRole("link", { name: "Studio 2" }).click();
    await press(other, "Lesen: Beschriftungen");
    await other.getByText("Der Hub liest").waitFor();
    core.put(idOf(2), undefined);
    core.cut();
    await other.getByText("Dieses Pult ist nicht in der Flotte.").waitFor();
  },
);

hubTest(
  "differences that were read are gone once the section is the same, and templates of others appear",
  async (desk, core) => {
    const put = furnish(core);
    const page = await desk.open("#/drift/template/house");
    const other = { ...core.templates.list()[0]!, name: "desks" };
    core.templates.save(other);
    await becomes(
      () =>
        page.getByLabel("Compare with").locator("option").allInnerTexts().then((all) =>
          all.filter((text) => /\(Studio 1\)/.test(text))
        ),
      ["house (Studio 1)", "desks (Studio 1)"],
    );
    await page.getByRole("link", { name: "Studio 2" }).click();
    await press(page, "Read: Labels");
    await page.getByText('"Guest"').waitFor();
    put(2, "Studio 2", "a");
    await page.getByText("the same").waitFor();
    put(2, "Studio 2", "b");
    await page.getByRole("button", { name: "Read: Labels" }).waitFor();
    assertEquals(await page.getByText('"Guest"').count(), 0);
  },
);
