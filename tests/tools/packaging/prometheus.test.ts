/** The alerts, by promtool, where that is installed. */
import { assertEquals } from "@std/assert";

const cwd = new URL("../../../tools/packaging/prometheus/", import.meta.url);

async function promtool(...args: string[]): Promise<{ code: number; text: string }> {
  const { code, stdout, stderr } = await new Deno.Command("promtool", { args, cwd }).output();
  const decoder = new TextDecoder();
  return { code, text: decoder.decode(stdout) + decoder.decode(stderr) };
}

const ignore = await promtool("--version").then(({ code }) => code !== 0, () => true);

Deno.test({
  name: "promtool takes the alerts; a console that is well raises none, and each fault its own",
  ignore,
  async fn() {
    for (const [what, file] of [["check", "faderd.rules.yml"], ["test", "faderd.rules.test.yml"]]) {
      const { code, text } = await promtool(what!, "rules", file!);
      assertEquals(code, 0, text);
    }
  },
});
