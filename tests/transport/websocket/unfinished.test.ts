import { assertEquals } from "@std/assert";
import type { Session } from "../../../transport/websocket/session.ts";
import { createUnfinishedGuard } from "../../../transport/websocket/unfinished.ts";

/** Sessions in the order in which they came, that have been silent for so many ms. */
function sessionsOf(...silent: number[]) {
  const dropped: number[] = [];
  const sessions = silent.map((ms, number) => ({
    silentMs: () => ms,
    drop: (code: number) => {
      assertEquals(code, 1009);
      dropped.push(number);
    },
  } as unknown as Session));
  return { sessions, dropped };
}

const MiB = 1024 * 1024;
const NEVER = Infinity;

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
  const { sessions, dropped } = sessionsOf(20_000, NEVER, 0, NEVER);
  look(1100, sessions);
  assertEquals(dropped, []);
  look(1102, sessions);
  assertEquals(dropped, [1, 3]);
});

Deno.test("where there is none such, the newer half of those is dropped whose heartbeats are missing", () => {
  const look = guardAt();
  const { sessions, dropped } = sessionsOf(20_000, 12_000, 0, 11_000);
  look(1200, sessions);
  assertEquals(dropped, [1]);
});

Deno.test("where all have been heard, the newer half is dropped, and so on until it is well", () => {
  const look = guardAt();
  const { sessions, dropped } = sessionsOf(0, 5000, 11_000);
  look(1200, sessions);
  assertEquals(dropped, [1, 2]);
  look(1300, sessions.slice(0, 1));
  assertEquals(dropped, [1, 2, 0]);
});

Deno.test("memory that does not grow any more is no reason: the process may only keep it", () => {
  const look = guardAt();
  const { sessions, dropped } = sessionsOf(NEVER);
  look(1300, []);
  look(1300, sessions);
  look(1250, sessions);
  look(1251, sessions);
  assertEquals(dropped, []);
  look(1253, sessions);
  assertEquals(dropped, [0]);
});
