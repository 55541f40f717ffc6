/**
 * Shows that the bundle can be compiled to a working binary where only npm is reached: `deno task
 * compile:check`. The only runtime for binaries on npm is the beginning of a third-party program,
 * of Deno 2.6, and nothing proves that it is Deno's own. So CI does not run this, and no such
 * binary is shipped: run it by hand, on a machine without secrets. If the parts are not available
 * it says so, and that nothing was checked.
 *
 * @module
 */
import { session } from "../tests/arm/session.ts";
import { print } from "../program/print.ts";
import { bundle } from "./bundle.ts";
import { compile } from "./compile.ts";

/** A third-party program. It begins with the runtime, denort 2.6.10. */
const PROGRAM = { package: "@dgellow/rfc-linux-x64@0.0.6", file: "bin/rfc" };
const RUNTIME_BYTES = 92_183_912;
/** The Deno that makes binaries with such a runtime. */
const COMPILER = { package: "@deno/linux-x64-glibc@2.6.8", file: "deno" };

/**
 * The module that begins the binary: it adds the functions that the service uses and Deno 2.6
 * lacks.
 */
const ENTRY = `import { setImmediate } from "node:timers";
globalThis.setImmediate ??= setImmediate;
Deno.FsFile.prototype.tryLock ??= async function (exclusive) {
  await this.lock(exclusive);
  return true;
};
await import("./faderd.js");
`;

const folder = new URL("../dist/compile-check/", import.meta.url);

if (Deno.build.target === "x86_64-unknown-linux-gnu") await check();
else print(`skipped: there are parts for x86_64-unknown-linux-gnu, this is ${Deno.build.target}`);

async function check(): Promise<void> {
  await Deno.mkdir(folder, { recursive: true });
  const program = await fromNpm(PROGRAM);
  const compiler = await fromNpm(COMPILER);
  if (program === undefined || compiler === undefined) return print("skipped: npm has no parts");
  const runtime = new URL("denort", folder);
  const bytes = await Deno.readFile(program);
  await Deno.writeFile(runtime, bytes.subarray(0, RUNTIME_BYTES), { mode: 0o755 });
  await bundle(folder);
  const entry = new URL("entry.js", folder);
  await Deno.writeTextFile(entry, ENTRY);
  const binary = new URL("faderd", folder);
  await compile(compiler.pathname, entry, binary, { runtime });
  await session([binary.pathname]);
  const { size } = await Deno.stat(binary);
  print(`a binary of Deno 2.6.10, ${size} bytes, serves, fades, restores, and outlives a kill`);
}

/** Fetches a package, and returns the path of a file of it; undefined if npm does not have it. */
async function fromNpm({ package: name, file }: typeof PROGRAM): Promise<URL | undefined> {
  const into = new URL(`${name.replaceAll(/\W/g, "-")}/`, folder);
  await Deno.mkdir(into, { recursive: true });
  const packed = await ran(into, "npm", "pack", "--silent", name);
  if (packed === undefined || await ran(into, "tar", "xzf", packed) === undefined) return undefined;
  return new URL(`package/${file}`, into);
}

/** Returns the output of a command; undefined if there is no such command, or it failed. */
async function ran(cwd: URL, command: string, ...args: string[]): Promise<string | undefined> {
  try {
    const { success, stdout } = await new Deno.Command(command, { args, cwd }).output();
    return success ? new TextDecoder().decode(stdout).trim() : undefined;
  } catch (fault) {
    if (fault instanceof Deno.errors.NotFound) return undefined;
    throw fault;
  }
}
