import { assert, assertEquals } from "@std/assert";

const root = new URL("../", import.meta.url);

async function isThere(path: string): Promise<boolean> {
  try {
    await Deno.stat(new URL(path, root));
    return true;
  } catch {
    return false;
  }
}

Deno.test("the README's rows of the specification name only tests that are there", async () => {
  const readme = await Deno.readTextFile(new URL("README.md", root));
  const rows = readme.split("## The specification, row by row")[1]!.split("\n")
    .filter((line) => /\| \d+\.\d+ +\|/.test(line));
  assert(rows.length > 30, `${rows.length} rows`);
  const tests = rows.flatMap((row) => row.split("|").at(-2)!.trim().split(", "));
  const missing: string[] = [];
  for (const test of tests) if (!await isThere(`tests/${test}`)) missing.push(test);
  assertEquals(missing, []);
});

Deno.test("the README links only to files that are there", async () => {
  const readme = await Deno.readTextFile(new URL("README.md", root));
  const links = [...readme.matchAll(/\]\(([^)]+)\)/g)].map((match) => match[1]!);
  assert(links.length > 5);
  const missing: string[] = [];
  for (const link of links) if (!await isThere(link)) missing.push(link);
  assertEquals(missing, []);
});
