/** The button by which a file is chosen, on each page that has one. */
import { assert } from "@std/assert";
import { browserTest, until } from "./browser.ts";
import { steadyPlace } from "./fingers.ts";

/** The pages on which a file is chosen, the button by which, and what comes later than it. */
const choosers = [
  ["#/pictures", "Upload", ".pictures"],
  ["#/snapshots", "Upload", ".snapshots li"],
  ["#/admin", "Choose a file", "button[aria-label='Remove admin']"],
] as const;

browserTest("touch and keys open the choice of a file, on each page that has one", async (desk) => {
  for (const [address, name, last] of choosers) {
    let opened = 0;
    const page = await desk.open(address, {
      hasTouch: true,
      // From before the page loads to its end, so that no press comes before the browser knows of it.
      before: (page) => page.on("filechooser", () => opened++),
    });
    const button = page.getByRole("button", { name });
    await page.locator(last).first().waitFor();
    // The lists above it come later: one between a touch and its click moves the button away.
    await steadyPlace(button);
    let presses = 0;
    // The browser ends the active state of what was tapped a moment later, and with it a press of
    // the space bar: keys come first.
    for (const act of [() => button.press(" "), () => button.press("Enter"), () => button.tap()]) {
      await act();
      presses++;
      await until(() => opened === presses)
        .catch(() => assert(false, `${address}: ${opened} opened by ${presses} presses`));
    }
  }
});
