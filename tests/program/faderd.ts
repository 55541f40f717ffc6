/**
 * faderd as a process of its own, as a user starts it.
 *
 * @module
 */
const MAIN = new URL("../../main.ts", import.meta.url).pathname;
const { tasks } = JSON.parse(Deno.readTextFileSync(new URL("../../deno.json", import.meta.url)));
/** The arguments of Deno in `deno task faderd`. */
export const FLAGS: readonly string[] = [...tasks.faderd.command.split(" ").slice(1, -1), MAIN];
/** The command by which `deno task start` runs Deno, relative to the folder of the project. */
const START: string[] = tasks.start.command.split(" && ").at(-1).split(" ").slice(0, -2);

/** The last line that a start prints. */
const GREETED = /^data in .* \d+ users?$|^ {2}npx /m;
const GREETED_IN_LOG = /remove it once you have it"?\}?\n| info found |"message":"found".*\n/;

/** The output of a run of the program so far. */
type Said = Readonly<Record<"stdout" | "stderr", string>>;

/** Whether a service has printed all lines of a start. */
export function hasGreeted({ stdout, stderr }: Said): boolean {
  return GREETED.test(stdout) && stdout.endsWith("\n") || GREETED_IN_LOG.test(stderr);
}

/** The address that a service prints; empty if its log level hides it. */
export function urlIn({ stdout, stderr }: Said): string {
  return /on (http:\S+?),/.exec(stdout)?.[1] ??
    /"?http"?[=:]"?(http:[^\s"]+)/.exec(stderr)?.[1] ?? "";
}

/** The exit status of a process, and its output. */
export interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command to its end, and returns the bytes of its output. */
export function outputOf(...args: string[]): Promise<Deno.CommandOutput> {
  return new Deno.Command(Deno.execPath(), { args: [...FLAGS, ...args] }).output();
}

/** Runs a command to its end. */
export async function faderd(...args: string[]): Promise<Ended> {
  const { code, stdout, stderr } = await outputOf(...args);
  return { code, stdout: text(stdout), stderr: text(stderr) };
}

/** A service, running. */
export interface Running extends AsyncDisposable {
  /** `http://127.0.0.1:port`, as it was printed or logged; empty if the log level hides it. */
  readonly url: string;
  readonly pid: number;
  /** Its output so far. */
  readonly stdout: string;
  readonly stderr: string;
  kill(signal: Deno.Signal): void;
  /** Resolves with its end, and the time until then in ms. */
  ended(): Promise<Ended & { readonly ms: number }>;
}

/**
 * Starts `faderd serve`, by default on a free port; resolves once it has printed all lines of a
 * start.
 */
export function startFaderd(...args: string[]): Promise<Running> {
  return startFaderdIn({}, ...args);
}

/** Options of a start that differ from the default. */
export interface Surroundings {
  /** The command that runs it, instead of the sources. */
  readonly command?: readonly string[];
  /** Permissions beyond those of the task. */
  readonly allowed?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** As {@link startFaderd}, with other surroundings. */
export async function startFaderdIn(
  { command, allowed = [], env = {} }: Surroundings,
  ...args: string[]
): Promise<Running> {
  const listen = args.includes("--listen") ? [] : ["--listen", "127.0.0.1:0"];
  const [program, ...before] = command ?? [...START, ...allowed, MAIN];
  const process = new Deno.Command(program!, {
    args: [...before, "serve", ...listen, ...args],
    env,
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const said = { stdout: "", stderr: "" };
  const started = Promise.withResolvers<void>();
  const collect = async (from: "stdout" | "stderr") => {
    for await (const chunk of process[from].pipeThrough(new TextDecoderStream())) {
      said[from] += chunk;
      if (hasGreeted(said)) started.resolve();
    }
  };
  const collected = Promise.all([collect("stdout"), collect("stderr")]);
  let over = false;
  const ended = process.status.then(async ({ code }) => {
    over = true;
    await collected;
    started.reject(new Error(`ended with code ${code}: ${said.stderr}`));
    return code;
  });
  await started.promise;
  return {
    url: urlIn(said),
    pid: process.pid,
    get stdout() {
      return said.stdout;
    },
    get stderr() {
      return said.stderr;
    },
    kill: (signal) => process.kill(signal),
    async ended() {
      const from = performance.now();
      const code = await ended;
      return { ...said, code, ms: performance.now() - from };
    },
    async [Symbol.asyncDispose]() {
      if (!over) process.kill("SIGKILL");
      await ended;
    },
  };
}

/** The memory of a process in bytes: now, and its maximum so far. */
export async function memoryOf(pid: number): Promise<{ resident: number; peak: number }> {
  // A test has no permission to read the file itself.
  const { stdout } = await new Deno.Command("cat", { args: [`/proc/${pid}/status`] }).output();
  const kilobytes = (what: string) =>
    Number(new RegExp(`${what}:\\s+(\\d+) kB`).exec(text(stdout))![1]);
  return { resident: kilobytes("VmRSS") * 1024, peak: kilobytes("VmHWM") * 1024 };
}

/** A new folder that is removed at the end. */
export async function temporaryFolder(): Promise<AsyncDisposable & { readonly path: string }> {
  const path = await Deno.makeTempDir({ prefix: "faderd-test-" });
  return { path, [Symbol.asyncDispose]: () => Deno.remove(path, { recursive: true }) };
}

const TOKEN = /[0-9a-f]{8}(-[0-9a-f]{8}){3}/;

/** The token in the output of a command, or in the file that a first start names. */
export function tokenIn(said: string): string {
  const file = /TOKEN=\$\(cat (.+)\)$/m.exec(said)?.[1] ??
    /the token of the user admin is in (.+?),/.exec(said)?.[1];
  return TOKEN.exec(file === undefined ? said : Deno.readTextFileSync(file))![0];
}

function text(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}
