/** The list of snapshots that a console keeps, beside the list that is made of its state. */
import { assertEquals } from "@std/assert";
import fc from "fast-check";
import type { Console } from "../../core/console.ts";
import { isRefusal } from "../../core/errors.ts";
import { listSnapshots } from "../../core/snapshots/getsnapshotlist.ts";
import { packed, restoredFrom } from "../core/backup/archives.ts";
import { testConsole } from "../service.ts";
import { others, run, steps } from "./commands.ts";

const asked = ([1, 2, 3] as const).flatMap((type) =>
  [undefined, 0, 1, 2].map((mixer) => [type, mixer] as const)
);

function assertFresh(console: Console): void {
  // Each list is asked for twice in a row: the second one is the list that was kept.
  for (const [type, mixer] of asked.flatMap((one) => [one, one])) {
    const list = console.snapshotList(type, mixer);
    const made = listSnapshots(console.state, type, mixer);
    assertEquals(isRefusal(list) ? list : list.entries, made);
    if (!isRefusal(list)) assertEquals(list.json, JSON.stringify(made));
  }
}

Deno.test("whatever happens to a console, another configuration too, the kept list of snapshots is never stale", async () => {
  await fc.assert(
    fc.asyncProperty(steps, fc.constantFrom(...others), steps, async (first, other, second) => {
      const { console, store, goOn } = await run([]);
      console.watch(() => assertFresh(console));
      await goOn(first);
      await store.release();
      const { state } = await testConsole({ configuration: other });
      await restoredFrom(console, await packed(state, ["FWCONFIG"]), "FWCONFIG");
      assertFresh(console);
      await goOn(second);
      await store.release();
      assertFresh(console);
    }),
    { numRuns: 30 },
  );
});
