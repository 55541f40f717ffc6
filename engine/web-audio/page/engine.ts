/// <reference lib="dom" />
/**
 * The audio engine in a browser tab. A browser lets a page sound only once somebody has clicked.
 *
 * @module
 */
import { connect } from "../../../client/client.ts";
import { createEngine } from "../engine.ts";
import { joinConsole } from "../join.ts";
import { openOutput } from "../output.ts";
import { openWiring, tones } from "../wiring-file.ts";

/**
 * The bundle of `worklet.ts`, which `tools/engine-page.ts` inserts, because the page is delivered
 * without further files.
 */
declare const WORKLET: string;

const form = document.querySelector("form")!;
const said = document.querySelector("#said")!;
const say = (sentence: string) => said.append(`${sentence}\n`);

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  if (!isSecureContext) {
    return say("a browser renders sound only for a page from the disk, from localhost or by https");
  }
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
    // A page from the disk may not load a blob as the module of a worklet.
    const module = `data:text/javascript,${encodeURIComponent(WORKLET)}`;
    const output = await openOutput(context, wiring, { module, AudioWorkletNode });
    await joinConsole(desk, createEngine(output, wiring), { warn: say });
    say("playing");
  } catch (fault) {
    say((fault as Error).message);
  }
});
