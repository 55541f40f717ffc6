/**
 * Loads the tests of a task in a few isolates instead of one for each file. Loading the same sources
 * for each file took more than half of the CPU time of the unit tests; in a browser, each file
 * also had a driver and a browser of its own.
 *
 * @module
 */
const root = new URL("../", import.meta.url);

/** The files of tests below a folder, in the same order in every run. */
export function testFiles(folder: string, ignored: readonly string[] = []): string[] {
  const entries = [...Deno.readDirSync(new URL(folder, root))];
  return entries.flatMap(({ name, isDirectory }) => {
    const path = `${folder}/${name}`;
    if (isDirectory) return ignored.includes(path) ? [] : testFiles(path, ignored);
    return name.endsWith(".test.ts") ? [path] : [];
  }).sort();
}

/** Loads one of `shares` equal shares of files; shares are counted from 1. */
export async function loadShare(
  files: readonly string[],
  share: number,
  shares: number,
): Promise<void> {
  const own = files.filter((_, at) => at % shares === share - 1);
  for (const path of own) await import(new URL(path, root).href);
}
