/** The console and a foreign client of the control API: that of the package dhd-control-api. */
import { assertEquals } from "@std/assert";
import { get } from "../../core/tree/get.ts";
import { granted } from "../core/actors.ts";
import { startService, tokens } from "../service.ts";
import { folder, install, installed } from "./install.ts";

Deno.test("the answers of the demo console are valid by the schemas of dhd-control-api, and its sets arrive", async () => {
  await install();
  await using service = await startService();
  const { success, stdout } = await new Deno.Command("node", {
    args: [`${folder}dhd-control-api.mjs`, new URL(service.url).host, tokens.admin],
    cwd: installed,
    // The errors of the package hold the failures, too.
    stderr: "null",
  }).output();
  assertEquals(success, true);
  assertEquals(JSON.parse(new TextDecoder().decode(stdout)), {
    paths: 52,
    refused: {
      // The path has no such parameter.
      "/audio/mixers/{mixerID}/automix": ["automixID: Required"],
      // A gate has no frequency in the vendor's documentation.
      "/audio/mixers/{mixerID}/faders/{faderID}/params/gate": ["frequency: Required"],
    },
    set: [{ on: true, fader: -12.5 }, "2"],
  });
  const value = (path: string) => granted(get(service.console, path)).value;
  assertEquals(value("/audio/mixers/0/faders/1/fader"), -12.5);
  assertEquals(value("/audio/routing/routes/1"), "2");
});
