import { assert, assertEquals } from "@std/assert";
import { movingCount } from "../../../core/fades/unsynced.ts";
import { contentOf } from "../../../core/snapshots/snapshot.ts";
import { saveSnapshot } from "../../../core/snapshots/savesnapshot.ts";
import { set } from "../../../core/tree/set.ts";
import { type Branch, find } from "../../../core/tree/tree.ts";
import { levelAt, planFade } from "../../../fade/plan.ts";
import { codeOf, resultOf } from "../actors.ts";
import { settled } from "../stores.ts";
import { editor, levelOf, simulatedConsole } from "./simulated-console.ts";

Deno.test("a fade is always fader-linear: each 20 ms the fader is where the plan has it", async () => {
  const { fade, level, time } = simulatedConsole();
  const from = level();
  await fade({ value: -3.5, seconds: 0.2 });
  const plan = planFade(from, -3.5, 0, 0.2);
  for (let step = 0; step <= 12; step++) {
    time.runTo(step * 20);
    assertEquals(level(), levelAt(plan, step), `step ${step}`);
  }
});

Deno.test("one tick makes one change for all moving faders, of both mixers", async () => {
  const { fade, changes, time } = simulatedConsole();
  for (let fader = 0; fader < 8; fader++) {
    await fade({ mixer: fader % 2, fader, value: -10, seconds: 0.1 });
  }
  time.runTo(1000);
  assertEquals(changes.map(({ at }) => at), [20, 40, 60, 80, 100]);
  for (const { event } of changes) {
    const moved = [0, 1].map((mixer) =>
      Object.keys(
        find(event.patch as unknown as Branch, ["audio", "mixers", `${mixer}`, "faders"])!,
      )
    );
    assertEquals(moved, [["0", "2", "4", "6"], ["1", "3", "5", "7"]]);
  }
});

Deno.test("the event of a fade step has the levels and the number of its tick, and nothing else", async () => {
  const { fade, changes, time } = simulatedConsole();
  await fade({ mixer: 1, fader: 3, value: -10, seconds: 0.02 });
  time.runTo(20);
  const patch = { audio: { mixers: { 1: { faders: { 3: { fader: -10 } } } } } };
  const event = { type: "treechanged", ofFades: true, tick: 1, patch } as const;
  assertEquals(changes.map(({ event }) => event), [event]);
});

for (const seconds of [0, 0.009]) {
  Deno.test(`a fade of ${seconds} s sets the level at once, is stored before it is answered, and ends a running fade`, async () => {
    const { fade, changes, level, restingLevel, store, time } = simulatedConsole();
    assertEquals(await fade({ value: -7, seconds }), 0);
    assertEquals([level(), restingLevel(), store.records.length], [-7, -7, 1]);
    assertEquals(changes.map(({ at, event }) => [at, event.kept !== undefined]), [[0, true]]);
    assertEquals(time.pending(), 0);
    await fade({ value: 0, seconds: 1 });
    time.runTo(200);
    await fade({ value: -7, seconds });
    const after = changes.length;
    time.runTo(2000);
    assertEquals([level(), changes.length - after], [-7, 0]);
  });
}

Deno.test("a snapshot that is saved in the middle of a fade holds the level at that moment", async () => {
  const { console, fade, level, time } = simulatedConsole();
  await fade({ value: 0, seconds: 1 });
  time.runTo(400);
  const passed = level();
  const save = { type: 2, id: "", mixer: 0, writegroups: 255, readgroups: 0 } as const;
  await resultOf(console, saveSnapshot(save), editor);
  time.runTo(2000);
  const [snapshot] = [...console.state.snapshots.values()];
  assertEquals(find(contentOf(snapshot!), ["faders", "0", "fader"]), passed);
  assertEquals(level(), 0);
});

Deno.test("beyond limits.fades a further fader is refused with code 11, and nothing moves", async () => {
  const { console, fade, level, time } = simulatedConsole({ limits: { fades: 3 } });
  for (const fader of [0, 1, 2]) assertEquals(await fade({ fader, seconds: 1 }), 0);
  const before = level(3);
  assertEquals([await fade({ fader: 3 }), await fade({ mixer: 1, fader: 0 })], [11, 11]);
  assertEquals(await fade({ fader: 1, value: -20 }), 0, "one that replaces another");
  assertEquals(await fade({ fader: 4, value: -20, seconds: 0 }), 0, "one of 0 s");
  time.runTo(500);
  assertEquals([level(3), level(4), movingCount(console.state.unsynced)], [before, -20, 3]);
  time.runTo(1000);
  assertEquals(await fade({ fader: 3 }), 0, "once others have ended");
});

Deno.test("512 faders move at once, by default up to 1,024 may", async () => {
  const { console, fade, level, time, changes } = simulatedConsole({ faders: 512 });
  for (let fader = 0; fader < 512; fader++) {
    assertEquals(await fade({ fader, value: -1, seconds: 0.04 }), 0);
  }
  time.runTo(40);
  await settled();
  assertEquals([level(0), level(511), changes.length], [-1, -1, 2]);
  assertEquals(console.state.configuration.limits.fades, 1024);
});

Deno.test("a fade on a fader that is not configured is refused with code 6, and nothing moves", async () => {
  const { changes, console, fade, store, time } = simulatedConsole();
  for (const address of [{ mixer: 2 }, { fader: 8 }]) {
    for (const seconds of [0, 1]) assertEquals(await fade({ ...address, seconds }), 6);
  }
  assertEquals([changes.length, store.records.length, time.pending()], [0, 0, 0]);
  assertEquals(movingCount(console.state.unsynced), 0);
});

/** Writes that do not end the fade of fader 0, and their codes. */
const beside: readonly (readonly [string, unknown, number])[] = [
  ["/audio/mixers/0/faders/0", { on: true, label: "Host" }, 0],
  [levelOf(1), -40, 0],
  ["/audio/mixers/0/faders/0", { fader: -50, on: "yes" }, 3],
  [levelOf(), "-50", 3],
];

Deno.test("a write to another member than the level does not end a fade, nor does a refused write", async () => {
  const { console, fade, level, time } = simulatedConsole();
  await fade({ value: -10, seconds: 1 });
  time.runTo(300);
  for (const [path, value, code] of beside) {
    assertEquals(await codeOf(console, set(path, value)), code);
    assert(level() < -10);
  }
  time.runTo(1000);
  assertEquals(level(), -10);
});
