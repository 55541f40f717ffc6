import { assertEquals } from "@std/assert";
import { entry, idOf, USER_TOKEN } from "../fleet/fake-core.ts";
import { accessibilityFaults, becomes, hubTest, type Page } from "./browser.ts";

const hubs = (page: Page) => page.locator(".fleet-user p:nth-child(-n + 2)").allInnerTexts();

hubTest("an admin sees each hub with its consoles and its ledger", async (desk, core) => {
  core.put(idOf(1), entry("Studio 1"));
  const page = await desk.open("#/hubs");
  await becomes(() => hubs(page), [
    ...["hub-a\nthis hub", "1 console connected, its ledger stores changes"],
    ...["hub-b", "0 consoles connected, its ledger stores no changes now"],
    ...["01234567", "1 console connected, it has an earlier version, which reports nothing more"],
  ]);
  await page.getByText("faderd 1.2.3 · runs since").waitFor();
  assertEquals(await page.title(), "Hubs – Radio");
  assertEquals(await accessibilityFaults(page), []);
});

hubTest("the page of the hubs is for admins", async (desk) => {
  const page = await desk.open("#/hubs", { token: USER_TOKEN });
  await page.getByText("This page is for admins of the whole fleet.").waitFor();
});
