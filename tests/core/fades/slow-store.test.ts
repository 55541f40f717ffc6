import type { Console } from "../../../core/console.ts";
import { movingCount } from "../../../core/fades/unsynced.ts";
import { tellStorage } from "../../../core/storage-alarm.ts";
import { assert, assertEquals } from "@std/assert";
import { set } from "../../../core/tree/set.ts";
import { createStorageAlarm } from "../../../runtimes/storage-alarm.ts";
import type { Condition } from "../../../storage/contract.ts";
import { codeOf, restoring, resultOf, valueAt } from "../actors.ts";
import { settled, stagedStore } from "../stores.ts";
import { levelOf, simulatedConsole } from "./simulated-console.ts";

/**
 * A console whose store holds records until the test lets them land. A change that cannot be
 * stored is refused (`onFault` "refuse").
 */
function held() {
  const store = stagedStore();
  const simulated = simulatedConsole({ store, onFault: "refuse" });
  store.hold();
  return { ...simulated, store };
}

Deno.test("fades go on while the store is slow", async () => {
  const { console, fade, level, store, time } = held();
  const other = codeOf(console, set(levelOf(1), -5));
  await fade({ value: -10, seconds: 0.2 });
  time.runTo(100);
  assert(level() > -160 && level() < -10);
  time.runTo(200);
  assertEquals(level(), -10);
  assertEquals(store.waiting, 2);
  await store.release();
  assertEquals([await other, level(), level(1)], [0, -10, -5]);
});

Deno.test("a set that could not be stored changes nothing: the fade goes on", async () => {
  const { console, fade, level, store, time } = held();
  await fade({ value: -10, seconds: 1 });
  time.runTo(200);
  const setting = codeOf(console, set(levelOf(), -50));
  time.runTo(300);
  await store.fail("the disk is full");
  assertEquals(await setting, 12);
  time.runTo(400);
  assert(level() > -160 && level() < -10);
  time.runTo(1000);
  assertEquals([level(), movingCount(console.state.unsynced)], [-10, 0]);
});

Deno.test("a set that lands after steps of the fade ends it there, live and after a restart", async () => {
  const { console, fade, level, restingLevel, store, time } = held();
  await fade({ value: -10, seconds: 1 });
  time.runTo(200);
  const setting = codeOf(console, set(levelOf(), -50));
  time.runTo(260);
  await store.release();
  assertEquals(await setting, 0);
  time.runTo(5000);
  await settled();
  assertEquals([level(), restingLevel(), movingCount(console.state.unsynced)], [-50, -50, 0]);
});

Deno.test("a set on its way to the medium while the service stops is found by a restart", async () => {
  const { console, fade, fadeDriver, restingLevel, store, time } = held();
  await fade({ value: -10, seconds: 1 });
  time.runTo(180);
  const setting = codeOf(console, set(levelOf(), -50));
  const stopping = fadeDriver.stop();
  await store.release();
  await stopping;
  assertEquals([await setting, restingLevel()], [0, -50]);
});

Deno.test("a set that was answered is in force, even while another write is in flight", async () => {
  const { console, fade, level, store, time } = held();
  await fade({ value: -10, seconds: 1 });
  time.runTo(200);
  const first = codeOf(console, set(levelOf(), -50));
  time.runTo(220);
  const passed = level();
  const other = codeOf(console, set(levelOf(1), -5));
  await store.land();
  assertEquals([await first, level()], [0, -50]);
  const second = codeOf(console, set(levelOf(), passed));
  await store.release();
  assertEquals([await second, await other, level()], [0, 0, passed]);
});

Deno.test("a fade that is asked for while a set of its fader is on its way starts from the level that was set", async () => {
  const { console, fade, level, restingLevel, store, time } = held();
  const setting = codeOf(console, set(levelOf(), -50));
  const fading = fade({ value: 0, seconds: 1 });
  time.runTo(40);
  await store.release();
  assertEquals([await setting, await fading, level()], [0, 0, -50]);
  time.runTo(100);
  assert(level() > -50 && level() < 0);
  time.runTo(1100);
  await settled();
  assertEquals([level(), restingLevel()], [0, 0]);
});

Deno.test("fades of other faders do not wait for a set that is on its way", async () => {
  const { console, fade, level, store, time } = held();
  const setting = codeOf(console, set(levelOf(), -50));
  assertEquals(await fade({ fader: 1, value: 0, seconds: 0.1 }), 0);
  time.runTo(100);
  assertEquals(level(1), 0);
  await store.release();
  assertEquals(await setting, 0);
});

Deno.test("a resting level that could not be stored is stored with the next change, or when the service stops", async () => {
  for (const stops of [false, true]) {
    const { console, fade, fadeDriver, level, restingLevel, store, time } = held();
    await fade({ value: -10, seconds: 0.2 });
    time.runTo(200);
    for (const _ of "two tries") await store.fail("the disk is full");
    assert(restingLevel() !== level());
    await store.release();
    if (stops) await fadeDriver.stop();
    else assertEquals(await codeOf(console, set(levelOf(1), -5)), 0);
    await settled();
    assertEquals([level(), restingLevel(), console.state.unsynced.size], [-10, -10, 0]);
  }
});

Deno.test("the storage alarm ends once the resting levels are stored that could not be stored", async () => {
  const { console, fade, level, restingLevel, store, time } = held();
  await fade({ value: -10, seconds: 0.2 });
  time.runTo(200);
  for (const _ of [1, 2]) await store.fail("the disk is full");
  let condition: Condition = { state: "full" };
  const log = {
    get condition() {
      return condition;
    },
    retry() {
      condition = { state: "ok" };
      return Promise.resolve();
    },
  };
  createStorageAlarm({ console, log, data: "data", timer: time.timer, say: () => {} });
  time.runTo(1000);
  await settled();
  assertEquals([valueAt(console, "/general/_storage"), store.waiting], ["full", 1]);
  await store.release();
  assertEquals(valueAt(console, "/general/_storage"), "ok");
  assertEquals([level(), restingLevel(), console.state.unsynced.size], [-10, -10, 0]);
});

Deno.test("where changes are refused, a fade is refused during the storage alarm", async () => {
  const { console, fade, level, time } = held();
  await resultOf(console, tellStorage("full"));
  assertEquals(await fade({ value: -10, seconds: 0.2 }), 12);
  time.runTo(1000);
  assertEquals([level(), console.state.unsynced.size], [-160, 0]);
  await resultOf(console, tellStorage("slow"));
  assertEquals(await fade({ value: -10, seconds: 0.2 }), 0);
});

const withMixersOf = ({ state }: Console, faders: number) =>
  restoring(state, { configuration: { mixers: [{ faders }] }, settings: {}, snapshots: {} });

Deno.test("a fade that is asked for while a configuration is restored begins after the restore, and ends", async () => {
  const { console, fade, level, store, time } = held();
  const restored = codeOf(console, withMixersOf(console, 12));
  const faded = fade({ fader: 10, value: -10, seconds: 0.2 });
  const other = fade({ fader: 0, value: -20, seconds: 0.2 });
  await settled();
  assertEquals(movingCount(console.state.unsynced), 0);
  await store.land();
  assertEquals([await restored, await faded, await other], [0, 0, 0]);
  time.runTo(1000);
  await store.release();
  assertEquals([level(10), level(0), movingCount(console.state.unsynced)], [-10, -20, 0]);
});

Deno.test("a fade on a fader that the restored configuration does not have is refused, and moves nothing", async () => {
  const { console, fade, store, time } = held();
  const restored = codeOf(console, withMixersOf(console, 2));
  const faded = fade({ fader: 5, value: -10, seconds: 0.2 });
  await store.land();
  assertEquals([await restored, await faded], [0, 6]);
  time.runTo(1000);
  assertEquals([movingCount(console.state.unsynced), console.state.unsynced.size], [0, 0]);
});

Deno.test("if the restored configuration could not be stored, the fade goes on as requested", async () => {
  const { console, fade, level, store, time } = held();
  const restored = codeOf(console, withMixersOf(console, 12));
  const faded = fade({ fader: 3, value: -10, seconds: 0.2 });
  await store.fail("the disk is full");
  assertEquals([await restored, await faded], [12, 0]);
  time.runTo(1000);
  assertEquals(level(3), -10);
});

Deno.test("a fade that ends while a configuration without its fader is restored has ended also if that could not be stored", async () => {
  const { console, fade, store, time } = held();
  await fade({ fader: 5, value: -10, seconds: 0.2 });
  const restored = codeOf(console, withMixersOf(console, 2));
  time.runTo(200);
  await store.fail("the disk is full");
  await store.release();
  assertEquals(await restored, 12);
  assertEquals(valueAt(console, "/audio/mixers/0/faders/5/fade/_time"), 0);
});
