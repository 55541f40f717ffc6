/** Power cuts at any moment of the life of a real console, on a simulated disk. */
import { assert, assertEquals } from "@std/assert";
import { chanceOf, seedOfRun } from "../storage/random.ts";
import { recordRun } from "./run.ts";
import { type FaultTally, type StateOutcome, statesOf, statesOfRun } from "./states.ts";

const states = 2000;

Deno.test("After a power cut at any moment, on a sound or a failing medium, every acknowledged change is there, and no refused one", async (t) => {
  const seed = seedOfRun();
  const counts = { cut: 0, "second cut": 0, repair: 0, run: 0 };
  await t.step(`FADERD_SEED=${seed}`, async () => {
    for await (const { state, kind, fault } of statesOf({ seed, to: states })) {
      counts[kind] += 1;
      if (fault === undefined) continue;
      const again = `deno task cuts --seed ${seed} --state ${state}`;
      throw new Error(`a state is wrong: ${again}`, { cause: fault });
    }
  });
  assert(counts["second cut"] > states / 5, `${counts["second cut"]} second cuts`);
  assert(counts.repair > states / 20, `${counts.repair} repairs`);
});

Deno.test("Each operation of the medium fails in some run", async () => {
  const expected = ["create", "list", "lock", "makeFolder", "open", "read", "remove"];
  const left = new Set([...expected, "size", "sync", "syncFolder", "truncate", "write"]);
  const failed: FaultTally = new Map();
  for (let run = 0; run < 500 && left.size > 0; run++) {
    const from = run * statesOfRun;
    for await (const { fault } of statesOf({ seed: 1, from, to: from + 1 }, failed)) {
      assertEquals(fault, undefined);
    }
    for (const key of failed.keys()) left.delete(key.split(" ")[0]!);
  }
  assertEquals([...left], []);
});

Deno.test("On a full medium with an odd segment size the log does not lengthen its reserve without end", async () => {
  for await (const { fault } of statesOf({ seed: 3323216334, from: 1000, to: 1001 })) {
    assertEquals(fault, undefined);
  }
});

Deno.test("An empty segment that was given up, and is back with a checkpoint after a cut, continues no other segment", async () => {
  for await (const { fault } of statesOf({ seed: 1990664656, from: 1412, to: 1413 })) {
    assertEquals(fault, undefined);
  }
});

Deno.test("A recovered segment whose end could not be made safe for further writes has no reserve as proof of its end", async () => {
  for await (const { fault } of statesOf({ seed: 562108356, from: 154, to: 155 })) {
    assertEquals(fault, undefined);
  }
});

Deno.test("The same seed makes the same run, and the same states of it", async () => {
  const told = async () => {
    const { changes } = await recordRun({ chance: chanceOf(5) });
    return changes.map((change) => "bytes" in change ? { ...change, bytes: 0 } : change);
  };
  assertEquals(await told(), await told());
  const all = await outcomes({ seed: 5, to: 40 });
  const some = await outcomes({ seed: 5, from: 27, to: 29 });
  const numbered = (states: StateOutcome[]) => states.sort((a, b) => a.state - b.state);
  assertEquals(numbered(some), numbered(all).slice(27, 29));
});

async function outcomes(options: { seed: number; from?: number; to: number }) {
  return await Array.fromAsync(statesOf(options));
}
