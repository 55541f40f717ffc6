import { assertEquals } from "@std/assert";
import type { Session } from "../../../transport/websocket/session.ts";
import { createUnfinishedGuard } from "../../../transport/websocket/unfinished.ts";

/** Sessions in the order in which they came, of which some have sent a whole message. */
function sessionsOf(...spoken: boolean[]) {
  const dropped: number[] = [];
  const sessions = spoken.map((has, number) => ({
    hasSpoken: () => has,
    drop: (code: number) => {
      assertEquals(code, 1009);
      dropped.push(number);
    },
  } as unknown as Session));
  return { sessions, dropped };
}

const MiB = 1024 * 1024;

/** A guard that allows 100 MiB over the 1000 at first. */
function guardAt() {
  const memory = { bytes: 1000 * MiB };
  const guard = createUnfinishedGuard(() => memory.bytes, () => 100 * MiB);
  return (mebibytes: number, sessions: readonly Session[]) => {
    memory.bytes = mebibytes * MiB;
    guard(sessions);
  };
}

Deno.test("where memory grows too far, those that never sent a whole message are dropped first", () => {
  const look = guardAt();
  const { sessions, dropped } = sessionsOf(true, false, true, false);
  look(1100, sessions);
  assertEquals(dropped, []);
  look(1102, sessions);
  assertEquals(dropped, [1, 3]);
});

Deno.test("where there is none such, the newer half is dropped, and so on until it is well", () => {
  const look = guardAt();
  const { sessions, dropped } = sessionsOf(true, true, true);
  look(1200, sessions);
  assertEquals(dropped, [1, 2]);
  look(1300, sessions.slice(0, 1));
  assertEquals(dropped, [1, 2, 0]);
});

Deno.test("memory that does not grow any more is no reason: the process may only keep it", () => {
  const look = guardAt();
  const { sessions, dropped } = sessionsOf(false);
  look(1300, []);
  look(1300, sessions);
  look(1250, sessions);
  look(1251, sessions);
  assertEquals(dropped, []);
  look(1253, sessions);
  assertEquals(dropped, [0]);
});
