import { assertEquals } from "@std/assert";
import { listUsers } from "../../../core/users/getuserlist.ts";
import { noteUse } from "../../../core/users/last-use.ts";
import { modifyUser } from "../../../core/users/modifyuser.ts";
import { result, stillClock, testConsole } from "../../service.ts";
import { checkpointOf, recordingStore } from "../stores.ts";

const HOUR_MS = 3_600_000;

Deno.test("the last use of a token is kept once an hour at most, and is there after a restart", async () => {
  const clock = stillClock();
  clock.tick(Date.UTC(2026, 9, 2, 7, 30));
  const store = recordingStore();
  const console = await testConsole({ clock, store });
  const { length } = store.records;
  const lastused = (of = console) =>
    listUsers(of.state).find(({ name }) => name === "one")!.lastused;
  assertEquals(lastused(), null);
  const uses: readonly (readonly [number, string, number])[] = [
    [0, "2026-10-02T07:30:00.000Z", 1],
    [0, "2026-10-02T07:30:00.000Z", 1],
    [HOUR_MS - 1, "2026-10-02T07:30:00.000Z", 1],
    [1, "2026-10-02T08:30:00.000Z", 2],
    [-2 * HOUR_MS, "2026-10-02T06:30:00.000Z", 3],
  ];
  for (const [passed, expected, records] of uses) {
    clock.tick(passed);
    await result(console, noteUse("one"));
    assertEquals([lastused(), store.records.length - length], [expected, records]);
  }
  for (const records of [store.records, checkpointOf(console.state)]) {
    assertEquals(lastused(await testConsole({ records })), "2026-10-02T06:30:00.000Z");
  }
  await result(console, noteUse("nobody"));
  assertEquals(store.records.length - length, 3);
  await result(console, modifyUser({ name: "one", groups: 3 }));
  assertEquals(lastused(), "2026-10-02T06:30:00.000Z");
  await result(console, modifyUser({ name: "one", newtoken: true }));
  assertEquals(lastused(), null, "another token has not been used yet");
});
