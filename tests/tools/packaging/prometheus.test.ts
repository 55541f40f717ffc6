/** The alerts, checked by promtool where it is installed. */
import { assertEquals } from "@std/assert";

const cwd = new URL("../../../tools/packaging/prometheus/", import.meta.url);

async function promtool(...args: string[]): Promise<{ code: number; text: string }> {
  const { code, stdout, stderr } = await new Deno.Command("promtool", { args, cwd }).output();
  const decoder = new TextDecoder();
  return { code, text: decoder.decode(stdout) + decoder.decode(stderr) };
}

const ignore = await promtool("--version").then(({ code }) => code !== 0, () => true);

Deno.test({
  name: "promtool accepts the alerts; a healthy console raises none, and each fault its own alert",
  ignore,
  async fn() {
    for (const [what, file] of [["check", "faderd.rules.yml"], ["test", "faderd.rules.test.yml"]]) {
      const { code, text } = await promtool(what!, "rules", file!);
      assertEquals(code, 0, text);
    }
  },
});
