/** The examples of docs/client.md and of client/client.ts are programs that run. */
import { assertEquals } from "@std/assert";
import { demoConfiguration } from "../../core/configuration/demo.ts";
import { readConfiguration } from "../../core/configuration/configuration.ts";
import { initialState } from "../../core/state.ts";
import { temporaryFolder } from "../program/faderd.ts";
import { startService, tokens } from "../service.ts";

const root = new URL("../../", import.meta.url);

/** The examples of a page or a source, as one program for the console at `url`. */
function programOf(source: string, url: string): string {
  const text = Deno.readTextFileSync(new URL(source, root)).replaceAll(/^ \* ?/gm, "");
  return [...text.matchAll(/```ts ignore\n(.*?)```/gs)].map((match) => match[1]!).join("\n")
    .replaceAll("ws://127.0.0.1:8080", url.replace("http", "ws"))
    .replaceAll(/"([0-9a-f]{8}-[-0-9a-f]*|…)"/g, `"${tokens.admin}"`)
    .replaceAll(/faderd[-/]client/g, new URL("client/client.ts", root).href);
}

async function deno(...args: string[]): Promise<{ code: number; stderr: string }> {
  const command = new Deno.Command(Deno.execPath(), { args, stdout: "null" });
  const { code, stderr } = await command.output();
  return { code, stderr: new TextDecoder().decode(stderr) };
}

Deno.test("the examples of docs/client.md and of client/client.ts compile and run", async () => {
  await using service = await startService();
  await using folder = await temporaryFolder();
  const config = ["--config", new URL("deno.json", root).pathname];
  const files = ["docs/client.md", "client/client.ts"].map((source, index) => {
    const file = `${folder.path}/${index}.ts`;
    Deno.writeTextFileSync(file, programOf(source, service.url));
    return file;
  });
  // One check for all examples: each check reads all sources of the client's types.
  const trees = await treesIn(folder.path);
  const ran = await Promise.all([
    deno("check", "--quiet", ...config, ...files, ...trees),
    ...files.map((file) => deno("run", ...config, "--allow-net=127.0.0.1", file)),
  ]);
  assertEquals(ran, Array(3).fill({ code: 0, stderr: "" }));
});

/**
 * Writes two programs that compile only if the type of the tree has each member that the service
 * builds, and no other.
 */
async function treesIn(folder: string): Promise<string[]> {
  const read = readConfiguration(demoConfiguration);
  if ("faults" in read) throw new Error("the demo configuration has faults");
  const { tree } = initialState(read.configuration);
  const _entries = [{ label: "A", _page: 0, _on: false }];
  const extlists = { 1: { _name: "", _exists: true, _entries, _page: 0, _subscribers: 1 } };
  const text = JSON.stringify({ ...tree, control: { ...tree.control as object, extlists } });
  const types = new URL("client/control-tree.ts", root);
  const program = (tree: string) =>
    `import type { ControlTree } from "${types}";\n${tree} satisfies ControlTree;\n`;
  const unlike = text.replace('"vcagroup":0', '"vcagroups":0');
  await Deno.writeTextFile(`${folder}/tree.ts`, program(`(${text})`));
  await Deno.writeTextFile(
    `${folder}/unlike.ts`,
    program(`// @ts-expect-error A member is not called so.\n(${unlike})`),
  );
  return [`${folder}/tree.ts`, `${folder}/unlike.ts`];
}

Deno.test("docs/examples/follow.ts follows a fader down and back", async () => {
  await using service = await startService();
  const url = `${service.url.replace("http", "ws")}/api/ws`;
  const example = new URL("docs/examples/follow.ts", root).pathname;
  const args = ["run", "--no-prompt", "--allow-net=127.0.0.1", example, url, tokens.admin];
  const { code, stdout } = await new Deno.Command(Deno.execPath(), { args }).output();
  const lines = new TextDecoder().decode(stdout).trim().split("\n");
  assertEquals(code, 0);
  assertEquals(lines.slice(0, 2), [`open: connected to ${url}`, "Host: -160.0 dB"]);
  assertEquals(lines.includes("Host: -10.0 dB"), true);
  assertEquals(lines.slice(-2), ["Host: -160.0 dB", "closed: the client was closed"]);
});
