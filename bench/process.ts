/**
 * The processes of the benches: servers that are measured, with the same flags as `deno task
 * start`, and their clients.
 *
 * @module
 */
import manifest from "../deno.json" with { type: "json" };
import { print, sleep } from "./report.ts";

/** The flags of V8 in `deno task start`. */
export const V8_FLAGS = /--v8-flags=\S+/.exec(manifest.tasks.start.command)![0];

const FLAGS = [
  "run",
  V8_FLAGS,
  "--no-prompt",
  "--allow-net",
  "--allow-read",
  "--allow-write",
  // Without it a console dials no hub whose certificate is pinned.
  "--allow-env=DENO_TLS_CA_STORE",
];
const FOLDER = new URL("../", import.meta.url).pathname;
/** The settings of the allocator in `deno task start`. */
const ALLOCATOR = Object.fromEntries(
  Deno.readTextFileSync(`${FOLDER}program/start.sh`).matchAll(/(MALLOC_\w+)=(\d+)/g).map(
    ([, name, value]) => [name!, value!],
  ),
);
/** The command of Deno. */
const HERE: readonly string[] = [Deno.execPath()];

/** A server that runs in a process of its own. */
export interface ServerProcess {
  readonly port: number;
  /** Its whole output until it was ready. */
  readonly said: string;
  readonly pid: number;
  /** Whether it has ended. */
  readonly ended: boolean;
  /** CPU time used so far by all its threads, in seconds. */
  cpuSeconds(): number;
  /** Resident memory, in MB of 1,000,000 bytes. */
  residentMegabytes(): number;
  /** The resident memory in MB without pages of files, such as the executable of Deno. */
  ownMegabytes(): number;
  /** The maximum resident memory of its life, in MB. */
  peakMegabytes(): number;
  /** Sends SIGTERM, and resolves once it has ended. */
  stop(): Promise<void>;
}

/**
 * Starts the real program on a data folder; without `config` the demo console. `main` may be that
 * of another checkout, and `deno` the command of another Deno.
 */
export function startFaderd(
  data: string,
  config?: string,
  options: readonly string[] = [],
  { main = "main.ts", deno = HERE }: {
    main?: string | undefined;
    deno?: readonly string[] | undefined;
  } = {},
): Promise<ServerProcess> {
  const chosen = config === undefined ? [] : ["--config", config];
  // The last line of a first start, and of a later start.
  const ready = /npx .*\n|, \d+ users?\n/;
  const args = [main, "serve", "--listen", "127.0.0.1:0", "--data", data, ...chosen, ...options];
  return startProcess([...deno, ...FLAGS], args, ready);
}

/**
 * Returns the token of the user that a first start made: from its output, or from the file that it
 * named.
 */
export function firstToken({ said }: ServerProcess): string {
  const file = /TOKEN=\$\(cat (.+)\)$/m.exec(said)?.[1];
  const text = file === undefined ? said : Deno.readTextFileSync(file);
  return /[0-9a-f]{8}(-[0-9a-f]{8}){3}/.exec(text)![0];
}

/** Starts a script of this folder as a server, which prints its URL when it is ready. */
export function startServer(
  file: string,
  args: readonly string[] = [],
  deno: readonly string[] = HERE,
): Promise<ServerProcess> {
  return startProcess([...deno, ...FLAGS], [`bench/${file}`, ...args], /http:.*\n/);
}

/** Time in ms after which a service is idle, because the work of its start is done. */
const SETTLE_MS = 1500;

/** Ends a server once it is idle; resolves with its resident memory then, in MB. */
export async function idleMegabytes(server: ServerProcess): Promise<number> {
  await sleep(SETTLE_MS);
  const megabytes = server.residentMegabytes();
  await server.stop();
  return megabytes;
}

/** Runs a script of this folder; resolves with its output, which is JSON. */
export async function printedBy<Printed>(
  script: string,
  args: readonly (string | number)[],
  flags: readonly string[] = [],
): Promise<Printed> {
  const { stdout, success } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "--allow-all", ...flags, `bench/${script}`, ...args.map(String)],
    cwd: FOLDER,
    stderr: "inherit",
  }).output();
  if (!success) throw new Error(`${script} failed`);
  return JSON.parse(new TextDecoder().decode(stdout));
}

/** The packages of the tests in a browser, which nothing else needs: flags for {@link printedBy}. */
export const BROWSER = ["--lock=tests/browser/deno.lock", "--frozen"];

/** A client in a process of its own. */
export interface Client<Ended> {
  /** Ends it; resolves with its last output, which is JSON. */
  end(): Promise<Ended>;
}

/** Starts a script of this folder as a client; resolves when it has printed `ready`. */
export async function startClient<Ended>(
  script: string,
  args: readonly (string | number)[],
): Promise<Client<Ended>> {
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "--allow-all", `bench/${script}`, ...args.map(String)],
    cwd: FOLDER,
    stdin: "piped",
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  const reader = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
  let said = "";
  async function readUntil(isEnough: () => boolean): Promise<void> {
    while (!isEnough()) {
      const { done, value } = await reader.read();
      if (done) throw new Error(`${script} ended, having said: ${said}`);
      said += value;
    }
  }
  await readUntil(() => said.startsWith("ready\n"));
  return {
    async end() {
      await child.stdin.close();
      await readUntil(() => /\n.+\n$/.test(said));
      await child.status;
      return JSON.parse(said.slice(said.indexOf("\n")));
    },
  };
}

/** Called in a client: prints `ready`, and resolves when {@link Client.end} ends it. */
export async function untilEnded(): Promise<void> {
  print("ready");
  for await (const _ of Deno.stdin.readable);
}

/**
 * Runs a file with its arguments; resolves when it has printed its URL and a text that matches
 * `ready`.
 */
export async function startProcess(
  [program, ...flags]: readonly string[],
  args: readonly string[],
  ready: RegExp,
): Promise<ServerProcess> {
  const child = new Deno.Command(program!, {
    args: [...flags, ...args],
    cwd: FOLDER,
    env: ALLOCATOR,
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
  // Later output is of no interest, but unread it would block the process.
  const rest = (async () => {
    while (!(await reader.read()).done);
  })();
  const port = /http:\/\/127\.0\.0\.1:(\d+)/.exec(said)?.[1];
  if (port === undefined) throw new Error(`${args[0]} did not say where it listens: ${said}`);
  const megabytes = (member: string) => {
    const status = Deno.readTextFileSync(`/proc/${child.pid}/status`);
    return Number(new RegExp(`${member}:\\s+(\\d+) kB`).exec(status)![1]) * 1024 / 1e6;
  };
  return {
    port: Number(port),
    said,
    pid: child.pid,
    get ended() {
      return ended;
    },
    cpuSeconds: cpuClock(child.pid),
    residentMegabytes: () => megabytes("VmRSS"),
    ownMegabytes: () => megabytes("RssAnon"),
    peakMegabytes: () => megabytes("VmHWM"),
    async stop() {
      if (!ended) child.kill("SIGTERM");
      await rest;
      await child.status;
    },
  };
}

/** Makes the function that returns the CPU time of a process in seconds, which ended threads keep. */
export function cpuClock(pid: number): () => number {
  const threads = new Map<string, number>();
  return () => {
    for (const { name } of Deno.readDirSync(`/proc/${pid}/task`)) {
      const seconds = threadSeconds(pid, name);
      if (seconds !== undefined) threads.set(name, seconds);
    }
    return threads.values().reduce((sum, seconds) => sum + seconds, 0);
  };
}

/**
 * CPU time of a thread in seconds; undefined if it has just ended. `/proc/PID/stat` would count in
 * units of 10 ms.
 */
function threadSeconds(pid: number, thread: string): number | undefined {
  try {
    const [ns] = Deno.readTextFileSync(`/proc/${pid}/task/${thread}/schedstat`).split(" ");
    return Number(ns) / 1e9;
  } catch (fault) {
    if (!(fault instanceof Deno.errors.NotFound)) throw fault;
  }
}
