/** The package of the program. `deno task npm-test` makes it first. */
import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import manifest from "../../deno.json" with { type: "json" };
import { createProject, packed, text } from "./installed.ts";

/** A folder for a PATH, with the programs that npm needs and no Deno. */
async function programsWithoutDeno(): Promise<string> {
  const folder = await Deno.makeTempDir({ prefix: "faderd-" });
  for (const name of ["node", "npm", "npx", "sh", "env"]) {
    const { stdout } = await new Deno.Command("which", { args: [name] }).output();
    await Deno.symlink(new TextDecoder().decode(stdout).trim(), `${folder}/${name}`);
  }
  return folder;
}

Deno.test("the program can be installed in an empty folder, and works there", async (test) => {
  const PATH = await programsWithoutDeno();
  const env = { PATH };
  await using project = await createProject(PATH);
  await project.install(packed("faderd-service"));

  await test.step("without a Deno it prints one line that says how to install it", async () => {
    const { code, said } = await project.run("npx", "faderd", "serve");
    const lines = said.trim().split("\n").filter((line) => !line.startsWith("npm warn"));
    assertEquals([code, lines], [1, [
      "faderd: Deno 2.9 or later runs this program, and none is here: npm install deno@2.9.5",
    ]]);
  });

  await test.step("npx faderd version says the version of the package, by the Deno in PATH", async () => {
    await Deno.symlink(Deno.execPath(), `${PATH}/deno`);
    const { code, said } = await project.run("npx", "faderd", "version");
    assertEquals(code, 0, said);
    assertStringIncludes(said, manifest.version);
    await Deno.remove(`${PATH}/deno`);
  });

  await test.step("npx faderd version says the version of the package, by the package of Deno", async () => {
    const [, deno] = /tgz (deno@\S+)$/m.exec(text("tools/npm/service/README.md"))!;
    await project.install(deno!);
    const { code, said } = await project.run("npx", "faderd", "version");
    assertEquals(code, 0, said);
    assertStringIncludes(said, manifest.version);
  });

  const ends = {
    "SIGTERM to npx": (pid: number) => Deno.kill(pid, "SIGTERM"),
    // As a terminal sends it.
    "SIGINT to all its processes": (pid: number) => Deno.kill(-pid, "SIGINT"),
  };
  for (const [what, end] of Object.entries(ends)) {
    await test.step(`npx faderd serve answers, has the device view, and ends on ${what}`, async () => {
      const args = ["faderd", "serve", "--listen", "127.0.0.1:0"];
      const io = { stdin: "null", stdout: "piped", stderr: "null" } as const;
      const options = { args, cwd: project.path, env, detached: true, ...io } as const;
      const service = new Deno.Command("npx", options).spawn();
      let said = "";
      let url = "";
      // Resolves once every process that holds its standard output has ended.
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
    const args = ["node_modules/faderd-service/bin/faderd.js", "serve", "--listen", "127.0.0.1:0"];
    const options = { args, cwd: project.path, env, stdout: "piped", stderr: "null" } as const;
    const service = new Deno.Command("node", options).spawn();
    for await (const part of service.stdout.pipeThrough(new TextDecoderStream())) {
      if (part.includes("data in ")) service.kill("SIGTERM");
    }
    assertEquals((await service.status).code, 0);
  });

  await Deno.remove(PATH, { recursive: true });
});
