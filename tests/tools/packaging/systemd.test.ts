/** The unit, by systemd's own tools, where they are there. */
import { assertEquals, assertMatch } from "@std/assert";
import { temporaryFolder } from "../../program/faderd.ts";

const UNIT = new URL("../../../tools/packaging/systemd/faderd.service", import.meta.url).pathname;

interface Said {
  readonly code: number;
  readonly text: string;
}

async function analyze(...args: string[]): Promise<Said> {
  const { code, stdout, stderr } = await new Deno.Command("systemd-analyze", { args }).output();
  const decoder = new TextDecoder();
  return { code, text: decoder.decode(stdout) + decoder.decode(stderr) };
}

const ignore = await analyze("--version").then(({ code }) => code !== 0, () => true);

Deno.test({
  name: "systemd finds nothing wrong with the unit",
  ignore,
  async fn() {
    await using folder = await temporaryFolder();
    const copy = `${folder.path}/faderd.service`;
    // What it starts need not be installed here.
    const unit = await Deno.readTextFile(UNIT);
    await Deno.writeTextFile(copy, unit.replace("/usr/bin/faderd", "/bin/true"));
    assertEquals(await analyze("verify", copy), { code: 0, text: "" });
  },
});

Deno.test({
  name: "systemd counts the unit among those that are exposed least: at most 2.0 of 10",
  ignore,
  async fn() {
    const { code, text } = await analyze("security", "--offline=yes", "--threshold=20", UNIT);
    assertEquals(code, 0, text);
    assertMatch(text, /Overall exposure level for faderd\.service: [01]\.\d OK/);
  },
});
