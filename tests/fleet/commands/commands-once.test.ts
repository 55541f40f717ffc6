/** Each command is carried out once, and its reported outcome is true (docs/fleet.md). */
import { assertEquals } from "@std/assert";
import type { CommandOutcome } from "../../../fleet/commands/command.ts";
import { chanceOf, seedOfRun } from "../../storage/random.ts";
import { pass, runCommands, STATES } from "../simulated-commands.ts";
import { simulatedFleet } from "../simulated-fleet.ts";

/** Number of states that are tried. */
const ALL = 5000;

Deno.test("whatever is cut, killed or stopped, no command is lost, carried out twice, or begun after its expiry", async () => {
  const seed = seedOfRun();
  for (let run = 0; run * STATES < ALL; run++) {
    try {
      await runCommands(seed, run);
    } catch (cause) {
      throw new Error(`deno task fleet-cuts --seed ${seed} --run ${run}`, { cause });
    }
  }
});

Deno.test("a kept command whose answer was lost becomes unknown, and becomes done when its console is back", async () => {
  const told: CommandOutcome[] = [];
  const fleet = await simulatedFleet(chanceOf(1), 1, {
    begun() {},
    changed() {},
    started: (hub) => void hub.commands.watch(({ outcome }) => void told.push(outcome)),
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
