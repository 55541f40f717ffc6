/**
 * The packed packages, installed in empty folders, as a user does it.
 *
 * @module
 */
import { assertEquals } from "@std/assert";
import manifest from "../../deno.json" with { type: "json" };

/** The folder of the sources. */
export const root = new URL("../../", import.meta.url);
const dist = new URL("dist/", root);

/** Reads a file, named by its path from the root folder. */
export const text = (file: string): string => Deno.readTextFileSync(new URL(file, root));

/** The exit status of a program, and all its output. */
export interface Ended {
  readonly code: number;
  readonly said: string;
}

/** A folder for a project, at first empty. */
export interface Project extends AsyncDisposable {
  readonly path: string;
  write(name: string, content: string): Promise<void>;
  run(command: string, ...args: string[]): Promise<Ended>;
  /** Runs one of the tools that made the packages. */
  tool(name: string, ...args: string[]): Promise<Ended>;
  /** Installs packages by name; a name may be the path of a packed package. */
  install(...names: string[]): Promise<void>;
}

/** The path of a packed package. */
export function packed(name: string): string {
  return new URL(`${name}-${manifest.version}.tgz`, dist).pathname;
}

/** Makes an empty folder; its programs run with `PATH` if that is given. */
export async function createProject(path?: string): Promise<Project> {
  const folder = await Deno.makeTempDir({ prefix: "faderd-" });
  const write = (name: string, content: string) => Deno.writeTextFile(`${folder}/${name}`, content);
  await write("package.json", JSON.stringify({ type: "module", private: true }));
  const run = async (command: string, ...args: string[]) => {
    const env = path === undefined ? {} : { PATH: path };
    const { code, stdout, stderr } = await new Deno.Command(command, { args, cwd: folder, env })
      .output();
    const decoder = new TextDecoder();
    return { code, said: decoder.decode(stdout) + decoder.decode(stderr) };
  };
  return {
    path: folder,
    write,
    run,
    tool: (name, ...args) => run(new URL(`node_modules/.bin/${name}`, dist).pathname, ...args),
    async install(...names) {
      const { code, said } = await run("npm", "install", "--no-audit", "--no-fund", ...names);
      assertEquals(code, 0, said);
    },
    [Symbol.asyncDispose]: () => Deno.remove(folder, { recursive: true }),
  };
}

/** The examples of a page or a comment, in their order. */
export function examples(file: string): string[] {
  const blocks = text(file).matchAll(/```(?:js|ts)(?: ignore)?\n(.*?)```/gs);
  return [...blocks].map(([, block]) => block!.replaceAll(/^ \* ?/gm, ""));
}
