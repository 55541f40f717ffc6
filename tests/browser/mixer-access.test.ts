/** The mixer page for whoever cannot see it, or wants no motion. */
import { assertEquals } from "@std/assert";
import { accessibilityFaults, browserTest } from "./browser.ts";
import { until } from "./until.ts";

const looks = ["dark", "light"].flatMap((theme) =>
  ["normal", "high"].map((contrast) => ({ theme, contrast }))
);

for (const preferences of looks) {
  const { theme, contrast } = preferences;
  browserTest(
    `axe-core finds nothing on the mixer, ${theme} with ${contrast} contrast`,
    async (desk) => {
      const page = await desk.open("#/mixer/0", { token: desk.token, preferences });
      await page.getByRole("slider", { name: "Host" }).waitFor();
      for (const key of ["ON Host", "PFL 1 Host", "Mute 1"]) {
        await page.getByRole("button", { name: key, exact: true }).click();
      }
      assertEquals(await accessibilityFaults(page), [], "the strips");
      await page.getByRole("button", { name: "Fade Host" }).click();
      assertEquals(await accessibilityFaults(page), [], "a fade");
      await page.getByRole("button", { name: "Start" }).click();
      await page.getByRole("button", { name: "Everything of Host" }).click();
      await page.getByRole("button", { name: "ON Compressor" }).click();
      assertEquals(await accessibilityFaults(page), [], "the wide strip, a fade that runs");
      await page.getByRole("button", { name: "Host: rename" }).first().click();
      assertEquals(await accessibilityFaults(page), [], "a label that is edited");
    },
  );
}

browserTest("who only looks on finds nothing that axe-core faults, either", async (desk) => {
  const page = await desk.open("#/mixer/0", { viewport: { width: 390, height: 844 } });
  await page.getByRole("slider", { name: "Host" }).waitFor();
  assertEquals(await accessibilityFaults(page), []);
});

browserTest(
  "who wants no motion is told of meters four times a second, and works as others do",
  async (desk) => {
    let asked: unknown;
    const page = await desk.open("#/mixer/0", {
      token: desk.token,
      reducedMotion: "reduce",
      before: (page) => {
        page.on("websocket", (socket) => {
          socket.on("framesent", ({ payload }) => {
            const message = JSON.parse(String(payload));
            if (message.meters === true && message.path === "/audio/mixers/0") {
              asked = message.interval;
            }
          });
        });
        return Promise.resolve();
      },
    });
    const fader = page.getByRole("slider", { name: "Host" });
    await until(() => asked !== undefined);
    assertEquals(asked, 250);
    await fader.press("End");
    await fader.and(page.locator('[aria-valuetext="+10.0 dB"]')).waitFor();
  },
);
