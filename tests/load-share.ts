/**
 * Loads the tests of the task `unit` in a few isolates instead of one for each file: loading the same
 * sources for each file took more than half of the CPU time of all.
 *
 * @module
 */
import project from "../deno.json" with { type: "json" };

/** The number of shares: files `tests/shares/1.ts` and so on, which run side by side. */
const SHARES = 8;

const root = new URL("../", import.meta.url);
const ignored = /--ignore=(\S+)/.exec(project.tasks.unit.command)![1]!.split(",");

/** The files of the task `unit`, in the same order in every run. */
function testFiles(folder = "tests"): string[] {
  const entries = [...Deno.readDirSync(new URL(folder, root))];
  return entries.flatMap(({ name, isDirectory }) => {
    const path = `${folder}/${name}`;
    if (isDirectory) return ignored.includes(path) ? [] : testFiles(path);
    return name.endsWith(".test.ts") ? [path] : [];
  }).sort();
}

/** Loads the tests of a share, which is counted from 1. */
export async function loadShare(share: number): Promise<void> {
  const own = testFiles().filter((_, at) => at % SHARES === share - 1);
  for (const path of own) await import(new URL(path, root).href);
}
