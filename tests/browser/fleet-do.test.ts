import { assertEquals } from "@std/assert";
import { BATCHES } from "../../fleet/hub/hub-limits.ts";
import { entry, type FakeCore, idOf } from "../fleet/fake-core.ts";
import { accessibilityFaults, becomes, hubTest, type Page } from "./browser.ts";

const outcomes = (page: Page) => page.locator(".fleet-outcome").allInnerTexts();
const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();
/** Waits for a paragraph that is seen, and not only read out. */
const shows = (page: Page, text: string) =>
  page.locator("p:not(.hidden)", { hasText: text }).waitFor();

/** Puts consoles into the fleet: two live ones, one that is gone, and one in quarantine. */
function furnish(core: FakeCore): void {
  core.put(idOf(1), entry("Studio 1", { site: "Berlin" }));
  core.put(idOf(2), entry("Studio 2", { site: "Berlin" }));
  core.put(idOf(3), entry("Van", { site: "Köln" }, "gone"));
  core.put(idOf(4), entry("New one", {}, "quarantined"));
}

/** Fills in a label for all three consoles that are not in quarantine. */
async function fillIn(page: Page): Promise<void> {
  await press(page, "Tick all 3");
  await page.getByLabel("Label", { exact: true }).fill("Host");
}

hubTest(
  "ticked consoles show the changes in advance, make them, and repeat failed ones",
  async (desk, core) => {
    furnish(core);
    core.commands.would = () => ({ before: { a: "Mic" }, after: { a: "Host" } });
    const page = await desk.open();
    await page.getByRole("link", { name: "Do" }).click();
    await becomes(() => page.locator(".fleet-tick").count(), 3);
    const run = page.getByRole("button", { name: "Run", exact: true });
    assertEquals(await run.getAttribute("title"), "Tick at least one console.");
    await press(page, "Tick all 3");
    await page.getByLabel("Label", { exact: true }).fill("Host");
    await press(page, "Preview");
    await page.getByText('/a: "Mic" → "Host"').first().waitFor();
    await page.getByText("1 of 3 would refuse it.").waitFor();
    assertEquals(core.commands.submitted, []);
    core.commands.outcome = () => undefined;
    await run.press("Enter");
    await shows(page, "2 waiting, 1 refused");
    const [one, two] = core.commands.submitted;
    assertEquals(one!.request, {
      method: "set",
      path: "/audio/mixers/0/faders/0/label",
      payload: "Host",
    });
    core.commands.say(one!, { outcome: "done" });
    core.commands.say(two!, { outcome: "refused", why: "not yours" });
    await page.getByText("not yours").waitFor();
    await shows(page, "1 done, 2 refused");
    assertEquals((await outcomes(page)).length, 3);
    assertEquals(await accessibilityFaults(page), []);
    core.put(idOf(3), entry("Van", { site: "Köln" }));
    core.commands.outcome = () => ({ outcome: "done" });
    await press(page, "Repeat for the 2 that failed");
    await shows(page, "2 done");
    await becomes(async () => (await outcomes(page)).length, 2);
    await page.getByRole("button", { name: "Back to all consoles" }).press("Enter");
    await page.locator(".toolbar:focus").waitFor();
  },
);

hubTest(
  "of a batch screen readers are told at most every 5 s, and at its end",
  async (desk, core) => {
    furnish(core);
    core.commands.outcome = () => undefined;
    const page = await desk.open("#/do", { before: (page) => page.clock.install() });
    await fillIn(page);
    await press(page, "Run");
    await shows(page, "2 waiting, 1 refused");
    const said = page.locator(".hidden[role=status]");
    assertEquals(await said.textContent(), "The hub asks the consoles …");
    const [one, two] = core.commands.submitted;
    core.commands.say(one!, { outcome: "done" });
    await shows(page, "1 waiting, 1 done, 1 refused");
    assertEquals(await said.textContent(), "The hub asks the consoles …");
    await page.clock.runFor(5000);
    await becomes(() => said.textContent(), "1 waiting, 1 done, 1 refused");
    core.commands.say(two!, { outcome: "done" });
    await shows(page, "2 done, 1 refused");
    await becomes(() => said.textContent(), "2 done, 1 refused");
  },
);

hubTest(
  "a snapshot is loaded by name, if ticked also on air and at the same instant",
  async (desk, core) => {
    furnish(core);
    const page = await desk.open("#/do", { preferences: { language: "de", theme: "light" } });
    await page.getByRole("button", { name: "Snapshot laden" }).click();
    await page.getByLabel("Name des Snapshots").fill("Abend");
    await page.getByLabel("Alle gleichzeitig").check();
    await page.getByLabel("Auch Pulte auf Sendung").check();
    await page.getByLabel("Suchen").fill("berlin");
    await press(page, "Alle 2 wählen");
    assertEquals(await accessibilityFaults(page), []);
    await press(page, "Ausführen");
    await shows(page, "2 erledigt");
    const [{ request, at }] = core.commands.submitted as [typeof core.commands.submitted[0]];
    const params = { id: "named", name: "Abend", mixer: 0, type: 2 };
    assertEquals([request, typeof at], [
      { method: "rpc", payload: { method: "loadsnapshot", params } },
      "number",
    ]);
  },
);

hubTest(
  "of 1,000 consoles only those on the screen are in the page, and all can be ticked",
  async (desk, core) => {
    for (let number = 0; number < 1000; number++) {
      core.put(idOf(number), entry(`Studio ${number}`, { site: `Site ${number % 10}` }));
    }
    const page = await desk.open("#/do");
    await press(page, "Tick all 1000");
    await page.getByText("1000 consoles are ticked").waitFor();
    assertEquals(await page.locator(".fleet-tick").count() < 40, true);
    await press(page, "Run");
    await shows(page, "1000 done");
    assertEquals(await page.locator(".fleet-outcome").count() < 40, true);
  },
);

hubTest(
  "a batch that the hub forgets while the connection is lost is no longer shown as one under way",
  async (desk, core) => {
    furnish(core);
    let cut = () => {};
    const { promise: goOn, resolve: connect } = Promise.withResolvers<void>();
    let connections = 0;
    const page = await desk.open("#/do", {
      before: (page) =>
        page.routeWebSocket("**/api/ws", async (socket) => {
          if (++connections > 1) await goOn;
          socket.connectToServer();
          cut = () => void socket.close({ code: 1012 });
        }),
    });
    await fillIn(page);
    await press(page, "Run");
    await shows(page, "2 done, 1 refused");
    cut();
    await page.getByText("The connection to the hub is lost").waitFor();
    const request = { method: "set", path: "/audio/mixers/0/faders/0/label", payload: "" };
    for (let count = 0; count < BATCHES.ofUser; count++) {
      await desk.rpc("fleetdo", { select: { ids: [idOf(1)] }, kind: "live", request });
    }
    connect();
    await shows(page, "The hub does not show this batch, or no longer");
  },
);

hubTest(
  "an order whose answer is lost shows its batch, if the hub has taken it",
  async (desk, core) => {
    furnish(core);
    let isTaken = false;
    const page = await desk.open("#/do", {
      before: (page) =>
        page.route("**/api/rest", async (route) => {
          if (isTaken) await route.fetch();
          await route.abort();
        }),
    });
    await fillIn(page);
    await press(page, "Run");
    await page.getByText("nobody knows whether this arrived").waitFor();
    await shows(page, "The hub does not show this batch, or no longer");
    assertEquals(core.commands.submitted, []);
    isTaken = true;
    await press(page, "Run");
    await shows(page, "2 done, 1 refused");
    await page.getByText("nobody knows whether this arrived").waitFor();
  },
  { expected: /ERR_FAILED/ },
);
