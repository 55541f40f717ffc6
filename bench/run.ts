/**
 * Runs all benches, each in a process of its own, or only the named ones: `deno task bench rpc`.
 * Each runs with the V8 flags of the service, because some run the service in their own process.
 * Options are passed on to each bench. With `--json` the last line is one object, which has the
 * object of each bench under its name.
 *
 * @module
 */
import { V8_FLAGS } from "./process.ts";
import { print } from "./report.ts";

const BENCHES = [
  "rpc",
  "tree",
  "actions",
  "fade",
  "engine",
  "stalls",
  "storage",
  "start",
  "size",
  "compaction",
  "backup",
];
/**
 * Benches that take a quarter of an hour, or need a package of their own: they run only by name.
 */
const LONG = [
  "hostile",
  "space",
  "parts",
  "engine-audio",
  "view",
  "view-meters",
  "fleet",
  "fleet-nats",
  "fleet-faults",
  "uplink",
];

const isBench = (arg: string) => BENCHES.includes(arg) || LONG.includes(arg);
const named = Deno.args.filter(isBench);
const passedOn = Deno.args.filter((arg) => !isBench(arg));
const asJson = passedOn.includes("--json");
const results: Record<string, unknown> = {};
for (const bench of named.length > 0 ? named : BENCHES) {
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", V8_FLAGS, ...lockOf(bench), "--allow-all", fileOf(bench), ...passedOn],
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  const last = await printed(child.stdout);
  const { success } = await child.status;
  if (success && asJson) results[bench] = JSON.parse(last);
  else print(last);
  print("");
  if (!success) Deno.exit(1);
}
if (asJson) print(JSON.stringify(results));

/** The flags of a bench whose packages stand in a lock of their own. */
function lockOf(bench: string): readonly string[] {
  return bench === "fleet-nats" ? ["--lock=fleet/nats/deno.lock", "--frozen"] : [];
}

/** Prints the lines of a bench as they arrive, except the last one, which it returns. */
async function printed(stdout: ReadableStream<Uint8Array<ArrayBuffer>>): Promise<string> {
  let last = "";
  for await (const text of stdout.pipeThrough(new TextDecoderStream())) {
    const lines = (last + text).split("\n");
    // A text that ends with a line break has an empty last line: the line before it is held back,
    // too.
    const kept = lines.at(-1) === "" ? lines.splice(-2).join("\n") : lines.pop()!;
    for (const line of lines) print(line);
    last = kept;
  }
  return last.trimEnd();
}

function fileOf(bench: string): string {
  return new URL(`./${bench}.ts`, import.meta.url).pathname;
}
