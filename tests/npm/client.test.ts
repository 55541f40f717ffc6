/** The package of the client alone. `deno task npm-test` makes it first. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { createProject, examples, packed, text } from "./installed.ts";

Deno.test("the client can be installed in an empty folder, and works there", async (test) => {
  await using project = await createProject();
  await project.install(packed("faderd-client"));
  const folder = `${project.path}/node_modules/faderd-client`;

  await test.step("it has no dependencies", async () => {
    const names = await Array.fromAsync(Deno.readDir(`${project.path}/node_modules`));
    assertEquals(
      names.map(({ name }) => name).filter((name) => !name.startsWith(".")),
      ["faderd-client"],
    );
  });

  await test.step("a bundle of a program that uses a part of it has no other part", async () => {
    await project.write("part.js", 'export { RequestError } from "faderd-client";');
    const { code, said } = await project.tool("esbuild", "part.js", "--bundle", "--format=esm");
    assertEquals(code, 0, said);
    assert(said.length < 1000, `${said.length} bytes`);
  });

  await test.step("its types are those of the service", async () => {
    const tests = text("tests/client/types.test.ts").replace(
      "../../client/client.ts",
      "faderd-client",
    )
      .replaceAll("Deno.test(", "test(");
    await project.write(
      "types.ts",
      `${tests}\ndeclare function test(name: string, run: () => void): void;`,
    );
    const compilerOptions = {
      strict: true,
      exactOptionalPropertyTypes: true,
      module: "nodenext",
      target: "es2022",
      lib: ["es2022", "dom", "esnext.disposable"],
      noEmit: true,
      types: [],
    };
    await project.write("tsconfig.json", JSON.stringify({ compilerOptions, files: ["types.ts"] }));
    const { code, said } = await project.tool("tsc");
    assertEquals(code, 0, said);
  });

  await test.step("the source maps of its script and its types name sources in the package", async () => {
    const maps = ["client.js.map", "types/client/client.d.ts.map", "types/core/wire.d.ts.map"];
    for (const map of maps) {
      const place = new URL(map, `file://${folder}/`);
      const { sources } = JSON.parse(await Deno.readTextFile(place));
      assert(sources.length > 0);
      for (const source of sources) {
        assert((await Deno.stat(new URL(source, place))).isFile, `${map}: ${source}`);
      }
    }
    assertStringIncludes(await Deno.readTextFile(`${folder}/client.js`), "sourceMappingURL");
  });

  await test.step("the program in its README runs in Node against a console", async () => {
    await project.install(packed("faderd"));
    const [example, inNode20] = examples("tools/npm/client/README.md");
    const lines = [inNode20!, 'import { startConsole } from "faderd/node";', example!];
    const program = lines.join("\n")
      .replace(
        'const desk = connect("ws://127.0.0.1:8080/api/ws", { token });',
        `
        const service = await startConsole();
        const desk = connect(service.webSocketUrl, { token: service.token });`,
      )
      .replaceAll(
        "await fader.fadeTo(-10, 2);",
        `await fader.fadeTo(-10, 0.1);
        await live.until(({ fader }) => fader === -10);
        await desk.close();
        await service.stop();`,
      );
    await project.write("readme.js", program);
    const { code, said } = await project.run("node", "readme.js");
    assertEquals(code, 0, said);
    assertStringIncludes(said, ": -10 dB\n");
  });
});
