/** Events and requests of a console while a restore is on its way to the medium. */
import { assertEquals } from "@std/assert";
import type { BackupContents } from "../../../core/backup/read-backup.ts";
import type { Console } from "../../../core/console.ts";
import { claimPaths, endClaim } from "../../../core/engines/claim.ts";
import { takeReport } from "../../../core/engines/report.ts";
import { createFadeDriver } from "../../../core/fades/fade-driver.ts";
import { fadeToValue } from "../../../core/fades/fadetovalue.ts";
import { saveSnapshot } from "../../../core/snapshots/savesnapshot.ts";
import { tellStorage } from "../../../core/storage-alarm.ts";
import { set } from "../../../core/tree/set.ts";
import { undo } from "../../../core/undo/undo.ts";
import { addUser, removeUser } from "../../../core/users/adduser.ts";
import { DEVICE } from "../../../core/users/user.ts";
import { simulatedTime } from "../../fade/simulated_time.ts";
import { demoWith, result, testConsole, until } from "../../service.ts";
import { actor, codeOf, refusal, restoring, valueAt } from "../actors.ts";
import { replayed, settled, stagedStore } from "../stores.ts";
import { packed, restoredFrom } from "./archives.ts";

const FADER = "/audio/mixers/0/faders/0";

/** A configuration with mixer 0 alone. */
const other: BackupContents = {
  configuration: demoWith({
    mixers: [{ id: 0, name: "Other", faders: 8 }],
    factorySnapshots: [],
  }),
  settings: {},
  snapshots: {},
};

/** A console whose store can hold records, with faders that move in simulated time. */
async function held() {
  const store = stagedStore();
  const { clock: { monotonic }, timer, runTo } = simulatedTime();
  const console = await testConsole({ store, clock: { now: monotonic, monotonic } });
  createFadeDriver(console, timer);
  return { console, store, runTo };
}

/** Claims a mixer for an engine on a connection. */
async function claim(console: Console, mixer: string, connection: number): Promise<void> {
  const user = { ...console.state.users.get("admin")!, engine: true };
  const command = claimPaths(user, [["audio", "mixers", mixer]]);
  assertEquals(await codeOf(console, command, { ...DEVICE, connection }), 0);
}

Deno.test("a fade that ends while another configuration is stored leaves its fader where it has ended", async () => {
  const { console, store, runTo } = await held();
  await result(console, set(`${FADER}/fader`, 0));
  await result(console, fadeToValue({ mixer: 0, fader: 0, seconds: 0.4, value: -160 }));
  runTo(100);
  store.hold();
  const restored = result(console, restoring(console.state, other));
  runTo(1000);
  await settled();
  assertEquals(valueAt(console, `${FADER}/fader`), -160);
  await store.release();
  await restored;
  await settled();
  assertEquals(valueAt(console, `${FADER}/fader`), -160, "live");
  assertEquals(valueAt(console, `${FADER}/fade/_time`), 0);
  assertEquals(console.state.unsynced.size, 0);
  const state = replayed(console.state.configuration, store.records);
  assertEquals(valueAt({ ...console, state }, `${FADER}/fader`), -160, "after a restart");
});

Deno.test("a storage alarm that ends with the write of another configuration is over after it", async () => {
  const { console, store } = await held();
  await result(console, tellStorage("slow"));
  store.hold();
  const restored = result(console, restoring(console.state, other));
  await result(console, tellStorage("ok"));
  await store.release();
  await restored;
  assertEquals(valueAt(console, "/general/_storage"), "ok");
});

Deno.test("an engine that is lost while another configuration is stored is lost after it, and its faders are not ready", async () => {
  const { console, store } = await held();
  await claim(console, "0", 7);
  const ready = { audio: { mixers: { 0: { faders: { 0: { _readystate: true } } } } } };
  await result(console, takeReport(ready, [["audio", "mixers", "0"]]));
  assertEquals(valueAt(console, `${FADER}/_readystate`), true);
  store.hold();
  const restored = result(console, restoring(console.state, other));
  const ended = result(console, endClaim(7));
  await store.release();
  await restored;
  await ended;
  assertEquals(valueAt(console, "/general/_engine"), "lost");
  assertEquals(valueAt(console, `${FADER}/_readystate`), false);
});

Deno.test("a claim that ends while a configuration without an earlier lost path is stored stays ended", async () => {
  const { console, store } = await held();
  await claim(console, "1", 6);
  await result(console, endClaim(6));
  await claim(console, "0", 7);
  store.hold();
  const restored = result(console, restoring(console.state, other));
  const ended = result(console, endClaim(7));
  await store.release();
  await restored;
  await ended;
  assertEquals(console.state.engines.claims.size, 0);
});

Deno.test("an undo while another configuration is stored is refused, because it forgets all steps", async () => {
  const { console, store } = await held();
  const editor = { ...DEVICE, call: "set" };
  await console.dispatch(set("/audio/mixers/1/faders/0/fader", -7), editor);
  const step = console.undoSteps.at(-1)!;
  store.hold();
  const restored = result(console, restoring(console.state, other));
  assertEquals(await codeOf(console, undo(step, false), DEVICE), 6);
  await store.release();
  await restored;
  assertEquals(console.undoSteps, []);
});

Deno.test("a restore of an admin who is removed while its snapshots are stored is refused", async () => {
  const { console, store } = await held();
  await result(console, addUser({ name: "boss", groups: 255, admin: true }));
  const save = (name: string) => {
    const target = { type: 1, id: "", mixer: 0, fader: 0, name } as const;
    const command = saveSnapshot({ ...target, writegroups: 1, readgroups: 0 });
    return codeOf(console, command, actor(console, "admin"));
  };
  await save("Morning");
  const archive = await packed(console.state, ["CHSNAPS"]);
  await save("Noon");
  const before = console.state.snapshots;
  store.hold();
  const restored = restoredFrom(console, archive, "CHSNAPS", { by: "boss" });
  await until(() => store.waiting > 0);
  const removed = result(console, removeUser("boss"));
  await store.release();
  await removed;
  assertEquals(refusal(await restored).code, 4);
  assertEquals([console.state.snapshots, console.state.staged.size], [before, 0]);
});
