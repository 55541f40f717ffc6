/** Undoing the last changes of the console by the page. */
import { assertEquals } from "@std/assert";
import { between, holdAnswers, type PageEnd } from "./between.ts";
import { accessibilityFaults, becomes, browserTest, clickDisabled, type Page } from "./browser.ts";

const FADER = "/audio/mixers/0/faders/3";
const CLOSED = "0f0c0002-0000-4000-8000-000000000001";

const dialog = (page: Page) => page.getByRole("dialog");
const key = (page: Page) => page.getByRole("banner").getByRole("button", { name: "Undo" });
const isClosed = (page: Page) => dialog(page).waitFor({ state: "detached" });
const undo = (page: Page) =>
  dialog(page).getByRole("button", { name: "Undo", exact: true }).click();

browserTest(
  "undo of a load: its changes are shown live, and are put back",
  async (desk) => {
    const { before, release } = holdAnswers(({ payload }) =>
      payload?.method === "getundolist" && payload.result[0]?.preview !== undefined
    );
    const page = await desk.open("", { before });
    const client = await desk.client();
    await client.set(FADER, { fader: -20, on: true });
    await client.rpc("loadsnapshot", { id: CLOSED });
    await key(page).click();
    await dialog(page).getByText("All closed loaded: On Air").waitFor();
    await dialog(page).getByText("Loading").waitFor();
    const early = dialog(page).getByRole("button", { name: "Undo", exact: true });
    assertEquals(await early.getAttribute("aria-disabled"), "true", "not before they are known");
    release();
    await dialog(page).getByText("Fader 4 (Phone): −∞ dB to -20.0 dB").waitFor();
    await dialog(page).getByText("2 values change").waitFor();
    assertEquals(await accessibilityFaults(page), []);
    // Another client sets one of the values meanwhile.
    await client.set(`${FADER}/fader`, -3);
    await dialog(page).getByText("1 value changes").waitFor();
    const force = dialog(page).getByLabel("1 value was changed since");
    await force.check();
    await dialog(page).getByText("Fader 4 (Phone): -3.0 dB to -20.0 dB").waitFor();
    await force.uncheck();
    await undo(page);
    await isClosed(page);
    await page.getByText("1 value is as it was before.").waitFor();
    assertEquals(await client.get(`${FADER}/on`), true);
    assertEquals(await client.get(`${FADER}/fader`), -3);
  },
);

browserTest(
  "by keyboard alone an older step is undone, and this undo is undone again",
  async (desk) => {
    const page = await desk.open();
    const client = await desk.client();
    await client.set(`${FADER}/label`, "Anna");
    await client.set(`${FADER}/fader`, -7);
    await key(page).waitFor();
    await page.keyboard.press("Control+z");
    await dialog(page).locator("input:checked:focus").waitFor();
    await page.keyboard.press("ArrowDown");
    await dialog(page).getByText('Fader 4 (Anna), Label: "Anna" to "Phone"').waitFor();
    await dialog(page).getByRole("button", { name: "Undo", exact: true }).press("Enter");
    await isClosed(page);
    assertEquals(await client.get(`${FADER}/label`), "Phone");
    assertEquals(await client.get(`${FADER}/fader`), -7);
    await page.keyboard.press("Control+z");
    await dialog(page).getByText("Undone: On Air · 4 Phone").waitFor();
    await dialog(page).getByText('Fader 4 (Phone), Label: "Phone" to "Anna"').waitFor();
    await undo(page);
    await isClosed(page);
    assertEquals(await client.get(`${FADER}/label`), "Anna");
  },
);

browserTest("a fade is undone while it runs, by touch on a phone", async (desk) => {
  const page = await desk.open("", { viewport: { width: 390, height: 844 }, hasTouch: true });
  const client = await desk.client();
  await client.set(`${FADER}/fader`, -40);
  await client.rpc("fadetovalue", { fader: 3, time: 30, value: 0 });
  await key(page).tap();
  await dialog(page).getByText("Fade: On Air · 4 Phone").waitFor();
  await dialog(page).getByText("1 value changes").waitFor();
  const box = await dialog(page).boundingBox();
  assertEquals(box!.x >= 0 && box!.x + box!.width <= 390, true);
  await dialog(page).getByRole("button", { name: "Undo", exact: true }).tap();
  await isClosed(page);
  assertEquals(await client.get(`${FADER}/fader`), -40);
});

browserTest("without anything to undo the dialog says so", async (desk) => {
  const page = await desk.open();
  await key(page).click();
  await dialog(page).getByText("There is nothing to undo.").waitFor();
  await page.keyboard.press("Escape");
  await isClosed(page);
});

browserTest("the page of a console without undo has no key for it", async (desk) => {
  const asked: string[] = [];
  const page = await desk.open("", {
    before: between({
      asked(message) {
        const { method } = message.payload ?? {};
        if (method !== "getundolist") return message;
        asked.push(method);
        return { ...message, payload: { method: "getnothing", params: {} } };
      },
    }),
  });
  await becomes(() => Promise.resolve(asked.length), 1);
  // An update after the refusal is shown, so a key would be shown by now.
  const client = await desk.client();
  await client.set(`${FADER}/label`, "Anna");
  await page.getByText("Anna", { exact: true }).first().waitFor();
  assertEquals(await key(page).count(), 0);
});

browserTest(
  "the list names what was changed; a change that left it is not undone",
  async (desk) => {
    let end: PageEnd | undefined;
    const page = await desk.open("", {
      before: between({
        asked(message, own) {
          end = own;
          return message;
        },
      }),
    });
    const client = await desk.client();
    const groups = { 0: { name: "Guests" } };
    await client.rpc("setviewdocument", {
      name: "groups",
      document: { mixers: { 0: { mutegroups: groups } } },
    });
    await client.set(`${FADER}/on`, true);
    await client.set(`${FADER}/fader`, -20);
    await client.set("/audio/mixers/0/mutegroups/0", true);
    await client.set(`${FADER}/mutegroups/0`, true);
    await key(page).click();
    const choices = dialog(page).getByRole("radio");
    await dialog(page).getByText("Change: On Air · 4 Phone, Member of Guests").waitFor();
    await dialog(page).getByText("Fader 4 (Phone), Member of Guests: yes to no").waitFor();
    await dialog(page).getByText("Change: On Air, Mute group 1").waitFor();
    await dialog(page).getByText("Change: On Air · 4 Phone, Level").waitFor();
    await dialog(page).getByText("Change: On Air · 4 Phone, ON").waitFor();
    assertEquals(await choices.count(), 4);
    await choices.last().check();
    await dialog(page).getByText("Fader 4 (Phone), ON: on to off").waitFor();
    for (const fader of [0, 1, 2, 4, 5, 6, 7]) {
      await client.set(`/audio/mixers/0/faders/${fader}/label`, "Other");
    }
    // The list is asked for again on the next connection, sooner than after 5 s.
    end!.close();
    await dialog(page).getByText("This change is no longer in the list.").waitFor();
    assertEquals(await choices.count(), 10);
    assertEquals(await dialog(page).locator("input:checked").count(), 0);
    assertEquals(await dialog(page).getByRole("button", { name: "Undo" }).count(), 0);
    await dialog(page).locator("fieldset:focus").waitFor();
  },
);

browserTest("undo without the right is disabled, and a press shows the reason", async (desk) => {
  const { payload } = await desk.rpc("adduser", { name: "op", groups: 1, may: "operate" });
  const client = await desk.client();
  await client.set(`${FADER}/mutegroups/1`, true);
  const page = await desk.open("", { token: payload.result.token });
  await key(page).click();
  await dialog(page).getByText("Member of Mute group 2: yes to no").waitFor();
  const pale = dialog(page).getByRole("button", { name: "Undo", exact: true, disabled: true });
  await clickDisabled(pale);
  await page.getByText("This needs the right to configure.").waitFor();
  assertEquals(await client.get(`${FADER}/mutegroups/1`), true);
});

browserTest("Ctrl+Z shows users without the right to undo the reason", async (desk) => {
  const { payload } = await desk.rpc("adduser", { name: "eyes", groups: 1, may: "press" });
  const page = await desk.open("", { token: payload.result.token });
  await key(page).waitFor();
  await page.keyboard.press("Control+z");
  await page.getByText("This needs the right to operate.").waitFor();
  assertEquals(await dialog(page).count(), 0);
});

browserTest("a refused list is reported in the dialog", async (desk) => {
  let asked = 0;
  const page = await desk.open("", {
    before: between({
      asked(message) {
        const { method } = message.payload ?? {};
        if (method !== "getundolist" || asked++ === 0) return message;
        return { ...message, payload: { method, params: { step: 999 } } };
      },
    }),
  });
  await key(page).click();
  await dialog(page).getByText("there is no step 999").waitFor();
});
