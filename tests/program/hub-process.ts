/**
 * `faderd hub` as a process of its own, and what people do with it, for tests.
 *
 * @module
 */
import { faderd, FLAGS, type Running, startFaderd } from "./faderd.ts";

/** A hub, running. */
export interface RunningHub extends AsyncDisposable {
  /** `http://127.0.0.1:port` */
  readonly url: string;
  readonly pid: number;
  /** The token of its first user, an admin. */
  readonly token: string;
  kill(signal: Deno.Signal): void;
  /** How it ended. */
  ended(): Promise<{ readonly code: number; readonly stderr: string }>;
}

/** Starts a hub; resolves when it answers. */
export async function startHub(data: string, ...args: string[]): Promise<RunningHub> {
  const listen = args.includes("--listen") ? [] : ["--listen", "127.0.0.1:0"];
  const process = new Deno.Command(Deno.execPath(), {
    args: [...FLAGS, "hub", "--data", data, "--no-view", ...listen, ...args],
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const started = Promise.withResolvers<string>();
  const said = { stdout: "", stderr: "" };
  const collect = async (from: "stdout" | "stderr") => {
    for await (const chunk of process[from].pipeThrough(new TextDecoderStream())) {
      said[from] += chunk;
      const url = /^hub on (\S+)/m.exec(said.stdout)?.[1];
      if (url !== undefined && /^data in .*\n/m.test(said.stdout)) started.resolve(url);
    }
  };
  const collected = Promise.all([collect("stdout"), collect("stderr")]);
  let isOver = false;
  const ended = process.status.then(async ({ code }) => {
    isOver = true;
    await collected;
    started.reject(new Error(`ended with code ${code}: ${said.stderr}`));
    return code;
  });
  const url = await started.promise;
  return {
    url,
    pid: process.pid,
    token: (await Deno.readTextFile(`${data}/admin-token`)).trim(),
    kill: (signal) => process.kill(signal),
    ended: async () => ({ code: await ended, stderr: said.stderr }),
    async [Symbol.asyncDispose]() {
      if (!isOver) process.kill("SIGKILL");
      await ended;
    },
  };
}

/** Runs a command to its end, and returns what it prints; throws where it fails. */
export async function done(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await faderd(...args);
  if (code !== 0) throw new Error(`faderd ${args[0]} ${args[1]}: ${stderr}`);
  return stdout;
}

/** A console that is enrolled, running, and its id. */
export interface EnrolledConsole {
  readonly id: string;
  readonly running: Running;
}

/** Makes a demo console in a folder, enrols it at a hub, approves it, and starts it. */
export async function startEnrolled(hub: RunningHub, data: string): Promise<EnrolledConsole> {
  await Deno.mkdir(data, { recursive: true });
  const at = ["--url", hub.url, "--token", hub.token];
  const code = /[A-Z0-9]{4}(-[A-Z0-9]{4}){2}/.exec(await done("fleet", "code", ...at))![0];
  const enrolled = await done("fleet", "enrol", hub.url, code, "--data", data);
  const id = /[0-9a-f]{32}/.exec(enrolled)![0];
  await done("fleet", "approve", id, ...at);
  return { id, running: await startFaderd("--data", data) };
}
