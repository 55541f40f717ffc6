/** The button that opens the file dialog, on each page with such a button. */
import { assert } from "@std/assert";
import { browserTest, until } from "./browser.ts";
import { steadyPlace } from "./fingers.ts";

/** The pages with a file button, the button, and the content that loads after it. */
const choosers = [
  ["#/pictures", "Upload", ".pictures"],
  ["#/snapshots", "Upload", ".snapshots li"],
  ["#/admin", "Choose a file", "button[aria-label='Remove admin']"],
] as const;

browserTest("touch and keys open the file dialog on each page with a file button", async (desk) => {
  for (const [address, name, last] of choosers) {
    let opened = 0;
    const page = await desk.open(address, {
      hasTouch: true,
      // The listener is there before the page loads, so that it sees every press.
      before: (page) => page.on("filechooser", () => opened++),
    });
    const button = page.getByRole("button", { name });
    await page.locator(last).first().waitFor();
    // A list that loads between a touch and its click would move the button away.
    await steadyPlace(button);
    let presses = 0;
    // Keys come first: a moment after a tap the browser ends the button's active state, and with it
    // a press of the space bar.
    for (const act of [() => button.press(" "), () => button.press("Enter"), () => button.tap()]) {
      await act();
      presses++;
      await until(() => opened === presses)
        .catch(() => assert(false, `${address}: ${opened} opened by ${presses} presses`));
    }
  }
});
