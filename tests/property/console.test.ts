/** A console that refuses what cannot be stored; `degraded-mode.test.ts` has one in degraded mode. */
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

Deno.test("at any moment, what is in force is what a restart would find", async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (steps) => {
      const { console, store } = await run(steps);
      const kept = (at: Pick<Console, "state">) => keptText(at);
      assertEquals(kept(await replayed(store.records)), kept(console));
      await store.release();
      assertEquals(kept(await replayed(store.records)), kept(console));
    }),
    { numRuns: 200 },
  );
});

Deno.test("a checkpoint at any moment is what a restart finds of the state, and no history", async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (steps) => {
      const { console } = await run(steps);
      const records = checkpointOf(console.state);
      assertEquals(keptText(await replayed(records)), keptText(console));
      const again = checkpointOf((await replayed(records)).state);
      assertEquals(again.length, records.length);
    }),
    { numRuns: 200 },
  );
});

Deno.test("a checkpoint comes to what its history comes to, whichever configurations both are under", async () => {
  const any = fc.constantFrom(configuration, ...others);
  await fc.assert(
    fc.asyncProperty(steps, steps, any, any, async (first, second, other, later) => {
      const before = await run(first);
      await before.store.release();
      const meanwhile = await run(second, {
        configuration: other,
        records: before.store.records,
      });
      await meanwhile.store.release();
      const history = [...before.store.records, ...meanwhile.store.records];
      const checkpoint = checkpointOf(meanwhile.console.state);
      for (const under of [configuration, other, later]) {
        assertEquals(
          keptText(await replayed(checkpoint, under)),
          keptText(await replayed(history, under)),
        );
      }
    }),
    { numRuns: 200 },
  );
});

Deno.test("the patches that are published, folded over the first tree, give the last", async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (steps) => {
      const { console, store, folded } = await run(steps);
      assertEquals(JSON.stringify(folded()), JSON.stringify(console.state.tree));
      await store.release();
      assertEquals(JSON.stringify(folded()), JSON.stringify(console.state.tree));
    }),
    { numRuns: 200 },
  );
});

Deno.test("every fader shows the label of its channel, whatever was set, loaded and found at a start", async () => {
  const showsIts = ({ state }: Pick<Console, "state">) => {
    for (const { id } of state.configuration.mixers) {
      const { faders, sourcelist } = mixerChannels(state.tree, id);
      const sources = new Map(sourcelist.map((source) => [source._sourceid, source]));
      for (const { sourceid, label, _defaultlabel } of Object.values(faders)) {
        const none = { _label: "", _defaultlabel: "" };
        const source = sourceid === NO_CHANNEL ? none : sources.get(sourceid);
        assertEquals([label, _defaultlabel], [source?._label, source?._defaultlabel]);
      }
    }
  };
  await fc.assert(
    fc.asyncProperty(steps, fc.constantFrom(configuration, ...others), async (steps, under) => {
      const { console, store } = await run(steps);
      showsIts(console);
      await store.release();
      showsIts(console);
      showsIts(await replayed(store.records, under));
    }),
    { numRuns: 200 },
  );
});

Deno.test("at any moment, the control tree shows of lists what is made of them alone", async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (steps) => {
      const { state: { configuration, initial, lists, tree } } = (await run(steps)).console;
      const shown = listsPatch(configuration, new Map(), lists);
      const control = merge(initial, shown ?? {}).control as Branch;
      assertEquals((tree.control as Branch).extlists, control.extlists);
    }),
    { numRuns: 200 },
  );
});

/** Whatever changes channels and labels, but for loads. */
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

Deno.test("whatever is done to channels and labels, a load brings back those that were saved, at once", async () => {
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
    { numRuns: 500 },
  );
});

Deno.test("every command is answered, and only a store that fails is code 12", async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (steps) => {
      const { store, outcomes } = await run(steps);
      await store.release();
      const codes = (await Promise.all(outcomes)).map((outcome) =>
        isRefusal(outcome) ? outcome.code : 0
      );
      if (!steps.includes("fail")) assertEquals(codes.includes(12), false);
      assertEquals(codes.filter((code) => ![0, 3, 4, 6, 7, 12].includes(code)), []);
    }),
    { numRuns: 100 },
  );
});
