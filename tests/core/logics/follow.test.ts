/** Logics that follow fader channels, as a red light follows microphones. */
import { assertEquals } from "@std/assert";
import type { Console } from "../../../core/console.ts";
import { fadeToValue } from "../../../core/fades/fadetovalue.ts";
import { createFadeDriver } from "../../../core/fades/fade-driver.ts";
import { followLogics } from "../../../core/logics/follow.ts";
import { set } from "../../../core/tree/set.ts";
import { DEVICE } from "../../../core/users/user.ts";
import { refusing, result, testConsole } from "../../service.ts";
import { passingTime } from "../../timers.ts";
import { restoring, valueAt } from "../actors.ts";
import { recordingStore, settled, stagedStore } from "../stores.ts";

const light = "/control/logics/1/value";

/** The demo console: its red light follows the channels 1 to 3, on the first three faders. */
async function followed(options: Parameters<typeof testConsole>[0] = {}) {
  const console = await testConsole(options);
  followLogics(console);
  const fader = (id: number, members: unknown) =>
    result(console, set(`/audio/mixers/0/faders/${id}`, members));
  return { console, fader, isLit: () => valueAt(console, light) };
}

Deno.test("a logic is true while any fader with one of its channels is on and open", async () => {
  const { fader, isLit } = await followed();
  const steps: readonly (readonly [number, object, boolean])[] = [
    [0, { on: true }, false],
    [0, { fader: -159 }, true],
    [2, { on: true, fader: -10 }, true],
    [0, { on: false }, true],
    [2, { fader: -160 }, false],
    [3, { on: true, fader: 0 }, false],
    [3, { sourceid: 2 }, true],
    [3, { sourceid: 0 }, false],
  ];
  assertEquals(isLit(), false);
  for (const [id, members, expected] of steps) {
    await fader(id, members);
    assertEquals(isLit(), expected, `fader ${id}: ${JSON.stringify(members)}`);
  }
});

Deno.test("watchers receive a logic once, after the change that caused it", async () => {
  const { console, fader } = await followed();
  const patches: unknown[] = [];
  console.watch((event) => patches.push(event.type === "treechanged" && event.patch));
  await fader(1, { on: true, fader: -3 });
  await fader(1, { fader: -6 });
  const ofFader = (members: object) => ({ audio: { mixers: { 0: { faders: { 1: members } } } } });
  assertEquals(patches, [
    ofFader({ on: true, fader: -3 }),
    { control: { logics: { 1: { value: true } }, gpos: { 1: { _state: true } } } },
    ofFader({ fader: -6 }),
  ]);
});

Deno.test("a logic that follows channels is set back at once after a set by a client; any other logic stays as set", async () => {
  const { console, fader, isLit } = await followed();
  await result(console, set(light, true));
  assertEquals(isLit(), false);
  await fader(0, { on: true, fader: 0 });
  await result(console, set(light, false));
  assertEquals(isLit(), true);
  await result(console, set("/control/logics/2/value", false));
  assertEquals(valueAt(console, "/control/logics/2/value"), false);
});

Deno.test("a fade to -160 dB makes the logic false with its last step", async () => {
  const { timer, pass } = passingTime();
  const { console, fader, isLit } = await followed();
  const fadeDriver = createFadeDriver(console, timer);
  await fader(0, { on: true, fader: 0 });
  console.dispatch(fadeToValue({ mixer: 0, fader: 0, seconds: 1, value: -160 }), DEVICE);
  pass(960);
  assertEquals(isLit(), true);
  pass(80);
  await settled();
  assertEquals(isLit(), false);
  await fadeDriver.stop();
});

Deno.test("a logic follows the state in force: not before a write is stored, and not if that fails", async () => {
  const store = stagedStore();
  const { console, isLit } = await followed({ store, configuration: refusing });
  store.hold();
  const path = "/audio/mixers/0/faders/0";
  const lost = console.dispatch(set(path, { on: true, fader: 0 }), {});
  assertEquals(isLit(), false);
  await store.fail("no space left");
  await lost;
  assertEquals(isLit(), false);
  const kept = console.dispatch(set(path, { on: true, fader: 0 }), {});
  await store.land();
  await kept;
  assertEquals(isLit(), true);
});

Deno.test("a following logic is not stored: a start derives it from the faders", async () => {
  const store = recordingStore();
  const { fader, isLit } = await followed({ store });
  const stored = store.records.length;
  await fader(0, { on: true, fader: 0 });
  assertEquals([isLit(), store.records.length], [true, stored + 1]);
  const again: Console = await testConsole({ records: store.records });
  assertEquals(valueAt(again, light), false);
  followLogics(again);
  assertEquals(valueAt(again, light), true);
});

Deno.test("after the restore of a configuration, its own logics follow", async () => {
  const { console, fader } = await followed();
  await fader(4, { on: true, fader: 0 });
  const logics = [{ id: 1, follows: [5] }, { id: 2, follows: [1] }, { id: 3, value: true }];
  const configuration = { mixers: [{ faders: 8 }], logics };
  await console.dispatch(
    restoring(console.state, { configuration, settings: {}, snapshots: {} }),
    {},
  );
  const values = [1, 2, 3].map((id) => valueAt(console, `/control/logics/${id}/value`));
  assertEquals(values, [true, false, true]);
});

Deno.test("without following logics a change of a fader makes no further event", async () => {
  const { console, fader } = await followed({
    configuration: { mixers: [{ faders: 1 }], logics: [{ id: 1 }] },
  });
  let events = 0;
  console.watch(() => events++);
  await fader(0, { on: true, fader: 0 });
  assertEquals([events, valueAt(console, light)], [1, false]);
});

Deno.test("an output (GPO) follows the logic of its channel, also once it has another channel", async () => {
  const logics = [{ id: 1, channel: "1.2.3" }, { id: 2, channel: "1.2.4", value: true }];
  const gpos = [{ id: 1, channel: "1.2.3" }, { id: 2 }];
  const { console } = await followed({ configuration: { logics, gpos } });
  const states = () => [1, 2].map((id) => valueAt(console, `/control/gpos/${id}/_state`));
  assertEquals(states(), [false, false]);
  await result(console, set("/control/logics/1/value", true));
  assertEquals(states(), [true, false]);
  await result(console, set("/control/gpos/2/channel", "1.2.4"));
  assertEquals(states(), [true, true]);
  await result(
    console,
    set("/control", {
      logics: { 1: { value: false } },
      gpos: { 2: { channel: "nowhere" } },
    }),
  );
  assertEquals(states(), [false, false]);
});
