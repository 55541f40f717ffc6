/**
 * Runs the commands and the service of faderd, by its command line, in the process of the tests:
 * this saves the start of another process. A test reads the output, and sends signals.
 *
 * @module
 */
import { AsyncLocalStorage } from "node:async_hooks";
import { sayInLog } from "../../program/print.ts";
import { runCommandLine } from "../../program/run.ts";
import { denoFileSystem } from "../../runtimes/deno/file-system.ts";
import { type Ended, hasGreeted, type Running, urlIn } from "./faderd.ts";

/** One run of the program. */
interface Run {
  stdout: string;
  stderr: string;
  readonly signals: Map<Deno.Signal, () => void>;
  over: boolean;
  /** Called after each output. */
  heard: () => void;
}

const runs = new AsyncLocalStorage<Run>();
/**
 * The service that was started last. Output of no run, or of a run that is over, counts as its
 * output, because it may answer requests in the context of an earlier run.
 */
let latest: Run | undefined;

/** The run that prints; undefined in a test that has started none. */
function currentRun(): Run | undefined {
  const run = runs.getStore();
  return run === undefined || run.over ? latest ?? run : run;
}

for (const name of ["stdout", "stderr"] as const) {
  const write = Deno[name].writeSync.bind(Deno[name]);
  Object.assign(Deno[name], {
    isTerminal: () => false,
    writeSync(bytes: Uint8Array): number {
      const run = currentRun();
      if (run === undefined) return write(bytes);
      run[name] += new TextDecoder().decode(bytes);
      run.heard();
      return bytes.length;
    },
  });
}
Object.assign(Deno.stdin, { isTerminal: () => false });
Object.assign(Deno, {
  addSignalListener: (signal: Deno.Signal, heard: () => void) =>
    runs.getStore()!.signals.set(signal, heard),
});

function begin(args: readonly string[]): { readonly run: Run; readonly code: Promise<number> } {
  const run: Run = { stdout: "", stderr: "", signals: new Map(), heard: () => {}, over: false };
  sayInLog();
  const code = runs.run(run, () => runCommandLine(args)).finally(() => run.over = true);
  return { run, code };
}

/**
 * Waits until a service has released its folder. A service that stops waits only for a limited time
 * for a slow medium, and leaves the rest to the end of its process; this process does not end.
 */
async function givenBack(folder: string): Promise<void> {
  let lock = await denoFileSystem.lock(folder);
  while (lock === undefined) lock = await denoFileSystem.lock(folder);
  lock.release();
}

/** Runs a command to its end. */
export function faderd(...args: string[]): Promise<Ended> {
  return beginFaderd(...args).ended;
}

/** Begins a command; its output is there as it is printed. */
export function beginFaderd(
  ...args: string[]
): { readonly run: Readonly<Pick<Run, "stdout" | "stderr">>; readonly ended: Promise<Ended> } {
  const { run, code } = begin(args);
  const ended = code.then((code) => ({ code, stdout: run.stdout, stderr: run.stderr }));
  return { run, ended };
}

/**
 * Starts `faderd serve`, by default on a free port; resolves once it has printed all lines of its
 * start.
 */
export async function startFaderd(...args: string[]): Promise<Running> {
  const listen = args.includes("--listen") ? [] : ["--listen", "127.0.0.1:0"];
  const { run, code: returned } = begin(["serve", ...listen, ...args]);
  const code = returned.then(async (code) => {
    if (code === 0) await givenBack(args[args.indexOf("--data") + 1]!);
    return code;
  });
  latest = run;
  await new Promise<void>((resolve, reject) => {
    run.heard = () => hasGreeted(run) ? resolve() : undefined;
    code.then((code) => reject(new Error(`ended with code ${code}: ${run.stderr}`)), reject);
  });
  return {
    url: urlIn(run),
    pid: Deno.pid,
    get stdout() {
      return run.stdout;
    },
    get stderr() {
      return run.stderr;
    },
    kill: (signal) => run.signals.get(signal)!(),
    async ended() {
      const from = performance.now();
      const status = await code;
      return { code: status, stdout: run.stdout, stderr: run.stderr, ms: performance.now() - from };
    },
    async [Symbol.asyncDispose]() {
      if (!run.over) run.signals.get("SIGTERM")!();
      await code;
    },
  };
}
