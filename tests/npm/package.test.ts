/**
 * The npm package, packed and installed in an empty folder as people do it. `deno task npm-test`
 * makes it first.
 */
import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import manifest from "../../deno.json" with { type: "json" };

const root = new URL("../../", import.meta.url);
const text = (file: string) => Deno.readTextFileSync(new URL(file, root));

interface Ended {
  readonly code: number;
  readonly said: string;
}

async function run(cwd: string, command: string, ...args: string[]): Promise<Ended> {
  const { code, stdout, stderr } = await new Deno.Command(command, { args, cwd }).output();
  const decoder = new TextDecoder();
  return { code, said: decoder.decode(stdout) + decoder.decode(stderr) };
}

/** The examples of a page or a comment, in their order. */
function examples(file: string): string[] {
  const blocks = text(file).matchAll(/```(?:js|ts)(?: ignore)?\n(.*?)```/gs);
  return [...blocks].map(([, block]) => block!.replaceAll(/^ \* ?/gm, ""));
}

Deno.test("the packed package, installed in an empty folder", async (test) => {
  const folder = await Deno.makeTempDir();
  const write = (name: string, content: string) => Deno.writeTextFile(`${folder}/${name}`, content);
  await write("package.json", JSON.stringify({ type: "module", private: true }));
  const packed = new URL(`dist/faderd-${manifest.version}.tgz`, root).pathname;
  const installed = await run(folder, "npm", "install", "--no-audit", "--no-fund", packed);
  assertEquals(installed.code, 0, installed.said);

  await test.step("the test in its README passes in Node, whose process ends by itself", async () => {
    const [inTests] = examples("tools/npm/README.md");
    await write("panel.test.js", inTests!);
    const { code, said } = await run(folder, "node", "--test", "panel.test.js");
    assertEquals(code, 0, said);
    assertStringIncludes(said, "pass 1");
  });

  await test.step("the library example in its README runs as written", async () => {
    await write("library.js", examples("tools/npm/README.md")[2]!);
    assertEquals(await run(folder, "node", "library.js"), { code: 0, said: "" });
  });

  await test.step("the examples of mod.ts and docs/library.md run but for their types", async () => {
    for (
      const [index, example] of [examples("mod.ts")[0]!, examples("docs/library.md")[0]!].entries()
    ) {
      await write("example.ts", example);
      const made = ["--yes", "esbuild@0.28.2", "example.ts", `--outfile=example-${index}.js`];
      await run(folder, "npx", ...made);
      assertEquals(await run(folder, "node", `example-${index}.js`), { code: 0, said: "" });
    }
  });

  await test.step("the Worker of docs/library.md can be made into one file", async () => {
    await write("worker.js", examples("docs/library.md").at(-1)!);
    const options = ["--bundle", "--format=esm", "--conditions=worker", "--outfile=bundled.js"];
    const made = await run(folder, "npx", "--yes", "esbuild@0.28.2", "worker.js", ...options);
    assertEquals(made.code, 0, made.said);
    // The libsodium that runs without WebAssembly.
    assertStringIncludes(await Deno.readTextFile(`${folder}/bundled.js`), "useBackupModule");
  });

  await test.step("a console whose configuration has faults says which", async () => {
    const program = `import { startConsole } from "faderd/node";
      await startConsole({ configuration: { mixers: [{ faders: -1 }] } })
        .catch(({ message }) => console.log(message));`;
    await write("faults.js", program);
    const { code, said } = await run(folder, "node", "faults.js");
    assertEquals(code, 0, said);
    assertStringIncludes(said, "mixers.0.faders");
  });

  await test.step("the handler serves a server of the program's own, and its WebSockets", async () => {
    await write("own.js", text("tests/npm/own-server.js"));
    assertEquals(await run(folder, "node", "own.js"), { code: 0, said: "" });
  });

  await test.step("npx faderd version says the version of the package", async () => {
    const { code, said } = await run(folder, "npx", "faderd", "version");
    assertEquals(code, 0, said);
    assertStringIncludes(said, manifest.version);
  });

  const ends = {
    "SIGTERM to npx": (pid: number) => Deno.kill(pid, "SIGTERM"),
    // As a terminal does it.
    "SIGINT to all its processes": (pid: number) => Deno.kill(-pid, "SIGINT"),
  };
  for (const [what, end] of Object.entries(ends)) {
    await test.step(`npx faderd serve answers, has the device view, and ends on ${what}`, async () => {
      const args = ["faderd", "serve", "--listen", "127.0.0.1:0"];
      const io = { stdin: "null", stdout: "piped", stderr: "null" } as const;
      const options = { args, cwd: folder, detached: true, ...io } as const;
      const service = new Deno.Command("npx", options).spawn();
      let said = "";
      let url = "";
      // All that has its standard output has ended when this ends.
      for await (const part of service.stdout.pipeThrough(new TextDecoderStream())) {
        said += part;
        if (url !== "" || !/^data in .* \d+ users?$|npx /m.test(said)) continue;
        url = /on (http:\S+),/.exec(said)![1]!;
        assertEquals((await (await fetch(`${url}/health`)).json()).ready, true);
        assertStringIncludes(await (await fetch(url)).text(), "<title>faderd</title>");
        end(service.pid);
      }
      await service.status;
      await assertRejects(() => fetch(`${url}/health`), TypeError);
    });
  }

  await test.step("its command ends with status 0 on SIGTERM", async () => {
    const args = ["node_modules/faderd/bin/faderd.js", "serve", "--listen", "127.0.0.1:0"];
    const options = { args, cwd: folder, stdout: "piped", stderr: "null" } as const;
    const service = new Deno.Command("node", options).spawn();
    for await (const part of service.stdout.pipeThrough(new TextDecoderStream())) {
      if (part.includes("data in ")) service.kill("SIGTERM");
    }
    assertEquals((await service.status).code, 0);
  });

  await Deno.remove(folder, { recursive: true });
});
