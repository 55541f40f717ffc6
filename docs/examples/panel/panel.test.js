/** The panel against a console in this process: `node --test`, also where CI runs it. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { startConsole } from "faderd/node";
import { createPanel } from "./panel.js";

/** Collects what a lamp shows; `shows` resolves when it is that. */
function createLamp() {
  let now = "";
  let wake = () => {};
  return {
    show: (state) => {
      now = state;
      wake();
    },
    async shows(state) {
      while (now !== state) await new Promise((resolve) => wake = resolve);
    },
  };
}

/** Runs a test with a console that knows nothing of the one before, and a panel. */
async function withPanel(action) {
  const desk = await startConsole();
  try {
    const client = desk.connect();
    await client.ready();
    const lamp = createLamp();
    await action({ desk, lamp, panel: await createPanel(client, lamp.show) });
  } finally {
    await desk.stop();
  }
}

test("the button opens the microphone, and the lamp is lit", () =>
  withPanel(async ({ desk, lamp, panel }) => {
    await lamp.shows("dark");
    await panel.press();
    await lamp.shows("red");
    const answer = await fetch(`${desk.url}/api/rest/audio/mixers/0/faders/0/on`);
    assert.equal(await answer.json(), true);
    await panel.press();
    await lamp.shows("dark");
  }));

test("the lamp shows what somebody else does", () =>
  withPanel(async ({ desk, lamp }) => {
    const other = desk.connect();
    await other.ready();
    await other.mixer(0).fader(0).on(true);
    await lamp.shows("red");
  }));

test("the lamp does not pretend while the console is gone, and is right when it is back", async () => {
  let desk = await startConsole();
  const { port } = new URL(desk.url);
  const { connect } = await import("faderd/node");
  const client = connect(desk.webSocketUrl);
  await client.ready();
  const lamp = createLamp();
  const panel = await createPanel(client, lamp.show);
  await panel.press();
  await lamp.shows("red");
  await desk.stop();
  await lamp.shows("unknown");
  desk = await startConsole({ port: Number(port) });
  await lamp.shows("dark");
  await client.close();
  await desk.stop();
});
