/** The bundle, run in a folder without the sources. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { bundle, FILES, FLAGS, removeMaps } from "../../tools/bundle.ts";
import { session } from "../arm/session.ts";
import { temporaryFolder } from "../program/faderd.ts";

/** Makes the service fail at an unexpected place, as a bug of faderd would. */
const FAILING = `
  Deno.addSignalListener = () => { throw new Error("a fault"); };
  await import("./faderd.js");`;

/** The path of an npm package's source in Deno's cache. */
const IN_CACHE = /\/registry\.npmjs\.org\/((?:@[^/]+\/)?[^/]+)\/([^/]+)\//;

Deno.test("the bundle, in a folder of its own", async (test) => {
  await using folder = await temporaryFolder();
  const file = `${folder.path}/faderd.js`;
  const into = new URL(`file://${folder.path}/`);
  await bundle(into);

  await test.step("lists every package in its source maps and the packages of its pages in its notices and SBOM", async () => {
    const listed = JSON.parse(await Deno.readTextFile(`${folder.path}/sbom.cdx.json`)).components
      .map(({ name, version }: Record<string, string>) => `${name} ${version}`).sort();
    const notices = await Deno.readTextFile(`${folder.path}/THIRD-PARTY-NOTICES`);
    assertEquals(
      [...notices.matchAll(/^(\S+ \S+) \(\S+\)$/gm)].map(([, one]) => one).sort(),
      listed,
    );
    const named = new Set<string>();
    for (const file of FILES) {
      const { sources } = JSON.parse(await Deno.readTextFile(`${folder.path}/${file}.map`));
      for (const source of sources) {
        const [, name, version] = IN_CACHE.exec(source) ?? [];
        if (name !== undefined) named.add(`${name} ${version}`);
      }
    }
    assert(named.size > 0);
    const pages = ["@preact/signals", "@preact/signals-core", "preact"];
    const others = listed.filter((one: string) => !pages.includes(one.split(" ")[0]!));
    assertEquals([others, listed.length], [[...named].sort(), others.length + pages.length]);
  });

  await test.step("serves, fades, saves, backs up and restores, and outlives a kill", () =>
    session([Deno.execPath(), ...FLAGS, file]));

  await test.step("runs a hub from the file beside it", async () => {
    const args = ["hub", "--listen", "127.0.0.1:0", "--data", `${folder.path}/hub`];
    const hub = new Deno.Command(Deno.execPath(), {
      args: [...FLAGS, file, ...args],
      stdout: "piped",
    }).spawn();
    let said = "";
    for await (const text of hub.stdout.pipeThrough(new TextDecoderStream())) {
      said += text;
      const url = /hub on (\S+)\n/.exec(said)?.[1];
      if (url === undefined) continue;
      assertStringIncludes(await (await fetch(url)).text(), "fleet.");
      break;
    }
    hub.kill();
    assertEquals((await hub.status).success, true);
  });

  await test.step("has the other commands in a file beside it, whose refusals are one line", async () => {
    const run = async (...args: string[]) => {
      const command = new Deno.Command(Deno.execPath(), { args: [...FLAGS, file, ...args] });
      const { code, stdout, stderr } = await command.output();
      return { code, said: new TextDecoder().decode(code === 0 ? stdout : stderr) };
    };
    const missing = `${folder.path}/missing`;
    assertStringIncludes((await run("completions", "bash")).said, "complete -o default");
    assertEquals(await run("tls", "show", "--data", missing), {
      code: 1,
      said: `faderd: there is no data folder ${missing}\n`,
    });
    assertEquals((await run("hub", "--config", missing)).said.trimEnd().split("\n").length, 1);
    const config = `${folder.path}/hub.json`;
    const ledger = { kind: "nats", servers: ["nats://127.0.0.1:1"] };
    await Deno.writeTextFile(config, JSON.stringify({ ledger }));
    assertEquals(await run("hub", "--config", config, "--listen", "127.0.0.1:0"), {
      code: 1,
      said: "faderd: ledger: nats://127.0.0.1:1: connection refused\n",
    });
  });

  const fault = async () => {
    await Deno.writeTextFile(`${folder.path}/failing.js`, FAILING);
    const { stderr } = await new Deno.Command(Deno.execPath(), {
      args: [...FLAGS, `${folder.path}/failing.js`, "serve"],
      cwd: folder.path,
    }).output();
    return new TextDecoder().decode(stderr);
  };

  await test.step("names the sources in a stack trace, by the source map beside it", async () => {
    const said = await fault();
    assertStringIncludes(said, "a fault");
    assertStringIncludes(said, "program/signals.ts");
  });

  await test.step("runs without the source map, and does not mention it", async () => {
    await removeMaps(into);
    const said = await fault();
    assertStringIncludes(said, "a fault");
    assertEquals(said.includes(".map"), false);
  });
});

Deno.test("docs/firmware.md runs the bundle with the flags of the tasks", async () => {
  const page = await Deno.readTextFile(new URL("../../docs/firmware.md", import.meta.url));
  assertStringIncludes(page.replaceAll(/ \\\n +/g, " "), `deno ${FLAGS.join(" ")} faderd.js serve`);
});
