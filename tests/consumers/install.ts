/** The npm packages that these tests run in Node, in the versions of `package-lock.json`. */

/** The folder of the tests and of the programs that they run. */
export const folder = new URL(".", import.meta.url).pathname;

/** The folder of the installed packages: outside the sources, which other tests search. */
export const installed = new URL("../../dist/consumers/", import.meta.url).pathname;

/** Installs the packages of `package-lock.json` that are not installed yet. */
export async function install(): Promise<void> {
  const lock = Deno.readTextFileSync(`${folder}package-lock.json`);
  if (textOf(`${installed}package-lock.json`) === lock) return;
  Deno.mkdirSync(installed, { recursive: true });
  Deno.copyFileSync(`${folder}package.json`, `${installed}package.json`);
  const args = ["ci", "--ignore-scripts", "--no-audit", "--no-fund"];
  Deno.writeTextFileSync(`${installed}package-lock.json`, lock);
  const { success, stderr } = await new Deno.Command("npm", { args, cwd: installed }).output();
  if (success) return;
  Deno.removeSync(`${installed}package-lock.json`);
  throw new Error(new TextDecoder().decode(stderr));
}

function textOf(path: string): string | undefined {
  try {
    return Deno.readTextFileSync(path);
  } catch {
    return undefined;
  }
}
