/** The package of the library and the service for Node. `deno task npm-test` makes it first. */
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { createProject, examples, packed, text } from "./installed.ts";

Deno.test("the library can be installed in an empty folder, and works there", async (test) => {
  await using project = await createProject();
  await project.install(packed("faderd"));

  await test.step("it installs no Deno, and less than 20 MB", async () => {
    const { said } = await project.run("du", "-sm", "node_modules");
    assert(parseInt(said) < 20, said);
  });

  await test.step("the test in its README passes in Node, whose process ends by itself", async () => {
    const [inTests] = examples("tools/npm/README.md");
    await project.write("panel.test.js", inTests!);
    const { code, said } = await project.run("node", "--test", "panel.test.js");
    assertEquals(code, 0, said);
    assertStringIncludes(said, "pass 1");
  });

  await test.step("the tests of the panel in docs/examples pass", async () => {
    for (const name of ["panel.js", "panel.test.js"]) {
      await project.write(name, text(`docs/examples/panel/${name}`));
    }
    const { code, said } = await project.run("node", "--test", "panel.test.js");
    assertEquals(code, 0, said);
    assertStringIncludes(said, "pass 3");
  });

  await test.step("the library example in its README runs as written", async () => {
    await project.write("library.js", examples("tools/npm/README.md").at(-1)!);
    assertEquals(await project.run("node", "library.js"), { code: 0, said: "" });
  });

  await test.step("the examples of mod.ts and docs/library.md run once their types are removed", async () => {
    for (
      const [index, example] of [examples("mod.ts")[0]!, examples("docs/library.md")[0]!].entries()
    ) {
      await project.write("example.ts", example);
      await project.tool("esbuild", "example.ts", `--outfile=example-${index}.js`);
      assertEquals(await project.run("node", `example-${index}.js`), { code: 0, said: "" });
    }
  });

  await test.step("the Worker of docs/library.md can be bundled into one file", async () => {
    await project.write("worker.js", examples("docs/library.md").at(-1)!);
    const options = ["--bundle", "--format=esm", "--conditions=worker", "--outfile=bundled.js"];
    const made = await project.tool("esbuild", "worker.js", ...options);
    assertEquals(made.code, 0, made.said);
    // The libsodium that runs without WebAssembly.
    assertStringIncludes(await Deno.readTextFile(`${project.path}/bundled.js`), "useBackupModule");
  });

  await test.step("the error about a configuration with faults names the faults", async () => {
    const program = `import { startConsole } from "faderd/node";
      await startConsole({ configuration: { mixers: [{ faders: -1 }] } })
        .catch(({ message }) => console.log(message));`;
    await project.write("faults.js", program);
    const { code, said } = await project.run("node", "faults.js");
    assertEquals(code, 0, said);
    assertStringIncludes(said, "mixers.0.faders");
  });

  await test.step("the handler serves requests and WebSockets of the program's own server", async () => {
    await project.write("own.js", text("tests/npm/own-server.js"));
    assertEquals(await project.run("node", "own.js"), { code: 0, said: "" });
  });

  for (
    const [page, index] of [["tools/npm/README.md", 1], ["docs/library.md", 3]] as const
  ) {
    await test.step(`the service of ${page} keeps its data over a restart`, async () => {
      const example = examples(page)[index]!.replace("port: 8080", "port: 0");
      await project.write(
        "kept.js",
        `${example}
        const client = desk.connect();
        await client.ready();
        const path = "/audio/mixers/0/faders/0/fader";
        console.log(await client.get(path));
        await client.set(path, -17);
        process.kill(process.pid, "SIGTERM");`,
      );
      const said: string[] = [];
      for (let start = 0; start < 2; start++) {
        const ended = await project.run("node", "kept.js");
        assertEquals(ended.code, 0, ended.said);
        said.push(ended.said);
      }
      assertMatch(said[1]!, /^-17$/m);
      await Deno.remove(`${project.path}/data`, { recursive: true });
    });
  }
});
