/// <reference lib="dom" />
/**
 * The audio engine in a browser tab. A browser lets a page sound only once somebody has clicked.
 *
 * @module
 */
import { connect } from "../../../client/client.ts";
import { createEngine } from "../engine.ts";
import { joinConsole } from "../join.ts";
import { openWiring, tones } from "../wiring-file.ts";

const form = document.querySelector("form")!;
const said = document.querySelector("#said")!;
const say = (sentence: string) => said.append(`${sentence}\n`);

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const fields = new FormData(form);
  form.querySelector("button")!.disabled = true;
  const context = new AudioContext({ latencyHint: "interactive" });
  const wiring = await openWiring(context, tones(), {
    read: async (path) => (await fetch(path)).arrayBuffer(),
    input: () => navigator.mediaDevices.getUserMedia({ audio: true }),
  });
  const token = String(fields.get("token"));
  const desk = connect(String(fields.get("url")), token === "" ? {} : { token });
  desk.onState(({ state, reason }) => say(`${state}: ${reason}`));
  try {
    await joinConsole(desk, createEngine(context, wiring), { warn: say });
    say("playing");
  } catch (fault) {
    say((fault as Error).message);
  }
});
