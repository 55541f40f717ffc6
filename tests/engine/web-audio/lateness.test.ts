/** An engine is late where it renders less sound than time passes. */
import { assertEquals } from "@std/assert";
import { createLateness } from "../../../engine/web-audio/lateness.ts";

/** Whether the engine is late after each 2 s in which it renders a share of the time. */
function saidWhile(
  shares: readonly number[],
  { bufferSeconds = 0.085, began = 0 } = {},
): readonly boolean[] {
  const context = { currentTime: began };
  let ms = 0;
  let due = began;
  const isLate = createLateness(context, () => ms);
  isLate();
  return shares.map((share) => {
    let said = false;
    for (const end = ms + 2000; ms < end;) {
      ms += 40;
      due += 0.04 * share;
      context.currentTime = Math.floor(due / bufferSeconds) * bufferSeconds;
      said = isLate();
    }
    return said;
  });
}

Deno.test("an engine is late only while it renders less than 95 of 100 ms", () => {
  assertEquals(saidWhile([1, 0.6, 0.6, 1, 1, 0.9, 1]), [
    false,
    true,
    true,
    false,
    false,
    true,
    false,
  ]);
});

Deno.test("an engine whose device stops is late", () => {
  assertEquals(saidWhile([1, 0, 1]), [false, true, false]);
});

Deno.test("large buffers, a device clock of its own and a late start do not make an engine late", () => {
  assertEquals(saidWhile(Array(50).fill(0.9995), { began: 3.5 }).includes(true), false);
  assertEquals(saidWhile(Array(50).fill(1.0005)).includes(true), false);
});
