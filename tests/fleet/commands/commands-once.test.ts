/** Each command is carried out once, and its reported outcome is true (docs/fleet.md). */
import { assert, assertEquals } from "@std/assert";
import type { CommandOutcome } from "../../../fleet/commands/command.ts";
import { chanceOf, seedOfRun } from "../../storage/random.ts";
import { MUTANTS, tryMutant } from "../command-mutants.ts";
import { pass, runCommands, STATES } from "../simulated-commands.ts";
import { simulatedFleet } from "../simulated-fleet.ts";

/** Number of states that are tried: half of them with one hub, half with two. */
const ALL = 5000;

/** Maximum number of runs in which a mutant has to be found. */
const MUTANT_RUNS = 100;

Deno.test("whatever is cut, killed or stopped, with one hub and with two, no command is lost, carried out twice, or begun after its expiry, and all hubs tell its outcome", async () => {
  const seed = seedOfRun();
  for (let run = 0; run * STATES < ALL; run++) {
    try {
      await runCommands(seed, run);
    } catch (cause) {
      throw new Error(`deno task fleet-cuts --seed ${seed} --run ${run}`, { cause });
    }
  }
});

for (const mutant of MUTANTS) {
  Deno.test(`the simulation finds a fleet ${mutant.what}`, async () => {
    assert(await tryMutant(mutant, { seed: 1, runs: MUTANT_RUNS }) !== undefined);
  });
}

Deno.test("a kept command whose answer was lost becomes unknown, and becomes done when its console is back", async () => {
  const told: CommandOutcome[] = [];
  const fleet = await simulatedFleet(chanceOf(1), {
    consoles: 1,
    media: {
      begun() {},
      changed() {},
      started: (hub) => void hub.commands.watch(({ outcome }) => void told.push(outcome)),
    },
  });
  const console = fleet.consoles[0]!;
  const labels = () =>
    console.records.filter((record) => new TextDecoder().decode(record).includes("Host")).length;
  await pass(fleet, 2000);
  fleet.hub().commands.submit([{
    id: "a".repeat(32),
    console: console.id,
    batch: "a".repeat(32),
    kind: "kept",
    expires: fleet.hubTime() + 3000,
    request: { method: "set", path: "/audio/mixers/0/faders/0/label", payload: "Host" },
    by: { name: "admin1", may: "admin" },
    from: "10.0.0.1",
  }]);
  while (labels() === 0) {
    fleet.pass(1);
    await new Promise((resolve) => setImmediate(resolve));
  }
  console.cut(true);
  await console.restart(false);
  await pass(fleet, 20_000);
  assertEquals(told, ["queued", "sent", "unknown"]);
  console.cut(false);
  await pass(fleet, 60_000);
  assertEquals(told, ["queued", "sent", "unknown", "done"]);
  assertEquals(labels(), 1);
  await fleet.hub().close();
});
