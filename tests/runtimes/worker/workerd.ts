/**
 * Workers in workerd, the runtime of Cloudflare Workers, which npm brings with `miniflare`.
 *
 * @module
 */
// Not in deno.json, whose packages are downloaded at any start of the service.
// deno-lint-ignore no-import-prefix
import { Miniflare } from "npm:miniflare@4.20260426.0";
import { bundled, sodiumForWorkers } from "../../../tools/esbuild.ts";

/** The version of workerd in this Miniflare. */
export const WORKERD = "1.20260426.1";

/** The day whose behaviour of the platform the Workers have. */
const COMPATIBILITY_DATE = "2026-04-20";

/** A Worker, running. */
export interface RunningWorker extends AsyncDisposable {
  /** `http://127.0.0.1:port` */
  readonly url: string;
}

/** The sources with which Deno and Node listen: no Worker has them. */
const NOT_THERE = ["*/runtimes/deno/server.ts", "*/runtimes/node/server.ts"];

/** Bundles a source with all its imports into one module. */
export async function workerOf(source: string): Promise<string> {
  return (await bundled(source, { external: NOT_THERE, plugins: [sodiumForWorkers] })).code;
}

/** As a module: Miniflare parses a plain script itself, and cannot parse current syntax. */
function base(script: string) {
  return {
    modules: [{ type: "ESModule" as const, path: "worker.js", contents: script }],
    compatibilityDate: COMPATIBILITY_DATE,
  };
}

/** Sends one request to a Worker, which may use the modules of Node. */
export async function askWorker(script: string): Promise<Response> {
  const worker = new Miniflare({ ...base(script), compatibilityFlags: ["nodejs_compat"] });
  try {
    const answer = await fetch(await worker.ready);
    return new Response(await answer.text(), { status: answer.status });
  } finally {
    await worker.dispose();
  }
}

/** Runs a Worker with one class of Durable Objects, whose databases are in a folder. */
export async function startWorker(
  script: string,
  bindings: Record<string, string>,
  folder: string,
): Promise<RunningWorker> {
  const worker = new Miniflare({
    ...base(script),
    bindings,
    durableObjects: { DESK: { className: "Desk", useSQLite: true } },
    durableObjectsPersist: folder,
  });
  const { origin } = await worker.ready;
  return { url: origin, [Symbol.asyncDispose]: () => worker.dispose() };
}
