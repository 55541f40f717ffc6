/**
 * Starts a writer, kills it with `kill -9` at a random moment, and asserts that every number it
 * printed is in its log; again and again on the same folder.
 *
 * @module
 */
import { assert } from "@std/assert";
import type { Chance } from "../storage/random.ts";
import { openNumbers } from "./writer.ts";

/** What a series of kills came to. */
export interface Kills {
  kills: number;
  /** Numbers that were printed, so acknowledged. */
  acknowledged: number;
  /** Starts that found a torn end. */
  cut: number;
  /** Starts that found a checkpoint. */
  compacted: number;
}

/** The longest that a writer lives, in ms, from its first acknowledgement on. */
const longestLife = 60;
/** One in five is killed this long, in ms, after it was started, so while it starts. */
const longestStart = 120;

async function lastPrinted(folder: string, chance: Chance): Promise<number> {
  const writer = new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      "--no-check",
      "--no-prompt",
      "--allow-read",
      "--allow-write",
      new URL("writer.ts", import.meta.url).pathname,
      folder,
    ],
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  const kill = () => writer.kill("SIGKILL");
  let timer = chance.hits(0.2) ? setTimeout(kill, chance.between(0, longestStart)) : undefined;
  let printed = "";
  for await (const piece of writer.stdout.pipeThrough(new TextDecoderStream())) {
    timer ??= setTimeout(kill, chance.between(0, longestLife));
    printed += piece;
  }
  clearTimeout(timer);
  const { signal } = await writer.status;
  assert(signal === "SIGKILL", `the writer ended by itself: ${signal}`);
  const lines = printed.split("\n").slice(0, -1);
  return Math.max(0, ...lines.map(Number));
}

/** Kills `count` writers on `folder`, one after the other. */
export async function killWriters(folder: string, count: number, chance: Chance): Promise<Kills> {
  const total: Kills = { kills: 0, acknowledged: 0, cut: 0, compacted: 0 };
  for (; total.kills < count; total.kills++) {
    const printed = await lastPrinted(folder, chance);
    const { log, last } = await openNumbers(folder);
    assert(last() >= printed, `${printed} was acknowledged, the log ends with ${last()}`);
    total.acknowledged = last();
    if (log.recovery.cut !== undefined) total.cut += 1;
    if (log.space.live > 0) total.compacted += 1;
    await log.close();
  }
  return total;
}
