/**
 * The picture of a hub follows its consoles through faults of consoles, of the hub, and of the
 * network between them (docs/fleet.md).
 */
import { assert, assertEquals } from "@std/assert";
import { setChannelLabel } from "../../../core/labels/setchannellabel.ts";
import { set } from "../../../core/tree/set.ts";
import { shownTree } from "../../../fleet/uplink/summary.ts";
import { result } from "../../service.ts";
import { chanceOf, seedOfRun } from "../../storage/random.ts";
import { type SimulatedConsole, simulatedFleet } from "../simulated-fleet.ts";

/** Time in ms after which a hub shows a silent console as stale: three beats, and a check. */
const STALE_MS = 3000 + 250;

/** Time in ms after which the picture is right again: the longest pause of a refused console. */
const RIGHT_MS = 45_000;

const RUNS = 150;
const STEPS = 30;

async function change({ console }: SimulatedConsole, at: number): Promise<void> {
  await result(console, setChannelLabel(1 + at % 4, `News ${at}`));
  await result(console, set(`/audio/mixers/0/faders/${at % 4}/on`, at % 2 === 0));
}

async function run(seed: number): Promise<void> {
  const chance = chanceOf(seed);
  const fleet = await simulatedFleet(chance, { consoles: 2 });
  const { consoles } = fleet;

  function expectHonest(): void {
    for (const { id, heardAt } of consoles) {
      const entry = fleet.hub().consoles().get(id);
      const silentMs = fleet.now() - heardAt;
      assert(
        entry?.state !== "live" || silentMs <= STALE_MS,
        `seed ${seed}: a console is shown as live, and was silent for ${silentMs} ms`,
      );
    }
  }

  for (let at = 0; at < STEPS; at++) {
    const console = consoles[chance.between(0, 1)]!;
    await change(console, at);
    switch (chance.between(0, 9)) {
      case 0:
        console.cut(true);
        break;
      case 1:
        await console.restart(true);
        break;
      case 2:
        await console.restart(false);
        break;
      case 3:
        console.pause();
        break;
      case 4:
        await fleet.restartHub(chance.between(0, 5000));
        break;
      case 5:
        fleet.pauseHub();
        fleet.pass(chance.between(0, 6000));
        fleet.resumeHub();
        break;
      case 6:
        console.loseChange();
        break;
      default:
    }
    fleet.pass(chance.between(0, 2000));
    expectHonest();
    if (chance.hits(0.5)) {
      for (const each of consoles) {
        each.cut(false);
        each.goOn();
      }
    }
  }
  for (const each of consoles) {
    each.cut(false);
    each.goOn();
  }
  for (let second = 0; second < RIGHT_MS / 1000; second++) {
    fleet.pass(1000);
    expectHonest();
  }
  for (const { id, console } of consoles) {
    const { state, summary } = fleet.hub().consoles().get(id)!;
    assertEquals(state, "live", `seed ${seed}`);
    assertEquals(summary.tree, shownTree(console.state.tree, "whole"), `seed ${seed}`);
    assertEquals(summary.alarms, [], `seed ${seed}`);
  }
  await fleet.hub().close();
}

Deno.test("after any cuts, kills and stops the picture becomes right again by itself, and shows stale consoles as stale meanwhile", async () => {
  const first = seedOfRun();
  for (let at = 0; at < RUNS; at++) await run(first * RUNS + at);
});
