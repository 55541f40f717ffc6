/**
 * A console that refuses what cannot be stored; `degraded-mode.test.ts` has one in degraded mode.
 */
import { assertEquals } from "@std/assert";
import fc from "fast-check";
import type { Command } from "../../core/command.ts";
import type { Console } from "../../core/console.ts";
import { isRefusal } from "../../core/errors.ts";
import { mixerChannels, NO_CHANNEL } from "../../core/labels/channels.ts";
import { setChannelLabel } from "../../core/labels/setchannellabel.ts";
import { listsPatch } from "../../core/lists/branch.ts";
import { loadSnapshot } from "../../core/snapshots/loadsnapshot.ts";
import { saveSnapshot } from "../../core/snapshots/savesnapshot.ts";
import { type Branch, merge } from "../../core/tree/tree.ts";
import { set } from "../../core/tree/set.ts";
import { testConsole } from "../service.ts";
import { actor, keptText } from "../core/actors.ts";
import { checkpointOf } from "../core/stores.ts";
import { configuration, fader, others, replayed, rights, run, small, steps } from "./commands.ts";

function assertLabels({ state }: Pick<Console, "state">): void {
  for (const { id } of state.configuration.mixers) {
    const { faders, sourcelist } = mixerChannels(state.tree, id);
    const sources = new Map(sourcelist.map((source) => [source._sourceid, source]));
    for (const { sourceid, label, _defaultlabel } of Object.values(faders)) {
      const none = { _label: "", _defaultlabel: "" };
      const source = sourceid === NO_CHANNEL ? none : sources.get(sourceid);
      const expected = [source?._label, source?._defaultlabel];
      assertEquals([label, _defaultlabel], expected, "every fader shows the label of its channel");
    }
  }
}

function assertLists({ configuration, initial, lists, tree }: Console["state"]): void {
  const shown = listsPatch(configuration, new Map(), lists);
  const { extlists } = merge(initial, shown ?? {}).control as Branch;
  const what = "the tree shows the lists exactly as they are computed from the lists alone";
  assertEquals((tree.control as Branch).extlists, extlists, what);
}

const anyConfiguration = fc.constantFrom(configuration, ...others);

Deno.test("after commands of all kinds in any order, on a slow and failing store, a restart finds the state in force", async () => {
  await fc.assert(
    fc.asyncProperty(steps, anyConfiguration, async (steps, under) => {
      const { console, folded, outcomes, store } = await run(steps);
      const assertAll = async () => {
        const { state } = console;
        const found = await replayed(store.records);
        assertEquals(keptText(found), keptText(console), "a restart finds what is in force");
        const last = "the patches that are published, folded over the first tree, give the last";
        assertEquals(JSON.stringify(folded()), JSON.stringify(state.tree), last);
        assertLabels(console);
        assertLists(state);
      };
      await assertAll();
      const records = checkpointOf(console.state);
      const again = await replayed(records);
      assertEquals(keptText(again), keptText(console), "a checkpoint has what a restart finds");
      assertEquals(checkpointOf(again.state).length, records.length, "it has no history");
      await store.release();
      await assertAll();
      assertLabels(await replayed(store.records, under));
      const codes = (await Promise.all(outcomes)).map((outcome) =>
        isRefusal(outcome) ? outcome.code : 0
      );
      const expected = steps.includes("fail") ? [0, 3, 4, 6, 7, 12] : [0, 3, 4, 6, 7];
      assertEquals(codes.filter((code) => !expected.includes(code)), [], "no other error code");
    }),
    { numRuns: 50 },
  );
});

Deno.test("a checkpoint replays to the same state as its history, under any configuration", async () => {
  await fc.assert(
    fc.asyncProperty(
      steps,
      steps,
      anyConfiguration,
      anyConfiguration,
      async (first, second, other, later) => {
        const before = await run(first);
        await before.store.release();
        const { records } = before.store;
        const meanwhile = await run(second, { configuration: other, records });
        await meanwhile.store.release();
        const history = [...records, ...meanwhile.store.records];
        const checkpoint = checkpointOf(meanwhile.console.state);
        for (const under of [configuration, other, later]) {
          assertEquals(
            keptText(await replayed(checkpoint, under)),
            keptText(await replayed(history, under)),
          );
        }
      },
    ),
    { numRuns: 25 },
  );
});

/** All commands that change channels and labels, except loads. */
const relabelling: fc.Arbitrary<Command<unknown>[]> = fc.array(
  fc.oneof(
    fc.tuple(fader, fc.integer({ min: 0, max: 2 }), fc.option(small, { nil: undefined }))
      .map(([at, sourceid, label]) =>
        set(`/audio/mixers/${at}`, { sourceid, ...(label === undefined ? {} : { label }) })
      ),
    fc.tuple(fader, small).map(([at, label]) => set(`/audio/mixers/${at}/label`, label)),
    fc.tuple(fc.integer({ min: 1, max: 2 }), small)
      .map(([channel, label]) => setChannelLabel(channel, label)),
  ),
  { maxLength: 12 },
);

Deno.test("after any changes of channels and labels, a load restores the saved channels and labels at once", async () => {
  await fc.assert(
    fc.asyncProperty(relabelling, relabelling, async (first, second) => {
      const console = await testConsole({ configuration });
      const admin = actor(console, "admin");
      const shown = () =>
        Object.values(mixerChannels(console.state.tree, 0).faders)
          .map(({ sourceid, label }) => [sourceid, label]);
      for (const command of first) await console.dispatch(command, admin);
      const saved = shown();
      await console.dispatch(saveSnapshot({ ...rights, type: 2, id: "default" }), admin);
      for (const command of second) await console.dispatch(command, admin);
      await console.dispatch(loadSnapshot({ id: "default" }), admin);
      assertEquals(shown(), saved);
    }),
    { numRuns: 100 },
  );
});
