import { assertEquals } from "@std/assert";
import { faderd, temporaryFolder } from "../program/faderd.ts";

const DEMO = new URL("../../tools/fleet-demo.ts", import.meta.url).pathname;

Deno.test("task fleet-demo starts a live fleet, and leaves no files behind", async () => {
  await using folder = await temporaryFolder();
  const demo = new Deno.Command(Deno.execPath(), {
    args: ["run", "--no-check", "--allow-all", DEMO, "--listen", "127.0.0.1:0", "--consoles", "2"],
    env: { TMPDIR: folder.path },
    stdout: "piped",
    stderr: "null",
  }).spawn();
  try {
    let said = "";
    for await (const text of demo.stdout.pipeThrough(new TextDecoderStream())) {
      said += text;
      const [, url, token] = /The fleet is at (\S+)\/: log in with (\S+)\n/.exec(said) ?? [];
      if (url === undefined) continue;
      const { stdout } = await faderd("fleet", "list", "--json", "--url", url, "--token", token!);
      const consoles: readonly Record<string, string>[] = JSON.parse(stdout);
      assertEquals(consoles.map(({ name, site, state }) => [name, site, state]), [
        ["on-air-1", "Berlin", "live"],
        ["on-air-2", "Berlin", "live"],
      ]);
      break;
    }
  } finally {
    demo.kill("SIGINT");
  }
  assertEquals((await demo.status).code, 0);
  assertEquals([...Deno.readDirSync(folder.path)], []);
});
