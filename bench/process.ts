/**
 * The processes that are measured: each is a `deno run` with the same flags as `deno task start`.
 *
 * @module
 */
/** What `deno task start` gives V8. */
export const V8_FLAGS =
  "--v8-flags=--max-semi-space-size=1,--initial-heap-size=1,--heap-growing-percent=30";

const FLAGS = [
  "run",
  V8_FLAGS,
  "--no-prompt",
  "--allow-net",
  "--allow-read",
  "--allow-write",
];
const FOLDER = new URL("../", import.meta.url).pathname;
/** The unit of CPU time in `/proc/PID/stat`, in seconds: USER_HZ is 100 on every Linux. */
const TICK_S = 0.01;

/** A server that runs in a process of its own. */
export interface ServerProcess {
  readonly port: number;
  /** All that it had printed when it was ready. */
  readonly said: string;
  readonly pid: number;
  /** Whether it has ended. */
  readonly ended: boolean;
  /** CPU time used so far by all its threads, in seconds. */
  cpuSeconds(): number;
  /** Resident memory, in MB of 1,000,000 bytes. */
  residentMegabytes(): number;
  /** Sends SIGTERM, and resolves once it has ended. */
  stop(): Promise<void>;
}

/**
 * The real program on a data folder; without `config` the demo console. `main` may be that of
 * another checkout.
 */
export function startFaderd(
  data: string,
  config?: string,
  options: readonly string[] = [],
  main = "main.ts",
): Promise<ServerProcess> {
  const chosen = config === undefined ? [] : ["--config", config];
  // The last thing that a first start says, and a later one in place of it.
  const ready = /npx .*\n|, \d+ users?\n/;
  const args = [main, "serve", "--listen", "127.0.0.1:0", "--data", data, ...chosen, ...options];
  return startProcess(args, ready);
}

/** The token of the user that a first start made: what it said, or what is in the file it named. */
export function firstToken({ said }: ServerProcess): string {
  const file = /TOKEN=\$\(cat (.+)\)$/m.exec(said)?.[1];
  const text = file === undefined ? said : Deno.readTextFileSync(file);
  return /[0-9a-f]{8}(-[0-9a-f]{8}){3}/.exec(text)![0];
}

/** Starts a server in this folder, which prints its URL when it is ready. */
export function startServer(file: string, args: readonly string[] = []): Promise<ServerProcess> {
  return startProcess([`bench/${file}`, ...args], /http:.*\n/);
}

/** Runs a file with its arguments; resolves when it has printed its URL and whatever is `ready`. */
export async function startProcess(
  args: readonly string[],
  ready: RegExp,
  flags: readonly string[] = FLAGS,
): Promise<ServerProcess> {
  const child = new Deno.Command(Deno.execPath(), {
    args: [...flags, ...args],
    cwd: FOLDER,
    stdout: "piped",
    stderr: "null",
  }).spawn();
  const decoder = new TextDecoder();
  const reader = child.stdout.getReader();
  let said = "";
  while (!ready.test(said)) {
    const { done, value } = await reader.read();
    if (done) throw new Error(`${args[0]} ended before it was ready, having said: ${said}`);
    said += decoder.decode(value, { stream: true });
  }
  let ended = false;
  child.status.then(() => ended = true);
  // What it says later is of no interest; unread, it would have to wait.
  const rest = (async () => {
    while (!(await reader.read()).done);
  })();
  const port = /http:\/\/127\.0\.0\.1:(\d+)/.exec(said)?.[1];
  if (port === undefined) throw new Error(`${args[0]} did not say where it listens: ${said}`);
  return {
    port: Number(port),
    said,
    pid: child.pid,
    get ended() {
      return ended;
    },
    cpuSeconds() {
      const stat = Deno.readTextFileSync(`/proc/${child.pid}/stat`);
      // The second field, the command's name in brackets, may hold spaces.
      const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      return (Number(fields[11]) + Number(fields[12])) * TICK_S;
    },
    residentMegabytes() {
      const status = Deno.readTextFileSync(`/proc/${child.pid}/status`);
      return Number(/VmRSS:\s+(\d+) kB/.exec(status)![1]) * 1024 / 1e6;
    },
    async stop() {
      if (!ended) child.kill("SIGTERM");
      await rest;
      await child.status;
    },
  };
}
