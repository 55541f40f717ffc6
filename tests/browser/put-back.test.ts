/** What a browser shows by itself as chosen, and the console has not taken, is not left there. */
import { assertEquals } from "@std/assert";
import { connect } from "../../client/client.ts";
import { demoConfiguration } from "../../core/configuration/demo.ts";
import { browserTest, type Page } from "./browser.ts";
import { until } from "./until.ts";

/** Nothing moves by itself. */
const configuration = { ...demoConfiguration, engine: "none" };

type Message = ReturnType<typeof JSON.parse>;

/** What reaches the page or the console in the place of a `set`, and of the answer to one. */
interface Between {
  readonly asked?: (message: Message) => Message;
  readonly answered?: (message: Message) => Message;
}

const same = (message: Message) => message;

function between({ asked = same, answered = same }: Between) {
  return (page: Page) =>
    page.routeWebSocket(/api\/ws$/, (socket) => {
      const server = socket.connectToServer();
      const become = (text: string | Uint8Array, how: (message: Message) => Message) => {
        const message = JSON.parse(String(text));
        return JSON.stringify(message.method === "set" ? how(message) : message);
      };
      socket.onMessage((text) => server.send(become(text, asked)));
      server.onMessage((text) => socket.send(become(text, answered)));
    });
}

const wide = (page: Page) => page.getByRole("complementary", { name: "Everything of Host" });

/** What is chosen on which page, how it is found there, and what no console has to choose. */
const choices = [
  ["a route", "#/console", (page: Page) => page.getByLabel("Transmitter"), "gone"],
  ["a source", "#/mixer/0", (page: Page) => wide(page).getByRole("combobox").first(), 4711],
] as const;

const FULL = "could not be stored: no space left on the medium";

for (const [what, address, find, absent] of choices) {
  /** Why the console refuses, and a part of its sentence. */
  const causes: readonly (readonly [why: string, between: Between, sentence: RegExp])[] = [
    [
      "which another configuration has not any more",
      { asked: (message) => ({ ...message, payload: absent }) },
      /expected/,
    ],
    [
      "which a full medium did not take",
      {
        // It reaches no medium, and is answered as `storage.onFault` "refuse" does.
        asked: ({ msgID, path }) => ({ msgID, method: "set", path, payload: {} }),
        answered: ({ payload: _, ...answer }) => {
          const error = { code: 12, message: FULL };
          return { ...answer, success: false, error };
        },
      },
      /no space left/,
    ],
  ];
  for (const [why, how, sentence] of causes) {
    browserTest(`${what} ${why} is not shown as if in force`, async (desk) => {
      const page = await desk.open(address, { token: desk.token, before: between(how) });
      if (address === "#/mixer/0") {
        await page.getByRole("button", { name: "Everything of Host" }).click();
      }
      const choice = find(page);
      await until(async () => !await choice.isDisabled());
      const before = await choice.inputValue();
      await choice.selectOption({ index: 0 });
      await page.locator(".notice").getByText(sentence).waitFor();
      await until(async () => await choice.inputValue() === before);
    }, { configuration });
  }
}

browserTest("what is chosen while the console answers stays chosen", async (desk) => {
  let sets = 0;
  const page = await desk.open("#/console", {
    token: desk.token,
    before: (page) =>
      page.routeWebSocket(/api\/ws$/, (socket) => {
        const server = socket.connectToServer();
        // The second choice is never answered.
        socket.onMessage((text) => {
          if (JSON.parse(String(text)).method === "set" && ++sets === 2) return;
          server.send(text);
        });
      }),
  });
  await using client = connect(`${desk.service.url.replace("http", "ws")}/api/ws`, {
    token: desk.token,
  });
  await client.ready();
  const transmitter = page.getByLabel("Transmitter");
  await until(async () => !await transmitter.isDisabled());
  await transmitter.selectOption("2");
  await transmitter.selectOption("1");
  await until(async () => String(await client.get("/audio/routing/routes/1")) === "2");
  // The page hears of this after the answer to the first.
  await client.set("/control/labels/2/label", "After");
  await until(async () => await page.getByLabel("Label 2").inputValue() === "After");
  assertEquals(await transmitter.inputValue(), "1");
}, { configuration });

browserTest(
  "a number that the console takes as its nearest bound is shown as that",
  async (desk) => {
    const BOUND = 7;
    const page = await desk.open("#/mixer/0", {
      token: desk.token,
      before: between({ asked: (message) => ({ ...message, payload: 1000 }) }),
    });
    await page.getByRole("button", { name: "Everything of Host" }).click();
    const type = page.getByLabel("EQ 2: Type");
    // The second time it stands at the bound already, so that nothing changes.
    for (const index of [1, 2]) {
      await type.selectOption({ index });
      await until(async () => await type.inputValue() === String(BOUND));
    }
  },
  { configuration },
);
