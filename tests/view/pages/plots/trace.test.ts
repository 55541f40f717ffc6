import { assertEquals } from "@std/assert";
import { createTrace, SLOTS } from "../../../../view/pages/plots/trace.ts";

Deno.test("a trace of which nothing was told knows nothing", () => {
  const trace = createTrace();
  assertEquals([trace.at(0), trace.at(7), trace.highest()], [undefined, undefined, undefined]);
});

Deno.test("a trace has the values of the last minute, and none before or after", () => {
  const trace = createTrace();
  const first = 12_345;
  for (let slot = first; slot < first + SLOTS + 3; slot++) trace.put(slot, slot - first);
  assertEquals(trace.at(first + SLOTS + 2), SLOTS + 2);
  assertEquals(trace.at(first + 3), 3);
  assertEquals(trace.at(first + 2), undefined);
  assertEquals(trace.at(first + SLOTS + 3), undefined);
});

/** How many slots nobody told of, and what stands there then. */
const gaps: readonly (readonly [slots: number, held: number | undefined, sentence: string])[] = [
  [2, -20, "a timer that is a little late leaves no gap"],
  [20, undefined, "what was not looked at for long is a gap"],
];

for (const [slots, held, sentence] of gaps) {
  Deno.test(sentence, () => {
    const trace = createTrace();
    trace.put(100, -10);
    trace.put(101 + slots, -20);
    assertEquals(trace.at(100 + slots), held);
    assertEquals([trace.at(100), trace.at(101 + slots)], [-10, -20]);
  });
}

Deno.test("a pause of more than a minute leaves nothing of before", () => {
  const trace = createTrace();
  trace.put(100, -1);
  trace.put(100 + SLOTS + 50, -30);
  assertEquals(trace.highest(), -30);
});

Deno.test("the highest is that of the minute: it goes when it is older", () => {
  const trace = createTrace();
  trace.put(0, -3);
  for (let slot = 1; slot < SLOTS; slot++) trace.put(slot, -20);
  assertEquals(trace.highest(), -3);
  trace.put(SLOTS, -20);
  assertEquals(trace.highest(), -20);
});

Deno.test("an unknown value is undefined", () => {
  const trace = createTrace();
  trace.put(5, -12);
  trace.put(6, undefined);
  assertEquals([trace.at(5), trace.at(6), trace.highest()], [-12, undefined, -12]);
});
