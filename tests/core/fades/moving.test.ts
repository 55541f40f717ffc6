import { movingCount } from "../../../core/fades/unsynced.ts";
import { assert, assertEquals } from "@std/assert";
import { levelAt, planFade } from "../../../fade/plan.ts";
import { contentOf } from "../../../core/snapshots/snapshot.ts";
import { saveSnapshot } from "../../../core/snapshots/savesnapshot.ts";
import { set } from "../../../core/tree/set.ts";
import { type Branch, find } from "../../../core/tree/tree.ts";
import { editor, levelOf, simulatedConsole } from "./simulated-console.ts";
import { codeOf, resultOf } from "../actors.ts";
import { settled } from "../stores.ts";

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

Deno.test("a change of a fade holds the levels alone, and the number of its tick", async () => {
  const { fade, changes, time } = simulatedConsole();
  await fade({ mixer: 1, fader: 3, value: -10, seconds: 0.02 });
  time.runTo(20);
  const patch = { audio: { mixers: { 1: { faders: { 3: { fader: -10 } } } } } };
  assertEquals(changes.map(({ event }) => event), [{
    type: "treechanged",
    ofFades: true,
    tick: 1,
    patch,
  }]);
});

Deno.test("a fade arrives at its target exactly, once, and at its time", async () => {
  const { fade, changes, level, time } = simulatedConsole();
  await fade({ value: -12.3, seconds: 0.5 });
  time.runTo(499);
  assert(level() < -12.3);
  time.runTo(2000);
  assertEquals(level(), -12.3);
  const arrivals = changes.filter(({ event }) =>
    find(event.patch as unknown as Branch, ["audio", "mixers", "0", "faders", "0", "fader"]) ===
      -12.3
  );
  assertEquals(arrivals.map(({ at }) => at), [500]);
});

Deno.test("levels never turn back, however late the wake-ups come", async () => {
  const { fade, changes, time } = simulatedConsole();
  await fade({ value: 0, seconds: 2 });
  let late = 7;
  time.runTo(3000, () => (late = late * 31 % 97));
  const levels = changes.map(({ event }) =>
    find(event.patch as unknown as Branch, [
      "audio",
      "mixers",
      "0",
      "faders",
      "0",
      "fader",
    ]) as number
  );
  assert(levels.length > 10);
  assertEquals(levels, levels.toSorted((left, right) => left - right));
  assertEquals(new Set(levels).size, levels.length);
  assertEquals(levels.at(-1), 0);
});

Deno.test("no timer runs while no fader moves", async () => {
  const { fade, console, time } = simulatedConsole();
  assertEquals(time.pending(), 0);
  await fade({ seconds: 0.1 });
  await fade({ fader: 1, seconds: 0.2 });
  assertEquals(time.pending(), 1);
  time.runTo(200);
  assertEquals([time.pending(), movingCount(console.state.unsynced)], [0, 0]);
  await fade({ value: -20, seconds: 1 });
  await resultOf(console, set(levelOf(), -5));
  assertEquals([time.pending(), movingCount(console.state.unsynced)], [0, 0]);
});

for (
  const [seconds, arrival] of [
    [0.0101, 20],
    [0.02, 20],
    [0.029, 20],
    [0.031, 40],
    [0.049, 40],
    [0.1 + 0.2, 300],
    [29.991, 30_000],
    [30, 30_000],
  ] as const
) {
  Deno.test(`a duration is rounded to the nearest 0.020 s: ${seconds} s arrives after ${arrival} ms`, async () => {
    const { fade, level, time } = simulatedConsole();
    await fade({ value: -7, seconds });
    time.runTo(arrival - 1);
    assert(level() !== -7, "too early");
    time.runTo(arrival);
    assertEquals(level(), -7);
  });
}

for (const seconds of [0, 0.009]) {
  Deno.test(`a fade of ${seconds} s sets at once, and is kept before it is answered`, async () => {
    const { fade, changes, level, restingLevel, store, time } = simulatedConsole();
    assertEquals(await fade({ value: -7, seconds }), 0);
    assertEquals([level(), restingLevel(), store.records.length], [-7, -7, 1]);
    assertEquals(changes.map(({ at, event }) => [at, event.kept !== undefined]), [[0, true]]);
    assertEquals(time.pending(), 0);
  });

  Deno.test(`a fade of ${seconds} s ends the fade that runs`, async () => {
    const { fade, changes, level, time } = simulatedConsole();
    await fade({ value: 0, seconds: 1 });
    time.runTo(200);
    await fade({ value: -7, seconds });
    const after = changes.length;
    time.runTo(2000);
    assertEquals([level(), changes.length - after], [-7, 0]);
  });
}

Deno.test("a new fade on a fader replaces the running one from where it is", async () => {
  const { fade, level, time } = simulatedConsole();
  await fade({ value: 0, seconds: 1 });
  time.runTo(500);
  const passed = level();
  await fade({ value: -160, seconds: 0.2 });
  const plan = planFade(passed, -160, 500, 0.2);
  for (let step = 1; step <= 10; step++) {
    time.runTo(500 + step * 20);
    assertEquals(level(), levelAt(plan, step), `step ${step}`);
  }
  time.runTo(2000);
  assertEquals(level(), -160);
});

Deno.test("each fader keeps its own fade: one that is replaced or ended leaves the others", async () => {
  const { console, fade, level, time } = simulatedConsole();
  for (const fader of [0, 1, 2]) await fade({ fader, value: -10, seconds: 1 });
  time.runTo(300);
  await fade({ fader: 0, value: -20, seconds: 0.1 });
  await resultOf(console, set(levelOf(1), -30));
  time.runTo(1000);
  assertEquals([0, 1, 2].map((fader) => level(fader)), [-20, -30, -10]);
});

Deno.test("a savesnapshot in the middle of a fade holds the level that the fader passes", async () => {
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

Deno.test("a fade to where the fader is already ends at its time, and changes nothing", async () => {
  const { changes, console, fade, level, time } = simulatedConsole();
  await fade({ value: level(), seconds: 0.1 });
  time.runTo(99);
  assertEquals(movingCount(console.state.unsynced), 1);
  time.runTo(1000);
  assertEquals([movingCount(console.state.unsynced), changes.length], [0, 0]);
});

Deno.test("beyond limits.fades a further fader is refused with code 11, and nothing moves", async () => {
  const { console, fade, level, time } = simulatedConsole({ limits: { fades: 3 } });
  for (const fader of [0, 1, 2]) assertEquals(await fade({ fader }), 0);
  const before = level(3);
  assertEquals(await fade({ fader: 3 }), 11);
  assertEquals(await fade({ mixer: 1, fader: 0 }), 11);
  time.runTo(500);
  assertEquals([level(3), movingCount(console.state.unsynced)], [before, 3]);
});

Deno.test("replacing a fade does not count towards limits.fades, nor does one of 0 s", async () => {
  const { fade, level } = simulatedConsole({ limits: { fades: 3 } });
  for (const fader of [0, 1, 2]) await fade({ fader });
  assertEquals(await fade({ fader: 1, value: -20 }), 0);
  assertEquals(await fade({ fader: 3, value: -20, seconds: 0 }), 0);
  assertEquals(level(3), -20);
});

Deno.test("a fade that has ended makes room below limits.fades", async () => {
  const { console, fade, time } = simulatedConsole({ limits: { fades: 2 } });
  await fade({ fader: 0, seconds: 0.1 });
  await fade({ fader: 1, seconds: 1 });
  assertEquals(await fade({ fader: 2 }), 11);
  time.runTo(100);
  assertEquals(await fade({ fader: 2 }), 0);
  await resultOf(console, set(levelOf(1), -5));
  assertEquals(await fade({ fader: 3 }), 0);
});

Deno.test("512 faders move at once, by default up to 1,024", async () => {
  const { fade, level, time, changes } = simulatedConsole({ faders: 520 });
  for (let at = 0; at < 1024; at++) {
    assertEquals(await fade({ mixer: at % 2, fader: at >> 1, value: -1, seconds: 0.04 }), 0);
  }
  assertEquals(await fade({ fader: 519 }), 11);
  time.runTo(40);
  await settled();
  assertEquals([level(0), level(511, 1), changes.length], [-1, -1, 2]);
});

for (const [what, address] of [["mixer", { mixer: 2 }], ["fader", { fader: 8 }]] as const) {
  for (const seconds of [0, 1]) {
    Deno.test(`a fade of ${seconds} s on a ${what} that is not configured is refused with code 6`, async () => {
      const { changes, console, fade, store, time } = simulatedConsole();
      assertEquals(await fade({ ...address, seconds }), 6);
      assertEquals([changes.length, store.records.length, time.pending()], [0, 0, 0]);
      assertEquals(movingCount(console.state.unsynced), 0);
    });
  }
}

Deno.test("a write beside the level, on the moving fader itself, does not end its fade", async () => {
  const { console, fade, level, time } = simulatedConsole();
  await fade({ value: -10, seconds: 1 });
  time.runTo(300);
  assertEquals(
    await codeOf(console, set("/audio/mixers/0/faders/0", { on: true, label: "Host" })),
    0,
  );
  assertEquals(await codeOf(console, set(levelOf(1), -40)), 0);
  time.runTo(1000);
  assertEquals(level(), -10);
});

Deno.test("a refused write does not end a fade", async () => {
  const { console, fade, level, time } = simulatedConsole();
  await fade({ value: -10, seconds: 1 });
  time.runTo(300);
  const faders = "/audio/mixers/0/faders/0";
  assertEquals(await codeOf(console, set(faders, { fader: -50, on: "yes" })), 3);
  assertEquals(await codeOf(console, set(levelOf(), "-50")), 3);
  time.runTo(1000);
  assertEquals(level(), -10);
});
