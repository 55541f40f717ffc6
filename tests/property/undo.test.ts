/** Changes and undos in any order. */
import { assertEquals } from "@std/assert";
import fc from "fast-check";
import type { Command } from "../../core/command.ts";
import { mixerChannels, NO_CHANNEL } from "../../core/labels/channels.ts";
import { setChannelLabel } from "../../core/labels/setchannellabel.ts";
import { loadSnapshot } from "../../core/snapshots/loadsnapshot.ts";
import { saveSnapshot } from "../../core/snapshots/savesnapshot.ts";
import { set } from "../../core/tree/set.ts";
import { undo } from "../../core/undo/undo.ts";
import { stillClock, testConsole } from "../service.ts";
import { actor, keptText } from "../core/actors.ts";
import { recordingStore } from "../core/stores.ts";
import { configuration, fader, replayed, rights, small } from "./commands.ts";

/** Changes that can be undone, each with the time in ms before it. */
const change: fc.Arbitrary<{ command: Command<unknown>; call: string; wait: number }> = fc.record({
  wait: fc.constantFrom(0, 1, 3000),
  call: fc.constantFrom("set", "loadsnapshot"),
  command: fc.oneof(
    fc.tuple(fader, fc.integer({ min: -30, max: -25 })).map(([at, dB]) =>
      set(`/audio/mixers/${at}/fader`, dB)
    ),
    fc.tuple(fader, fc.integer({ min: -30, max: -25 }), fc.boolean()).map(([at, fader, on]) =>
      set(`/audio/mixers/${at}`, { fader, on })
    ),
    fc.tuple(fader, fc.integer({ min: 0, max: 2 }), fc.option(small, { nil: undefined }))
      .map(([at, sourceid, label]) =>
        set(`/audio/mixers/${at}`, { sourceid, ...(label === undefined ? {} : { label }) })
      ),
    fc.tuple(fc.integer({ min: 1, max: 2 }), small)
      .map(([channel, label]) => setChannelLabel(channel, label)),
    small.map((label) => set("/control/labels/1/label", label)),
    fc.constantFrom("1", "2", "").map((input) => set("/audio/routing/routes/1", input)),
    fc.constant(loadSnapshot({ id: "default" })),
  ),
});

async function desk() {
  const clock = stillClock();
  const store = recordingStore();
  const console = await testConsole({ configuration, clock, store });
  const admin = actor(console, "admin");
  const saved = saveSnapshot({ ...rights, type: 2, id: "default" });
  await console.dispatch(set("/audio/mixers/0/faders/0", { fader: -27, sourceid: 2 }), admin);
  await console.dispatch(saved, admin);
  // A load that changes only _lastloadedsnap makes no step.
  await console.dispatch(loadSnapshot({ id: "default" }), admin);
  const does = (command: Command<unknown>, call: string) =>
    console.dispatch(command, { ...admin, call });
  return { console, clock, store, does };
}

Deno.test("undoing all steps, the newest first, restores the tree; undoing these undos restores the changes", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(change, { maxLength: 5 }), async (changes) => {
      const { console, clock, does } = await desk();
      const before = console.state.tree;
      for (const { command, call, wait } of changes) {
        clock.tick(wait);
        await does(command, call);
      }
      const after = console.state.tree;
      const undoAll = async (areUndos: boolean) => {
        const steps = console.undoSteps.filter((step) => (step.what === "undo") === areUndos);
        for (const step of steps.toReversed()) await does(undo(step, false), "undo");
      };
      await undoAll(false);
      assertEquals(console.state.tree, before);
      await undoAll(true);
      assertEquals(console.state.tree, after);
    }),
    { numRuns: 200 },
  );
});

Deno.test("after undos in any order labels follow their channels, and a restart finds the state in force", async () => {
  const anyUndo = fc.record({ back: fc.nat(9), force: fc.boolean() });
  await fc.assert(
    fc.asyncProperty(fc.array(fc.oneof(change, anyUndo), { maxLength: 20 }), async (steps) => {
      const { console, clock, does, store } = await desk();
      for (const step of steps) {
        if ("command" in step) {
          clock.tick(step.wait);
          await does(step.command, step.call);
          continue;
        }
        const undone = console.undoSteps.at(-1 - step.back);
        if (undone !== undefined) await does(undo(undone, step.force), "undo");
      }
      assertEquals(keptText(await replayed(store.records)), keptText(console));
      for (const { id } of console.state.configuration.mixers) {
        const { faders, sourcelist } = mixerChannels(console.state.tree, id);
        for (const { sourceid, label } of Object.values(faders)) {
          const source = sourcelist.find(({ _sourceid }) => _sourceid === sourceid);
          assertEquals(label, sourceid === NO_CHANNEL ? "" : source?._label);
        }
      }
    }),
    { numRuns: 200 },
  );
});
