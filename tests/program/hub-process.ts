/**
 * A hub as a process of its own, and enrolled consoles, as users start them.
 *
 * @module
 */
import { connect } from "../../client/client.ts";
import { type Ended, faderd, FLAGS, type Running, startFaderdIn } from "./faderd.ts";

/** A running hub. */
export interface RunningHub extends AsyncDisposable {
  /** `http://127.0.0.1:port` */
  readonly url: string;
  /** `https://127.0.0.1:port`; empty if it does not listen for HTTPS. */
  readonly tlsUrl: string;
  readonly port: number;
  /** The token of the user `admin` of the fleet. */
  readonly token: string;
  readonly stderr: string;
  kill(signal: Deno.Signal): void;
  /** Resolves once it has ended. */
  readonly ended: Promise<unknown>;
  /** Runs `faderd fleet` against it. */
  fleet(...args: string[]): Promise<Ended>;
}

/** Starts a hub on a data folder. */
export async function startHub(data: string, ...args: string[]): Promise<RunningHub> {
  const listen = args.includes("--listen") ? [] : ["--listen", "127.0.0.1:0"];
  const process = new Deno.Command(Deno.execPath(), {
    args: [...FLAGS, "hub", "--data", data, ...listen, ...args],
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const said = { stdout: "", stderr: "" };
  const started = Promise.withResolvers<void>();
  const collect = async (from: "stdout" | "stderr") => {
    for await (const chunk of process[from].pipeThrough(new TextDecoderStream())) {
      said[from] += chunk;
      if (/^hub on .*\n/m.test(said.stdout)) started.resolve();
    }
  };
  const collected = Promise.all([collect("stdout"), collect("stderr")]);
  let over = false;
  const ended = process.status.then(async ({ code }) => {
    over = true;
    await collected;
    started.reject(new Error(`ended with code ${code}: ${said.stderr}`));
  });
  await started.promise;
  const url = /hub on (http:\S+)/.exec(said.stdout)![1]!;
  const token = (await Deno.readTextFile(`${data}/admin-token`)).trim();
  return {
    url,
    tlsUrl: /(https:\S+)/.exec(said.stdout)?.[1] ?? "",
    port: Number(new URL(url).port),
    token,
    get stderr() {
      return said.stderr;
    },
    kill: (signal) => process.kill(signal),
    ended,
    fleet: (...words) => faderd("fleet", ...words, "--url", url, "--token", token),
    async [Symbol.asyncDispose]() {
      if (!over) process.kill("SIGKILL");
      await ended;
    },
  };
}

/** Starts a console with the permission to reach any address. */
export function startConsole(data: string, ...args: string[]): Promise<Running> {
  const command = [Deno.execPath(), ...FLAGS];
  return startFaderdIn({ command }, "--data", data, "--no-view", ...args);
}

/** Enrols the console of a data folder with a new code; returns the output of the command. */
export async function enrol(hub: RunningHub, data: string, ...args: string[]): Promise<Ended> {
  const code = (await hub.fleet("code")).stdout.trim();
  const url = hub.tlsUrl === "" ? hub.url : hub.tlsUrl;
  return await faderd("fleet", "enrol", url, code, "--data", data, ...args);
}

/** The id of the console of a data folder in the fleet. */
export async function idOf(data: string): Promise<string> {
  return JSON.parse(await Deno.readTextFile(`${data}/fleet.json`)).console;
}

/** A console in the list of the fleet. */
export interface Listed {
  readonly id: string;
  readonly name: string;
  readonly site: string;
  readonly state: string;
  readonly alarms: readonly string[];
}

/** Returns the consoles of a hub. */
export async function listed(hub: RunningHub): Promise<readonly Listed[]> {
  return JSON.parse((await hub.fleet("list", "--json")).stdout);
}

/** Waits until the hub shows a console in a state. */
export async function untilState(hub: RunningHub, id: string, state: string): Promise<void> {
  for (;;) {
    const headers = { authorization: `Bearer ${hub.token}` };
    const answer = await fetch(`${hub.url}/api/rest/consoles/${id}/_state`, { headers });
    if (await answer.json() === state) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Connects a client to a console through its hub. */
export function connectThrough(hub: RunningHub, id: string) {
  const url = `${hub.url.replace("http", "ws")}/consoles/${id}/api/ws`;
  return connect(url, { token: hub.token });
}
