/** The button by which a file is chosen, on each page that has one. */
import { assert } from "@std/assert";
import { browserTest } from "./browser.ts";

/** The pages on which a file is chosen, and the button by which. */
const choosers = [
  ["#/pictures", "Upload"],
  ["#/snapshots", "Upload"],
  ["#/admin", "Choose a file"],
] as const;

browserTest("touch and keys open the choice of a file, on each page that has one", async (desk) => {
  for (const [address, name] of choosers) {
    const page = await desk.open(address, { hasTouch: true });
    const button = page.getByRole("button", { name });
    for (const act of [() => button.tap(), () => button.press("Enter"), () => button.press(" ")]) {
      const choosing = page.waitForEvent("filechooser");
      await act();
      assert((await choosing).element() !== undefined);
    }
  }
});
