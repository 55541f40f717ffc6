/** Each command is carried out once, and what is said of it is true (docs/fleet.md, "Commands"). */
import { seedOfRun } from "../../storage/random.ts";
import { runCommands, STATES } from "../simulated-commands.ts";

/** Number of states that are tried. */
const ALL = 5000;

Deno.test("whatever is cut, killed or stopped, no command is lost, carried out twice, or begun after its time", async () => {
  const seed = seedOfRun();
  for (let run = 0; run * STATES < ALL; run++) {
    try {
      await runCommands(seed, run);
    } catch (cause) {
      throw new Error(`deno task fleet-cuts --seed ${seed} --run ${run}`, { cause });
    }
  }
});
