import { assertEquals } from "@std/assert";
import type { Console } from "../../core/console.ts";
import type { Branch } from "../../core/tree/tree.ts";
import { keepHours } from "../../core/general.ts";
import { get } from "../../core/tree/get.ts";
import { DEVICE } from "../../core/users/user.ts";
import { stillClock, testConsole } from "../service.ts";
import { granted } from "./actors.ts";
import { recordingStore, settled } from "./stores.ts";

const HOUR = 3_600_000;

async function times(console: Console) {
  get(console, "/general");
  await settled();
  const general = granted(get(console, "/general")).value as Branch;
  return [general._systemtime, general._uptime, general._hourmeter];
}

Deno.test("_systemtime and _uptime are whole seconds of the clock at the time of the get", async () => {
  let now = Date.UTC(2026, 0, 2);
  let monotonic = 0;
  const console = await testConsole({ clock: { now: () => now, monotonic: () => monotonic } });
  const start = now / 1000;
  assertEquals(await times(console), [start, 0, 0]);
  now += 1999;
  monotonic += 1999;
  assertEquals(await times(console), [start + 1, 1, 0]);
  now -= 3_000;
  assertEquals(await times(console), [start - 2, 1, 0]);
  for (const path of ["/general/_uptime", "general/_uptime/", "/", ""]) {
    monotonic += 1000;
    const { value } = granted(get(console, path));
    const general = path.length > 1 ? undefined : (value as Branch).general as Branch;
    assertEquals(general ? general._uptime : value, Math.floor(monotonic / 1000), path);
  }
});

Deno.test("_hourmeter is stored once an hour, and continues after a restart", async () => {
  const store = recordingStore();
  const clock = stillClock();
  const console = await testConsole({ store, clock });
  const stored = store.records.length;
  for (let minute = 0; minute < 150; minute++) {
    clock.tick(60_000);
    await times(console);
    await console.dispatch(keepHours, DEVICE);
  }
  assertEquals(store.records.length, stored + 2);
  assertEquals((await times(console))[2], 2);
  const later = stillClock();
  const again = await testConsole({ records: store.records, clock: later });
  assertEquals((await times(again)).slice(1), [0, 2]);
  later.tick(HOUR);
  assertEquals((await times(again))[2], 3);
});

Deno.test("_uptime and _hourmeter count from the start of the console, wherever its clock begins", async () => {
  const clock = stillClock();
  clock.tick(10 * HOUR);
  const console = await testConsole({ clock });
  assertEquals((await times(console)).slice(1), [0, 0]);
  clock.tick(HOUR);
  assertEquals((await times(console)).slice(1), [3600, 1]);
});

Deno.test("watchers receive the changed members of general, and no others", async () => {
  const clock = stillClock();
  const console = await testConsole({ clock });
  await times(console);
  const patches: unknown[] = [];
  console.watch((event) => patches.push(event.type === "treechanged" && event.patch));
  await times(console);
  assertEquals(patches, []);
  clock.tick(1000);
  await times(console);
  assertEquals(patches, [{ general: { _systemtime: 1, _uptime: 1 } }]);
});

Deno.test("_activewebsockets is the number of connections that are open at the time of the get", async () => {
  let connections = 3;
  const clock = stillClock();
  const console = await testConsole({ clock, connections: () => connections });
  const read = (path: string) => granted(get(console, path)).value;
  assertEquals(read("/general/_activewebsockets"), 3);
  connections = 4;
  assertEquals((read("/general") as Branch)._activewebsockets, 4);
  const patches: unknown[] = [];
  console.watch((event) => patches.push(event.type === "treechanged" && event.patch));
  connections = 5;
  clock.tick(1000);
  assertEquals(read("/general/_uptime"), 1);
  assertEquals(patches, [{ general: { _uptime: 1 } }], "a heartbeat tells nobody of connections");
  assertEquals(read("/general/_activewebsockets"), 5);
});
