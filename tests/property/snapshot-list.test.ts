/** The cached list of snapshots, compared with the list that is made of the state. */
import { assertEquals } from "@std/assert";
import fc from "fast-check";
import type { Console } from "../../core/console.ts";
import { listSnapshots } from "../../core/snapshots/getsnapshotlist.ts";
import type { SnapshotType } from "../../core/snapshots/snapshot.ts";
import { packed, restoredFrom } from "../core/backup/archives.ts";
import { testConsole } from "../service.ts";
import { others, run, type Step, steps } from "./commands.ts";

type Asked = readonly [type: SnapshotType, mixer?: number];

const lists: readonly Asked[] = [[1], [2], [2, 0], [2, 1], [2, 7], [3]];

/** Asks twice, since the second call and each later one answer the cached list. */
function assertFresh(console: Console, [type, mixer]: Asked): void {
  for (const _ of ["made", "kept"]) {
    const list = console.snapshotList(type, mixer);
    const made = listSnapshots(console.state, type, mixer);
    assertEquals(list, made);
  }
}

Deno.test("the cached list of snapshots is never stale, after any commands and after another configuration", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...lists),
      steps,
      fc.constantFrom(...others),
      steps,
      async (asked, first, other, second) => {
        const { console, store, goOn } = await run([]);
        const go = async (steps: readonly Step[]) => {
          for (const step of steps) {
            await goOn([step]);
            assertFresh(console, asked);
          }
          await store.release();
          assertFresh(console, asked);
        };
        await go(first);
        const { state } = await testConsole({ configuration: other });
        await restoredFrom(console, await packed(state, ["FWCONFIG"]), "FWCONFIG");
        assertFresh(console, asked);
        await go(second);
        for (const other of lists) assertFresh(console, other);
      },
    ),
    { numRuns: 150 },
  );
});
