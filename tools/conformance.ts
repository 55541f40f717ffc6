/**
 * Runs the conformance tests in a runtime, or in all of them, against the service as that runtime
 * serves it: `deno task conformance`, `--runtime node`. After all of them it writes the table of
 * the README.
 *
 * @module
 */
import { parseArgs } from "@std/cli/parse-args";
import { print, warn } from "../program/print.ts";
import { bundled } from "./esbuild.ts";

/**
 * The runtimes by their names. For one that comes as a package of npm, the arguments of `npx` that
 * start it; the others are started in their own ways. `hub` is Deno, too, with a hub between each
 * test and its console.
 */
const RUNTIMES: Readonly<Record<string, readonly string[]>> = {
  deno: [],
  node: ["--package=node@20", "node"],
  node22: ["--package=node@22", "node"],
  bun: ["--package=bun@1.4.5", "bun"],
  workerd: [],
  hub: [],
};

/** The lines before and after the table of the README. */
const BEGIN = "<!-- made by `task conformance` -->\n";
const END = "<!-- end -->";

const root = new URL("../", import.meta.url);
const folder = "tests/conformance";

/**
 * Tests of raw bytes and of data on a disk; they run in all of these runtimes but `workerd` and
 * `hub`.
 */
const PROTECTIONS = [
  "../core/engines/without-numbers.test.ts",
  "../transport/hostile.test.ts",
  "../runtimes/node/unfinished.test.ts",
  "../runtimes/node/file-system.test.ts",
  "../runtimes/node/data.test.ts",
];

/** The results of the tests in one runtime. */
interface Outcome {
  readonly runtime: string;
  readonly passed: number;
  readonly failed: number;
}

if (import.meta.main) {
  const { runtime, help } = parseArgs(Deno.args, { string: ["runtime"], boolean: ["help"] });
  if (help) {
    print(`deno task conformance [--runtime ${Object.keys(RUNTIMES).join("|")}]`);
    Deno.exit();
  }
  const chosen = runtime === undefined ? Object.keys(RUNTIMES) : [runtime];
  const unknown = chosen.find((name) => !(name in RUNTIMES));
  if (unknown !== undefined) {
    warn(`--runtime: expected ${Object.keys(RUNTIMES).join(", ")}, got "${unknown}"`);
    Deno.exit(2);
  }
  const made = await Deno.makeTempDir();
  const outcomes: Outcome[] = [];
  try {
    if (chosen.some((name) => RUNTIMES[name]!.length > 0)) await bundleTests(made);
    for (const name of chosen) {
      const outcome = await inRuntime(name, made);
      print(`${outcome.runtime}: ${outcome.passed} passed, ${outcome.failed} failed`);
      outcomes.push(outcome);
    }
  } finally {
    await Deno.remove(made, { recursive: true });
  }
  if (runtime === undefined) await writeTable(outcomes);
  if (outcomes.some(({ failed }) => failed > 0)) Deno.exit(1);
}

function inRuntime(name: string, made: string): Promise<Outcome> {
  if (name === "deno") return inDeno();
  if (name === "hub") return throughHub();
  return name === "workerd" ? inWorkerd() : inOther(RUNTIMES[name]!, made);
}

/**
 * Calls `work` with the path of a source that imports all tests and further files, between the
 * lines `first` and `last`; the source exists until `work` is done.
 */
async function withAllTests<Result>(
  { first, last, others = [] }: {
    readonly first: string;
    readonly last: string;
    readonly others?: readonly string[];
  },
  work: (entry: string) => Promise<Result>,
): Promise<Result> {
  const names = [...Deno.readDirSync(new URL(folder, root))].map(({ name }) => `./${name}`)
    .filter((name) => name.endsWith(".test.ts")).toSorted();
  // The order matters: the first line defines `Deno.test`, which the other lines call.
  const lines = [first, ...[...names, ...others].map((name) => `import "${name}";`), last];
  const entry = new URL(`${folder}/all.ts`, root);
  await Deno.writeTextFile(entry, lines.join("\n"));
  try {
    return await work(entry.pathname);
  } finally {
    await Deno.remove(entry);
  }
}

/** Makes one file, `tests.mjs`, of all tests. */
async function bundleTests(made: string): Promise<void> {
  const { code } = await withAllTests({
    first: 'import { runTests } from "../runtimes/run-tests.ts";',
    last: "await runTests();",
    others: PROTECTIONS,
    // Node 20 does not know `await using`.
  }, (entry) => bundled(entry, { platform: "node", target: "node20" }));
  await Deno.writeTextFile(`${made}/tests.mjs`, code);
}

/**
 * Runs the tests in a Worker by Miniflare, a package that nothing else needs, with a lock of its
 * own.
 */
async function inWorkerd(): Promise<Outcome> {
  const program = [
    "--lock=tests/runtimes/worker/deno.lock",
    "--frozen",
    "tests/runtimes/worker/run-conformance.ts",
  ];
  const said = await withAllTests({
    first: 'import { answerWithTests } from "../runtimes/run-in-worker.ts";',
    last: "export default { fetch: answerWithTests };",
  }, (entry) => run(Deno.execPath(), ["run", "--no-check", "--allow-all", ...program, entry]));
  return JSON.parse(said.trimEnd().split("\n").at(-1)!);
}

async function inDeno(): Promise<Outcome> {
  const files = [folder, ...PROTECTIONS.map((name) => `${folder}/${name}`)];
  const said = await run(Deno.execPath(), ["task", "unit", ...files], { NO_COLOR: "1" });
  const [, passed, failed] = /(\d+) passed.* \| (\d+) failed/.exec(said)!;
  return { runtime: `Deno ${Deno.version.deno}`, passed: Number(passed), failed: Number(failed) };
}

async function throughHub(): Promise<Outcome> {
  const preload = "--preload=tests/fleet/through-hub.ts";
  const args = ["test", "--no-check", "--no-prompt", "--parallel", "--allow-all", preload, folder];
  const said = await run(Deno.execPath(), args, { NO_COLOR: "1" });
  const [, passed, failed] = /(\d+) passed.* \| (\d+) failed/.exec(said)!;
  const runtime = `Deno ${Deno.version.deno}, by a hub`;
  return { runtime, passed: Number(passed), failed: Number(failed) };
}

async function inOther(command: readonly string[], made: string): Promise<Outcome> {
  const said = await run("npx", ["--yes", ...command, `${made}/tests.mjs`]);
  return JSON.parse(said.trimEnd().split("\n").at(-1)!);
}

/** Runs a command, whose standard error is shown; returns its output, even if it fails. */
async function run(
  command: string,
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<string> {
  const asked = new Deno.Command(command, { args: [...args], env, cwd: root, stderr: "inherit" });
  const { stdout } = await asked.output();
  return new TextDecoder().decode(stdout);
}

async function writeTable(outcomes: readonly Outcome[]): Promise<void> {
  const readme = new URL("README.md", root);
  const rows = outcomes.map(({ runtime, passed, failed }) =>
    `| ${runtime} | ${passed} | ${failed} |`
  );
  const table = ["| runtime | passed | failed |", "| --- | --: | --: |", ...rows].join("\n");
  const text = await Deno.readTextFile(readme);
  const before = text.indexOf(BEGIN) + BEGIN.length;
  const after = text.indexOf(END);
  const made = `${text.slice(0, before)}\n${table}\n\n${text.slice(after)}`;
  await Deno.writeTextFile(readme, made);
  await run(Deno.execPath(), ["fmt", "--quiet", readme.pathname]);
}
