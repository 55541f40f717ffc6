import { assertEquals } from "@std/assert";
import { refuse } from "../../core/errors.ts";
import type { Backups, ConsoleBackups } from "../../fleet/backups/fleet-backups.ts";
import { entry, type FakeCore, idOf, USER_TOKEN } from "../fleet/fake-core.ts";
import { accessibilityFaults, becomes, hubTest, type Page } from "./browser.ts";

const CONTENT = "c".repeat(64);
const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();
const words = (page: Page) => page.locator(".fleet-line .fleet-name:last-of-type").allInnerTexts();

const ago = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString();
const backup = (hours: number) => ({ time: ago(hours), content: CONTENT, bytes: 12_000 });

/** Backups in memory; console 2 cannot make a backup. */
function fakeBackups(): Backups {
  const lists = new Map<string, ConsoleBackups>([
    [idOf(1), { console: idOf(1), name: "Studio 1", site: "Berlin", backups: [backup(5)] }],
    [idOf(2), {
      ...{ console: idOf(2), name: "Studio 2", site: "Berlin", backups: [backup(50)] },
      alarm: "The newest backup is old",
    }],
    [idOf(3), { console: idOf(3), name: "Spare", site: "Köln", backups: [] }],
    [idOf(9), { console: idOf(9), name: "Dead one", site: "Köln", backups: [backup(99)] }],
  ]);
  return {
    list: (_by, { console } = {}) =>
      [...lists.values()].filter((one) => console === undefined || one.console === console),
    now(id) {
      if (id === idOf(2)) return Promise.resolve(refuse("noRight", "the fleet may only operate"));
      const made = backup(0);
      const before = lists.get(id)!;
      lists.set(id, { ...before, backups: [...before.backups, made] });
      return Promise.resolve(made);
    },
    open: () =>
      Promise.resolve({ ...backup(99), name: "Dead one", body: new Response("archive").body! }),
    close: () => Promise.resolve(),
  };
}

function furnish(core: FakeCore): void {
  core.put(idOf(1), entry("Studio 1", { site: "Berlin" }));
  core.put(idOf(2), entry("Studio 2", { site: "Berlin" }));
  core.put(idOf(3), entry("Spare", { site: "Köln" }));
}

hubTest(
  "each console shows its newest backup and its alarm, and a key makes a backup",
  async (desk, core) => {
    furnish(core);
    const page = await desk.open();
    await page.getByRole("link", { name: "Backups" }).click();
    await becomes(
      async () => (await words(page)).map((text) => text.replace(/\n[A-Z0-9].*/s, "")),
      [
        "5 hours ago",
        "2 days ago",
        "4 days ago",
        "no backup",
      ],
    );
    await page.getByText("The newest backup is old").waitFor();
    await page.getByText("12.0 kB · ").first().waitFor();
    await page.getByText("has left the fleet").waitFor();
    assertEquals(await accessibilityFaults(page), []);
    await press(page, "Back up now: Spare");
    await page.getByText("Spare is backed up: 12.0 kB.").waitFor();
    await page.getByText("0 minutes ago").waitFor();
    await press(page, "Back up now: Studio 2");
    await page.getByText("the fleet may only operate").waitFor();
    await press(page, "Old or none 1");
    await becomes(async () => (await words(page)).length, 1);
  },
  { backups: fakeBackups() },
);

const slow = Promise.withResolvers<void>();

hubTest(
  "while a backup is being made, the page goes on, and then says that it is made",
  async (desk, core) => {
    furnish(core);
    const page = await desk.open("#/backups");
    await press(page, "Back up now: Spare");
    const key = page.getByRole("button", { name: "Back up now: Spare" });
    await becomes(() => key.getAttribute("aria-disabled"), "true");
    await page.getByRole("link", { name: "Users" }).click();
    await page.getByText("ben").waitFor();
    assertEquals(await page.getByText("Nothing comes from the hub").count(), 0);
    slow.resolve();
    await page.getByText("Spare is backed up: 12.0 kB.").waitFor();
  },
  {
    backups: {
      ...fakeBackups(),
      now: () => slow.promise.then(() => backup(0)),
    },
  },
);

hubTest(
  "the backup of a console that left the fleet is restored to another one, named in the question",
  async (desk, core) => {
    furnish(core);
    const restored: string[] = [];
    const page = await desk.open(`#/backups/${idOf(9)}`, {
      before: (page) =>
        page.route("**/action/restore?Tags=ALL", (route) => {
          restored.push(
            `${route.request().url()} ${route.request().postData()!.includes("archive")}`,
          );
          return route.fulfill({ json: { Restored: ["USERS", "VIEW"] } });
        }),
    });
    const restore = page.getByRole("button", { name: "Restore", exact: true });
    await becomes(() => restore.getAttribute("title"), "Choose the replacement.");
    await page.getByLabel("Replacement").selectOption("Köln: Spare");
    assertEquals(await accessibilityFaults(page), []);
    await restore.click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("Overwrite Spare?").waitFor();
    const sentence = "All that Spare holds is replaced by the backup of Dead one";
    await dialog.getByText(sentence).waitFor();
    assertEquals(await dialog.getByText("on air").count(), 0);
    const tree = { audio: { mixers: { 0: { faders: { 3: { on: true } } } } } };
    core.put(idOf(3), entry("Spare", { site: "Köln", tree }));
    await dialog.getByText(`Spare is on air: one of its faders is ON. ${sentence}`).waitFor();
    assertEquals(restored, []);
    await dialog.getByRole("button", { name: "Restore" }).click();
    await page.getByText("Spare is restored: USERS, VIEW.").waitFor();
    assertEquals(restored, [`${desk.url}/consoles/${idOf(3)}/action/restore?Tags=ALL true`]);
  },
  { backups: fakeBackups() },
);

hubTest(
  "a hub without backups says how to configure them, and users other than admins see the reason",
  async (desk, core) => {
    furnish(core);
    const preferences = { language: "de", theme: "light" };
    const page = await desk.open("#/backups", { preferences });
    await page.getByText('its configuration has no member "backup"').waitFor();
    await page.getByText('"folder": "/var/lib/faderd-backups"').waitFor();
    assertEquals(await accessibilityFaults(page), []);
    const other = await desk.open("#/backups", { token: USER_TOKEN });
    await other.getByText("so they are for admins of the whole fleet").waitFor();
  },
);
