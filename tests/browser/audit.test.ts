/** The audit trail in the page: carried out and refused commands, each with its user. */
import { assertEquals } from "@std/assert";
import { demoConfiguration } from "../../core/configuration/demo.ts";
import { accessibilityFaults, becomes, browserTest, type Page, processTest } from "./browser.ts";

const ASKED = "#/admin/audit";

/** The number of displayed lines. */
const rows = (page: Page) => page.locator(".audit tbody tr").count();

processTest(
  "an admin filters the audit trail by outcome, user, fader and time",
  async (desk) => {
    const added = await desk.rpc("adduser", { name: "carl", groups: 1, may: "operate" });
    const carl = added.payload.result.token;
    await desk.rpc("fadetovalue", { fader: 1, value: -20, time: 0 }, carl);
    await desk.rpc("setchannellabel", { sourceid: 1, label: "Anna" });
    await desk.rpc("fadetovalue", { fader: 2, value: 90, time: 0 }, carl);
    await desk.rpc("removeuser", { name: "admin" }, carl);

    const page = await desk.open(ASKED);
    const row = (text: string) => page.locator(".audit tbody tr").filter({ hasText: text });
    await row("Fade").filter({ hasText: "carl" }).filter({ hasText: "-20" }).waitFor();
    await row("Label a channel").filter({ hasText: '"Anna"' }).waitFor();
    await row("Add a user").filter({ hasText: "users/carl" }).waitFor();
    await row("Remove a user").getByText("only an admin may do this").waitFor();
    assertEquals(await accessibilityFaults(page), []);
    const all = await rows(page);

    const choose = (name: string) => page.getByRole("button", { name, exact: true }).click();
    await choose("Refused");
    await becomes(() => rows(page), 2);
    await choose("Done");
    await becomes(() => rows(page), all - 2);
    await page.getByRole("textbox", { name: "User" }).fill("carl");
    await page.getByRole("textbox", { name: "User" }).press("Enter");
    await becomes(() => rows(page), 1);
    await page.getByLabel("Before").fill("2020-01-31T10:00");
    await page.getByText("The audit trail has no such line.").waitFor();
    await page.getByLabel("Before").fill("12026-01-31T10:00");
    await page.locator(".audit .refusal").getByText('got "12026-01-31T10:00"').waitFor();
    await page.getByLabel("Before").fill("");
    await page.getByLabel("From", { exact: true }).fill("2020-01-31T10:00");
    await becomes(() => rows(page), 1);

    await choose("Everything");
    await page.getByLabel("Fader").selectOption({ index: 3 });
    await row("Fade").getByText("90").first().waitFor();
    await becomes(() => rows(page), 1);
    assertEquals(new URL(page.url()).hash, "#/admin/audit/0/2");

    await desk.rpc("setchannellabel", { sourceid: 1, label: "Paul" });
    const others = await desk.open(ASKED);
    await others.getByText('"Paul"').first().waitFor();
  },
);

processTest("the audit trail uses the words of the page", async (desk) => {
  const fader = "/audio/mixers/0/faders/0";
  const client = await desk.client();
  await client.set(`${fader}/params/eq1/gain`, -6);
  await client.set(`${fader}/mutegroups/1`, true);
  await client.rpc("loadsnapshot", { id: "0f0c0002-0000-4000-8000-000000000001" });
  const page = await desk.open(ASKED);
  const row = (text: string) => page.locator(".audit tbody tr").filter({ hasText: text });
  await row("1 Host, EQ 1, Gain: 0 to -6").filter({ hasText: "Change" }).waitFor();
  await row("1 Host, Member of Mute group 2: no to yes").waitFor();
  await row("Load a snapshot").waitFor();
  assertEquals(
    await page.locator(".audit").getByText(/loadsnapshot|_lastloaded|params/).count(),
    0,
  );
});

processTest(
  "the wide strip shows admins the last user of its fader, with a link to the fader's audit trail",
  async (desk) => {
    const { payload } = await desk.rpc("adduser", { name: "carl", groups: 1, may: "operate" });
    await desk.rpc("fadetovalue", { fader: 0, value: -20, time: 0 }, payload.result.token);
    const open = async (token: string) => {
      const page = await desk.open("", { token });
      await page.getByRole("button", { name: /^Everything of/ }).first().click();
      await page.locator(".wide").waitFor();
      return page;
    };
    const page = await open(desk.token);
    await page.getByRole("link", { name: /^Last changed by carl, / }).click();
    await page.locator(".audit tbody tr").getByText("-20").waitFor();
    assertEquals(new URL(page.url()).hash, "#/admin/audit/0/0");

    const other = await open(payload.result.token);
    await other.getByText("carl", { exact: true }).first().waitFor();
    assertEquals(await other.getByText("Last changed").count(), 0);
  },
);

processTest("without an audit trail the page says so", async (desk) => {
  const page = await desk.open(ASKED);
  await page.getByText("there is no audit trail").waitFor();
}, { configuration: { ...demoConfiguration, audit: false } });

browserTest("the audit trail is for admins", async (desk) => {
  const { payload } = await desk.rpc("adduser", { name: "carl", groups: 1 });
  const page = await desk.open(ASKED, { token: payload.result.token });
  await page.getByText("This is for admins").first().waitFor();
  assertEquals(await page.locator(".audit").count(), 0);
});
