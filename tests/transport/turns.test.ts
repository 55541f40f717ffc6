import { assert, assertEquals } from "@std/assert";
import { PIECE_BYTES } from "../../core/limits.ts";
import {
  copyInPieces,
  inTurns,
  mayTake,
  oneByOne,
  takeLater,
  turn,
} from "../../transport/turns.ts";

Deno.test("long work is done to its end, with a turn of the event loop after every piece", async () => {
  const order: string[] = [];
  function* work() {
    for (const piece of ["first", "second", "third"]) {
      order.push(piece);
      yield PIECE_BYTES;
    }
    return "done";
  }
  setImmediate(() => order.push("another"));
  assertEquals(await inTurns(work()), "done");
  assertEquals(order, ["first", "another", "second", "third"]);
});

Deno.test("short work is done without a turn", async () => {
  let another = false;
  setImmediate(() => another = true);
  await inTurns(copyInPieces(new Uint8Array(100), new Uint8Array(100)));
  assert(!another);
  await new Promise((resolve) => setTimeout(resolve));
});

Deno.test("a copy in pieces is a copy", async () => {
  for (const length of [0, 1, PIECE_BYTES - 1, PIECE_BYTES, PIECE_BYTES + 1, 3 * PIECE_BYTES + 7]) {
    const from = Uint8Array.from({ length }, (_, at) => at * 31 ^ at >> 8);
    const to = new Uint8Array(length + 5);
    await inTurns(copyInPieces(from, to));
    assert(from.every((byte, at) => byte === to[at]), `${length}`);
    assertEquals(to.subarray(length), new Uint8Array(5));
  }
});

Deno.test("of many who wait for a turn, one goes on in each", async () => {
  let turns = 0;
  let counting = true;
  setImmediate(function count() {
    turns++;
    if (counting) setImmediate(count);
  });
  const wentOn: number[] = [];
  const wait = async () => {
    for (let times = 0; times < 3; times++) {
      await turn();
      wentOn.push(turns);
    }
  };
  await Promise.all(Array.from({ length: 20 }, wait));
  counting = false;
  assertEquals(wentOn.length, 60);
  assertEquals(new Set(wentOn).size, 60, "never two in one turn");
});

Deno.test("what takes much is done one by one, in its order, also after one that failed", async () => {
  const [order, first, failing] = [[] as string[], ...["", ""].map(() => Promise.withResolvers())];
  const works = [first!, failing!, { promise: Promise.resolve("third") }]
    .map(({ promise }, at) =>
      oneByOne(() => {
        order.push(`${at} begins`);
        return promise.finally(() => order.push(`${at} ends`));
      })
    );
  const outcomes = Promise.allSettled(works);
  failing!.promise.catch(() => {});
  failing!.reject(new Error("second"));
  await turn();
  assertEquals(order, ["0 begins"]);
  first!.resolve("first");
  assertEquals((await outcomes).map(({ status }) => status), [
    "fulfilled",
    "rejected",
    "fulfilled",
  ]);
  assertEquals(order, [0, 1, 2].flatMap((at) => [`${at} begins`, `${at} ends`]));
});

/** Counts the turns of the event loop while `run` runs, which is told of the number at any time. */
async function countingTurns(run: (turns: () => number) => Promise<void>): Promise<void> {
  let turns = 0;
  let counting = true;
  setImmediate(function count() {
    turns++;
    if (counting) setImmediate(count);
  });
  await run(() => turns);
  counting = false;
}

function work(ms: number): void {
  for (const end = performance.now() + ms; performance.now() < end;);
}

Deno.test("many requests that come together are taken with turns of the event loop between", () =>
  countingTurns(async (turns) => {
    const taken = new Map<number, number>();
    await Promise.all(Array.from({ length: 500 }, () =>
      new Promise<void>((resolve) => {
        const take = () => {
          work(0.05);
          taken.set(turns(), (taken.get(turns()) ?? 0) + 1);
          resolve();
        };
        if (mayTake()) take();
        else takeLater(take);
      })));
    assertEquals([...taken.values()].reduce((sum, one) => sum + one), 500);
    const most = Math.max(...taken.values());
    assert(most <= 100, `${most} in one turn`);
  }));

Deno.test("whoever sends without end keeps nobody out", () =>
  countingTurns(async (turns) => {
    let ended = false;
    let taken = 0;
    const endless = (): void => {
      // Once it is called it takes one, and asks again.
      do {
        work(0.05);
        taken++;
      } while (!ended && mayTake());
      if (!ended) takeLater(endless);
    };
    takeLater(endless);
    while (mayTake()) work(0.01);
    await new Promise((resolve) => setImmediate(resolve));
    const before = turns();
    for (let request = 0; request < 10; request++) {
      await new Promise<void>((resolve) => {
        if (mayTake()) resolve();
        else takeLater(resolve);
      });
    }
    ended = true;
    assert(taken > 100, `${taken} of the endless ones`);
    assert(turns() - before < 40, `${turns() - before} turns for 10 requests`);
  }));
