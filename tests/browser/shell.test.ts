/** What stands around every page: logging in, the connection and its loss, the lock. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import { browserTest } from "./browser.ts";

const demo = "demo";

browserTest("the page opens without a token, and says which console it is", async ({ open }) => {
  const page = await open();
  assertEquals(await page.locator(".console-name").textContent(), demo);
  assertEquals(await page.title(), "Mixer – demo");
  assertEquals(await page.getByText("Looking on").count(), 1);
});

browserTest("who logs in is named, and an admin sees the administration", async (desk) => {
  const page = await desk.open();
  assertEquals(await page.getByRole("link", { name: "Administration" }).count(), 0);
  await page.getByRole("button", { name: "Log in" }).click();
  await page.getByLabel("Token").fill(desk.token);
  await page.getByLabel("Token").press("Enter");
  await page.getByText("admin", { exact: true }).waitFor();
  await page.getByRole("link", { name: "Administration" }).waitFor();
  await page.reload();
  await page.getByText("admin", { exact: true }).waitFor();
  await page.getByRole("button", { name: "Log out" }).click();
  await page.getByText("Looking on").waitFor();
  assertEquals(await page.evaluate(() => sessionStorage.length), 0);
});

browserTest(
  "a wrong token is refused in the form, with the console's own sentence",
  async (desk) => {
    const page = await desk.open();
    await page.getByRole("button", { name: "Log in" }).click();
    await page.getByLabel("Token").fill("00000000-00000000-00000000-00000000");
    await page.getByLabel("Token").press("Enter");
    const alert = page.getByRole("alert").filter({ hasText: "does not take this token" });
    await alert.waitFor();
    assertStringIncludes((await alert.textContent())!, "token");
    await page.keyboard.press("Escape");
    await page.getByText("Looking on").waitFor();
  },
);
