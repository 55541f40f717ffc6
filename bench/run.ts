/**
 * Runs the benches, each in a process of its own, or those that are named: `deno task bench rpc`.
 * Those that hold the service themselves run as it does, with its flags.
 * Options go on to each. With `--json` the last line is one object, with each bench's own by its name.
 *
 * @module
 */
import { V8_FLAGS } from "./process.ts";
import { print } from "./report.ts";

const BENCHES = ["rpc", "tree", "actions", "fade", "stalls", "storage", "backup"];

const named = Deno.args.filter((arg) => BENCHES.includes(arg));
const passedOn = Deno.args.filter((arg) => !BENCHES.includes(arg));
const asJson = passedOn.includes("--json");
const results: Record<string, unknown> = {};
for (const bench of named.length > 0 ? named : BENCHES) {
  const { success, stdout } = await new Deno.Command(Deno.execPath(), {
    args: ["run", V8_FLAGS, "--allow-all", fileOf(bench), ...passedOn],
    stderr: "inherit",
  }).output();
  const lines = new TextDecoder().decode(stdout).trimEnd().split("\n");
  if (success && asJson) results[bench] = JSON.parse(lines.pop()!);
  print(`${lines.join("\n")}\n`);
  if (!success) Deno.exit(1);
}
if (asJson) print(JSON.stringify(results));

function fileOf(bench: string): string {
  return new URL(`./${bench}.ts`, import.meta.url).pathname;
}
