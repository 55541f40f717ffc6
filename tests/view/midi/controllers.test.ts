/** The controllers of the page on a real service, without a browser. */
import { assertEquals } from "@std/assert";
import { bundled } from "../../../tools/esbuild.ts";
import { display, type MidiBytes, motor } from "../../../view/midi/mackie.ts";
import { travelAt } from "../../../view/parts/fader/scale.ts";
import { temporaryFolder } from "../../program/faderd.ts";
import { startService, tokens, until } from "../../service.ts";
import { reconfigure } from "../../transport/byte-service.ts";

const root = new URL("../../../", import.meta.url);
const FADERS = "/audio/mixers/1/faders";

/**
 * Starts the page of mixer 1 with a controller, in a worker: that has its own globals, and ends all
 * its timers and its connection. The worker posts each message to the controller, as text.
 */
async function startPage(folder: string, url: string): Promise<Worker> {
  const from = (path: string) => JSON.stringify(new URL(path, root).pathname);
  Deno.writeTextFileSync(
    `${folder}/entry.ts`,
    `export { connectControllers } from ${from("view/midi/controllers.ts")};
    export { follow, open } from ${from("view/state/live.ts")};
    export { signal } from "@preact/signals";`,
  );
  const { code } = await bundled(`${folder}/entry.ts`, {
    config: "deno.web.json",
    lock: "view/deno.lock",
  });
  Deno.writeTextFileSync(`${folder}/page.js`, code);
  Deno.writeTextFileSync(
    `${folder}/worker.js`,
    `const globals = {
      document: {
        baseURI: "${url}/",
        documentElement: { dataset: {} },
        visibilityState: "visible",
        addEventListener() {},
      },
      location: { hash: "#/mixer/1", search: "" },
      matchMedia: () => ({ matches: false, addEventListener() {} }),
      requestAnimationFrame: setTimeout,
    };
    for (const [name, value] of Object.entries(globals)) {
      Object.defineProperty(globalThis, name, { value });
    }
    const { connectControllers, follow, open, signal } = await import("./page.js");
    open("${tokens.admin}");
    // As a page that stays while its mixer is away.
    follow("${FADERS}", { depth: 2, only: ["label"] });
    const send = (bytes) => postMessage(bytes.join());
    connectControllers(signal([{ isExtender: false, send, listen() {} }]));`,
  );
  return new Worker(`file://${folder}/worker.js`, { type: "module" });
}

const mixer = (label: string) => ({ faders: [{ label }] });

Deno.test("a strip is dark while the configuration lacks its mixer, and follows it again afterwards", async () => {
  const mixers = [mixer("Host"), mixer("Guest")];
  await using folder = await temporaryFolder();
  await using service = await startService({ configuration: { mixers } });
  const worker = await startPage(folder.path, service.url);
  try {
    let sent: string[] = [];
    worker.onmessage = ({ data }) => void sent.push(data);
    const comes = (bytes: MidiBytes) => until(() => sent.includes(bytes.join()));
    const shows = (label: string) => comes(display(0x14, 0, 0, label));
    await shows("Guest");
    sent = [];
    await reconfigure(service, { mixers: [mixer("Host")] });
    await shows("");
    sent = [];
    await reconfigure(service, { mixers });
    await shows("Guest");
    const message = { method: "set", path: `${FADERS}/0/fader`, payload: -30, token: tokens.admin };
    const body = JSON.stringify(message);
    const answer = await fetch(`${service.url}/api/rest`, { method: "POST", body });
    assertEquals((await answer.json()).success, true);
    await comes(motor(0, travelAt(-30)));
  } finally {
    worker.terminate();
  }
});
