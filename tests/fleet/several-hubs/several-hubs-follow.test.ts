/**
 * The pictures of several hubs follow their consoles through faults of consoles, of hubs, and of
 * the networks between them (docs/fleet.md).
 */
import { assert, assertEquals } from "@std/assert";
import { set } from "../../../core/tree/set.ts";
import { shownTree } from "../../../fleet/uplink/summary.ts";
import { result } from "../../service.ts";
import { chanceOf, seedOfRun } from "../../storage/random.ts";
import { simulatedFleet } from "../simulated-fleet.ts";

/**
 * Time in ms after which a hub shows a console as stale: the time of a single hub, a beat between
 * the hubs, and the delay of a message.
 */
const STALE_MS = 3000 + 250 + 1000 + 100;

/** Time in ms after which pictures are right again: the longest pause of a refused console. */
const RIGHT_MS = 45_000;

const RUNS = 60;
const STEPS = 30;
const HUBS = [0, 1];

async function run(seed: number): Promise<void> {
  const chance = chanceOf(seed);
  const fleet = await simulatedFleet(chance, { consoles: 2, hubs: HUBS.length });
  const { consoles } = fleet;

  function expectHonest(): void {
    for (const at of HUBS) {
      for (const { id, heardAt } of consoles) {
        const silentMs = fleet.now() - heardAt;
        assert(
          fleet.hub(at).consoles().get(id)?.state !== "live" || silentMs <= STALE_MS,
          `seed ${seed}: hub ${at} shows a console as live, and it was silent for ${silentMs} ms`,
        );
      }
    }
  }

  async function disturb(): Promise<void> {
    const console = consoles[chance.between(0, 1)]!;
    const hub = chance.between(0, 1);
    switch (chance.between(0, 9)) {
      case 0:
        return console.cut(true);
      case 1:
        return console.restart(chance.hits(0.5));
      case 2:
        return console.pause();
      case 3:
        return await fleet.restartHub(chance.between(0, 8000), hub);
      case 4:
        fleet.pauseHub(hub);
        fleet.pass(chance.between(0, 8000));
        fleet.resumeHub(hub);
        // The messages that waited for the hub are old, so the pictures need this time.
        return fleet.pass(STALE_MS);
      case 5:
        return console.loseChange();
      case 6:
        return fleet.cutBus(hub, true);
      case 7:
        return fleet.loseOnBus(hub);
      default:
    }
  }

  function mend(): void {
    for (const each of consoles) {
      each.cut(false);
      each.goOn();
    }
    for (const at of HUBS) fleet.cutBus(at, false);
  }

  for (let at = 0; at < STEPS; at++) {
    const { console } = consoles[chance.between(0, 1)]!;
    await result(console, set(`/audio/mixers/0/faders/${at % 4}/on`, at % 2 === 0));
    await disturb();
    fleet.pass(chance.between(0, 2000));
    expectHonest();
    if (chance.hits(0.5)) mend();
  }
  mend();
  for (let second = 0; second < RIGHT_MS / 1000; second++) {
    fleet.pass(1000);
    expectHonest();
  }
  for (const at of HUBS) {
    for (const { id, console } of consoles) {
      const { state, summary } = fleet.hub(at).consoles().get(id)!;
      assertEquals(state, "live", `seed ${seed}, hub ${at}`);
      assertEquals(summary.tree, shownTree(console.state.tree, "whole"), `seed ${seed}, hub ${at}`);
      assertEquals(summary.alarms, [], `seed ${seed}, hub ${at}`);
    }
  }
  for (const at of HUBS) await fleet.hub(at).close();
}

Deno.test("after any cuts, kills and stops the pictures of two hubs become right again by themselves, and show stale consoles as stale meanwhile", async () => {
  const first = seedOfRun();
  for (let at = 0; at < RUNS; at++) await run(first * RUNS + at);
});
