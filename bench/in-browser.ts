/**
 * Runs what a bench does with pages in a process of its own, for a browser comes with the packages
 * of the tests, which nothing else needs.
 *
 * @module
 */

/** Runs a script of this folder with one argument, and answers what it prints, which is JSON. */
export async function inBrowser<Printed>(script: string, argument: number): Promise<Printed> {
  const path = (name: string) => new URL(name, import.meta.url).pathname;
  const { stdout, success } = await new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      `--lock=${path("../tests/browser/deno.lock")}`,
      "--frozen",
      "--allow-all",
      path(script),
      String(argument),
    ],
    stderr: "inherit",
  }).output();
  if (!success) throw new Error(`${script} failed`);
  return JSON.parse(new TextDecoder().decode(stdout));
}
