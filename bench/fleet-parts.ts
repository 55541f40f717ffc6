/**
 * The common parts of the benches of one hub and of several hubs.
 *
 * @module
 */
import { parseArgs } from "@std/cli/parse-args";
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
  const body = JSON.stringify({
    method: "rpc",
    token,
    payload: { method: "fleetlist", params: {} },
  });
  const response = await fetch(`${url}/api/rest`, { method: "POST", body });
  const { payload } = await response.json();
  const list = payload.result as readonly { readonly state: string }[];
  return list.filter(({ state }) => state === "live").length;
}
