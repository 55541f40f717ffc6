/** Which batches a hub drops for a new one. */
import { assertEquals } from "@std/assert";
import { droppedFor } from "../../../fleet/batches/batch-room.ts";
import { BATCH_RESULTS, BATCHES } from "../../../fleet/hub/hub-limits.ts";

type Kept = Parameters<typeof droppedFor>[0] extends Iterable<infer One> ? One : never;

/** A settled batch of live commands; `results` is its number of consoles. */
function batch(id: string, by: string, more: { results?: number } & Partial<Kept> | object = {}) {
  const { results = 1, ...rest } = more as { results?: number };
  return {
    facts: { id, by, order: { kind: "live" } },
    results: { size: results },
    isSettled: true,
    isStored: false,
    ...rest,
  } as unknown as Kept;
}

const idsOf = (dropped: readonly Kept[] | undefined) => dropped?.map(({ facts }) => facts.id);

Deno.test("if all users together have too many batches, one of the user with the most results is dropped", () => {
  const users = BATCHES.all / BATCHES.ofUser;
  const batches = Array.from({ length: BATCHES.all }, (_, count) => {
    const user = count % users;
    return batch(`${count}`, `user ${user}`, { results: user === 2 ? 2 : 1 });
  });
  assertEquals(idsOf(droppedFor(batches, "new", 1)), ["2"]);
  assertEquals(idsOf(droppedFor(batches.slice(1), "new", 1)), []);
});

Deno.test("only batches that may be dropped count for the user with the most results", () => {
  const results = BATCH_RESULTS.all / 4;
  const running = { results: 2 * results, isSettled: false };
  const batches = [
    batch("running", "anna", running),
    batch("settled", "ben", { results }),
    batch("other", "carl", { results: results - 1 }),
  ];
  assertEquals(idsOf(droppedFor(batches, "new", 2)), ["settled"]);
  const [first] = batches;
  assertEquals(droppedFor([first!, batch("b", "ben", running)], "new", 1), undefined);
});
