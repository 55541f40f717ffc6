import { assert, assertEquals } from "@std/assert";
import { copyInPieces, inTurns, PIECE_BYTES } from "../../transport/turns.ts";

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
