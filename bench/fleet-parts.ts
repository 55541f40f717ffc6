/**
 * The common parts of the benches of one hub and of several hubs.
 *
 * @module
 */
import { parseArgs } from "@std/cli/parse-args";
import { type ServerProcess, startProcess, V8_FLAGS } from "./process.ts";
import { type Figure, figureOf, sleep } from "./report.ts";

/** Reads the options of a bench of a fleet. */
export function fleetOptions() {
  const { consoles, seconds, json } = parseArgs(Deno.args, {
    string: ["consoles", "seconds"],
    boolean: ["json"],
    default: { consoles: "1000", seconds: "10" },
  });
  const count = Number(consoles);
  return {
    /** Number of consoles. */
    count,
    /** Duration of each measurement, in s. */
    seconds: Number(seconds),
    /** Changes per second of all consoles together. */
    changesPerSecond: 1.9 * count,
    json,
  };
}

/** Makes a figure that is compared with its bound. */
export function atMost(name: string, unit: string, ours: number, bound: number): Figure {
  return figureOf(name, unit, [ours], [bound], "difference", { atMost: 0 });
}

/**
 * Waits until the hub at `url` shows `count` consoles as live; returns the time in ms until then.
 */
export async function untilLive(url: string, token: string, count: number): Promise<number> {
  const from = performance.now();
  while (await liveAt(url, token).catch(() => 0) < count) await sleep(10);
  return performance.now() - from;
}

async function liveAt(url: string, token: string): Promise<number> {
  return (await statesAt(url, token)).values().filter((state) => state === "live")
    .toArray().length;
}

/** Returns the states of the consoles that the hub at `url` shows, by their ids. */
export async function statesAt(url: string, token: string): Promise<ReadonlyMap<string, string>> {
  const { payload } = await rpc(url, token, "fleetlist");
  const list = payload.result as readonly { readonly id: string; readonly state: string }[];
  return new Map(list.map(({ id, state }) => [id, state]));
}

/** Calls an RPC of the hub at `url`, or of the console at `url`; returns the answer. */
export async function rpc(url: string, token: string, method: string, params: object = {}) {
  const body = JSON.stringify({ method: "rpc", token, payload: { method, params } });
  const response = await fetch(`${url}/api/rest`, { method: "POST", body });
  return await response.json();
}

/** The program that a bench starts. */
export interface StartedProgram {
  /** The command of Deno; by default that of this process. */
  readonly deno?: readonly string[];
  /** The file of the program: by default the sources, otherwise a bundle. */
  readonly main?: string;
}

/** Starts a hub whose ledger is in its data folder. */
export function startHub(
  data: string,
  listen: string,
  { deno: [program, ...options] = [Deno.execPath()], main = "main.ts" }: StartedProgram = {},
): Promise<ServerProcess> {
  const flags = [...options, "run", V8_FLAGS, "--frozen", "--no-check", "--allow-all", main];
  const args = ["hub", "--no-view", "--listen", listen, "--data", data];
  return startProcess([program!, ...flags], args, /^hub on .*\n/m);
}
