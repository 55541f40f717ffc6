/** The bundle, run in a folder that has nothing of the sources. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import { bundle, FLAGS } from "../../tools/bundle.ts";
import { session } from "../arm/session.ts";
import { startFaderdIn, temporaryFolder } from "../program/faderd.ts";
import { until } from "../service.ts";

/** Has the service fail where nobody expects it to, as a fault of ours would. */
const FAILING = `
  Deno.addSignalListener = () => { throw new Error("a fault"); };
  await import("./faderd.js");`;

/** Has nothing of Node's, which what advertises it asks for. */
const LACKING = `
  process.getBuiltinModule = () => { throw new Error("not there"); };
  await import("./faderd.js");`;

Deno.test("the bundle, in a folder of its own", async (test) => {
  await using folder = await temporaryFolder();
  const file = `${folder.path}/faderd.js`;
  await bundle(new URL(`file://${file}`));

  await test.step("serves, fades, saves, backs up and restores, and outlives a kill", () =>
    session([Deno.execPath(), ...FLAGS, file]));

  await test.step("advertises itself, and serves also where what does that cannot be loaded", async () => {
    await Deno.writeTextFile(`${folder.path}/lacking.js`, LACKING);
    const config = `${folder.path}/console.json`;
    await Deno.writeTextFile(config, JSON.stringify({ mixers: [{ faders: 1 }], advertise: true }));
    const rows = [
      ["faderd.js", "the service listens to this machine alone"],
      ["lacking.js", "not there"],
    ];
    await Promise.all(rows.map(async ([program, said]) => {
      const command = [Deno.execPath(), ...FLAGS, `${folder.path}/${program}`];
      const options = ["--config", config, "--data", `${folder.path}/data-of-${program}`];
      await using running = await startFaderdIn({ command }, ...options);
      await until(() => running.stderr.includes("advertise: "));
      assertStringIncludes(running.stderr, `faderd: advertise: ${said}`);
      assertEquals((await (await fetch(`${running.url}/health`)).json()).ready, true);
    }));
  });

  const fault = async () => {
    await Deno.writeTextFile(`${folder.path}/failing.js`, FAILING);
    const { stderr } = await new Deno.Command(Deno.execPath(), {
      args: [...FLAGS, `${folder.path}/failing.js`, "serve"],
      cwd: folder.path,
    }).output();
    return new TextDecoder().decode(stderr);
  };

  await test.step("names the sources in a stack trace, by the map beside it", async () => {
    const said = await fault();
    assertStringIncludes(said, "a fault");
    assertStringIncludes(said, "program/signals.ts");
  });

  await test.step("runs without the map, and says nothing of it", async () => {
    await Deno.remove(`${file}.map`);
    const said = await fault();
    assertStringIncludes(said, "a fault");
    assertEquals(said.includes(".map"), false);
  });
});

Deno.test("docs/firmware.md runs it with the flags of the tasks", async () => {
  const page = await Deno.readTextFile(new URL("../../docs/firmware.md", import.meta.url));
  assertStringIncludes(page.replaceAll(/ \\\n +/g, " "), `deno ${FLAGS.join(" ")} faderd.js serve`);
});
