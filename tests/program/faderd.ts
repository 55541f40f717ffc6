/**
 * faderd as a process of its own, as people start it.
 *
 * @module
 */
const MAIN = new URL("../../main.ts", import.meta.url).pathname;
const { tasks } = JSON.parse(Deno.readTextFileSync(new URL("../../deno.json", import.meta.url)));
/** Arguments of Deno, as `deno task faderd` has them. */
export const FLAGS: readonly string[] = [...tasks.faderd.command.split(" ").slice(1, -1), MAIN];
/** As `deno task start` runs the service, in this folder. */
const START: string[] = tasks.start.command.split(" && ").at(-1).split(" ").slice(0, -2);

/** The last that a start says. */
const GREETED = /^data in .* \d+ users?$|^ {2}npx /m;
const GREETED_IN_LOG = /remove it once you have it"?\}?\n| info found |"message":"found".*\n/;

/** What a run of the program has printed so far. */
type Said = Readonly<Record<"stdout" | "stderr", string>>;

/** Whether a service has said all that it says at a start. */
export function hasGreeted({ stdout, stderr }: Said): boolean {
  return GREETED.test(stdout) && stdout.endsWith("\n") || GREETED_IN_LOG.test(stderr);
}

/** Where a service says that it listens; empty where its log is to tell less. */
export function urlIn({ stdout, stderr }: Said): string {
  return /on (http:\S+?),/.exec(stdout)?.[1] ??
    /"?http"?[=:]"?(http:[^\s"]+)/.exec(stderr)?.[1] ?? "";
}

/** How a process ended, and what it said. */
export interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command to its end, and answers the bytes that it wrote. */
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
  /** `http://127.0.0.1:port`, as it was printed or logged; empty where a log is to tell less. */
  readonly url: string;
  readonly pid: number;
  /** What it has said so far. */
  readonly stdout: string;
  readonly stderr: string;
  kill(signal: Deno.Signal): void;
  /** How it ended, and after how many ms from now. */
  ended(): Promise<Ended & { readonly ms: number }>;
}

/** Starts `faderd serve`, unless told otherwise on a free port; resolves when it has said all that it says at a start. */
export function startFaderd(...args: string[]): Promise<Running> {
  return startFaderdIn({}, ...args);
}

/** How a service may be started: otherwise than others are. */
export interface Surroundings {
  /** By what, instead of the sources. */
  readonly command?: readonly string[];
  /** More permissions than the task gives. */
  readonly allowed?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** As {@link startFaderd}, in other surroundings. */
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

/** The memory of a process in bytes: what it has now, and the most that it has had so far. */
export async function memoryOf(pid: number): Promise<{ resident: number; peak: number }> {
  // To read it without a program between takes more rights than tests have.
  const { stdout } = await new Deno.Command("cat", { args: [`/proc/${pid}/status`] }).output();
  const kilobytes = (what: string) =>
    Number(new RegExp(`${what}:\\s+(\\d+) kB`).exec(text(stdout))![1]);
  return { resident: kilobytes("VmRSS") * 1024, peak: kilobytes("VmHWM") * 1024 };
}

/** A new folder that is removed in the end. */
export async function temporaryFolder(): Promise<AsyncDisposable & { readonly path: string }> {
  const path = await Deno.makeTempDir({ prefix: "faderd-test-" });
  return { path, [Symbol.asyncDispose]: () => Deno.remove(path, { recursive: true }) };
}

const TOKEN = /[0-9a-f]{8}(-[0-9a-f]{8}){3}/;

/** The token in what a command says, or in the file that a first start names. */
export function tokenIn(said: string): string {
  const file = /TOKEN=\$\(cat (.+)\)$/m.exec(said)?.[1] ??
    /the token of the user admin is in (.+?),/.exec(said)?.[1];
  return TOKEN.exec(file === undefined ? said : Deno.readTextFileSync(file))![0];
}

function text(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}
