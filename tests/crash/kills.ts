/**
 * Starts a writer, kills it with `kill -9` at a random moment, and asserts that every number it
 * printed is in its log; again and again on the same folder. The life of a writer is counted in
 * printed numbers, not in time, so that it does the same on any machine.
 *
 * @module
 */
import { assert } from "@std/assert";
import type { Chance } from "../storage/random.ts";
import { openLog } from "../../runtimes/deno/log.ts";
import { numbersToCompaction, openNumbers } from "./numbers.ts";

/** The outcome of a series of kills. */
export interface Kills {
  kills: number;
  /** Number of printed, that is acknowledged, numbers. */
  acknowledged: number;
  /** Number of starts that found a torn end. */
  cut: number;
  /** Number of starts that found a checkpoint. */
  compacted: number;
}

/** The maximum life of a writer, in printed numbers; it may print more until the kill. */
const longestLife = 2 * numbersToCompaction;

/**
 * The life of a writer: how many numbers it prints before it is killed. The first writer prints
 * enough for a checkpoint, which every later start finds, or its successor. One in five writers
 * prints none, so it is killed while it opens its log.
 */
function lifeOf(writer: number, chance: Chance): number {
  if (writer === 0) return longestLife;
  return chance.hits(0.2) ? 0 : chance.between(1, longestLife);
}

/** The command of a writer, without its folder. */
export type Command = readonly [program: string, ...args: string[]];

const denoWriter: Command = [
  Deno.execPath(),
  "run",
  "--no-check",
  "--no-prompt",
  "--allow-read",
  "--allow-write",
  new URL("writer.ts", import.meta.url).pathname,
];

/** Kills a writer once it has printed `life` numbers; returns the last number that it prints. */
async function lastPrinted([program, ...args]: Command, life: number): Promise<number> {
  const writer = new Deno.Command(program, {
    args,
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  const numbers: number[] = [];
  let begun = "";
  let killed = false;
  for await (const piece of writer.stdout.pipeThrough(new TextDecoderStream())) {
    const lines = (begun + piece).split("\n");
    begun = lines.pop()!;
    numbers.push(...lines.map(Number));
    // The 0 that it prints first does not count.
    if (numbers.length <= life || killed) continue;
    writer.kill("SIGKILL");
    killed = true;
  }
  const { code, signal } = await writer.status;
  assert(signal === "SIGKILL", `the writer ended by itself, with code ${code}`);
  return Math.max(...numbers);
}

/**
 * Kills `count` writers on `folder`, one after the other; after each, Deno opens the log, whatever
 * the runtime of the writer.
 */
export async function killWriters(
  folder: string,
  count: number,
  chance: Chance,
  command: Command = denoWriter,
): Promise<Kills> {
  const total: Kills = { kills: 0, acknowledged: 0, cut: 0, compacted: 0 };
  for (; total.kills < count; total.kills++) {
    const printed = await lastPrinted([...command, folder], lifeOf(total.kills, chance));
    const { log, last } = await openNumbers(openLog, folder);
    assert(last() >= printed, `${printed} was acknowledged, the log ends with ${last()}`);
    total.acknowledged = last();
    if (log.recovery.cut !== undefined) total.cut += 1;
    if (log.space.live > 0) total.compacted += 1;
    await log.close();
  }
  return total;
}
