/** A choice that the browser shows at once is put back if the console refuses it. */
import { assertEquals } from "@std/assert";
import type { Json } from "../service.ts";
import { type Between, between } from "./between.ts";
import { becomes, browserTest, type Page, until } from "./browser.ts";

const wide = (page: Page) => page.getByRole("complementary", { name: "Everything of Host" });

const ofSet = (become: (message: Json) => Json) => (message: Json) =>
  message.method === "set" ? become(message) : message;

/** The choices, each with its page, its element, and a value that no console has. */
const choices = [
  ["a route", "#/console", (page: Page) => page.getByLabel("Transmitter"), "gone"],
  ["a source", "#/mixer/0/0", (page: Page) => wide(page).getByRole("combobox").first(), 4711],
] as const;

for (const [what, address, find, absent] of choices) {
  /** The causes of a refusal, each with a part of the console's sentence. */
  const causes: readonly (readonly [Between, RegExp])[] = [
    // The value is missing, as after a change of the configuration.
    [{ asked: ofSet((message) => ({ ...message, payload: absent })) }, /expected/],
    [{
      // The value is not stored, and the answer is that of `storage.onFault` "refuse".
      asked: ofSet((message) => ({ ...message, payload: {} })),
      answered: ofSet(({ payload: _, ...answer }) => {
        const error = {
          code: 12,
          message: "the change could not be stored: no space left on the medium",
        };
        return { ...answer, success: false, error };
      }),
    }, /no space left/],
  ];
  browserTest(`${what} that the console refuses is not shown as if in force`, async (desk) => {
    for (const [how, sentence] of causes) {
      const page = await desk.open(address, { before: between(how) });
      const choice = find(page);
      await becomes(() => choice.isDisabled(), false);
      // The options may come before the value; the select is empty then.
      await until(async () => await choice.inputValue() !== "");
      const before = await choice.inputValue();
      await choice.selectOption({ index: 0 });
      await page.locator(".notice").getByText(sentence).waitFor();
      await becomes(() => choice.inputValue(), before);
    }
  });
}

browserTest("a choice made while the console answers stays chosen", async (desk) => {
  let sets = 0;
  const page = await desk.open("#/console", {
    // The second choice is never answered.
    before: between({ asked: ofSet((message) => ++sets === 2 ? undefined : message) }),
  });
  const client = await desk.client();
  const transmitter = page.getByLabel("Transmitter");
  await becomes(() => transmitter.isDisabled(), false);
  await transmitter.selectOption("2");
  await transmitter.selectOption("1");
  await becomes(async () => String(await client.get("/audio/routing/routes/1")), "2");
  // The page receives this update after the answer to the first choice.
  await client.set("/control/labels/2/label", "After");
  await becomes(() => page.getByLabel("Label 2").inputValue(), "After");
  assertEquals(await transmitter.inputValue(), "1");
});

browserTest("a number that the console limits is shown as the bound", async (desk) => {
  const BOUND = "7";
  const page = await desk.open("#/mixer/0/0/equalizer", {
    before: between({ asked: ofSet((message) => ({ ...message, payload: 1000 })) }),
  });
  await page.getByRole("button", { name: "EQ 2", exact: true }).click();
  const type = page.getByLabel("EQ 2: Type");
  // The second time the value is at the bound already, so that nothing changes.
  for (const index of [1, 2]) {
    await type.selectOption({ index });
    await becomes(() => type.inputValue(), BOUND);
  }
});
