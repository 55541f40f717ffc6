/** Parts of the page in a worker: that has its own globals, and ends all its timers and sockets. */
import { bundled } from "../../tools/esbuild.ts";

const root = new URL("../../", import.meta.url);

/** What a worker runs, as source text. */
export interface PageWorkerParts {
  /** The names that each module or package exports to the script. */
  readonly modules: Readonly<Record<string, string>>;
  /** Declarations before the globals. */
  readonly before: string;
  /** Members of an object: the globals of a browser besides those that all tests need. */
  readonly globals: string;
  readonly script: string;
}

/** Starts a worker from files in `folder`; `url` is the address of the console. */
export async function startPageWorker(
  folder: string,
  url: string,
  { modules, before, globals, script }: PageWorkerParts,
): Promise<Worker> {
  const entry = Object.entries(modules).map(([module, names]) => {
    const from = module.startsWith("view/") ? new URL(module, root).pathname : module;
    return `export { ${names} } from ${JSON.stringify(from)};\n`;
  });
  Deno.writeTextFileSync(`${folder}/entry.ts`, entry.join(""));
  const { code } = await bundled(`${folder}/entry.ts`, {
    config: "deno.web.json",
    lock: "view/deno.lock",
  });
  Deno.writeTextFileSync(`${folder}/page.js`, code);
  Deno.writeTextFileSync(
    `${folder}/worker.js`,
    `${before}
    const globals = {
      document: {
        baseURI: "${url}/",
        documentElement: { dataset: {} },
        visibilityState: "visible",
        addEventListener() {},
      },
      matchMedia: () => ({ matches: false, addEventListener() {} }),
      requestAnimationFrame: setTimeout,
      ${globals}
    };
    for (const [name, value] of Object.entries(globals)) {
      Object.defineProperty(globalThis, name, { value });
    }
    const { ${Object.values(modules).join(", ")} } = await import("./page.js");
    ${script}`,
  );
  return new Worker(`file://${folder}/worker.js`, { type: "module" });
}
