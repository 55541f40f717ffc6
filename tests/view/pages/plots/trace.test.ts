import { assertEquals } from "@std/assert";
import { createTrace, SLOTS } from "../../../../view/pages/plots/trace.ts";

Deno.test("a new trace has no values", () => {
  const trace = createTrace(100);
  assertEquals([trace.at(0), trace.at(7), trace.highest()], [undefined, undefined, undefined]);
});

Deno.test("a trace has the values of its range, and none before or after the range", () => {
  const trace = createTrace(100);
  const first = 12_345;
  for (let slot = first; slot < first + SLOTS + 3; slot++) trace.put(slot, slot - first);
  assertEquals(trace.at(first + SLOTS + 2), SLOTS + 2);
  assertEquals(trace.at(first + 3), 3);
  assertEquals(trace.at(first + 2), undefined);
  assertEquals(trace.at(first + SLOTS + 3), undefined);
});

/** The number of slots without a report, and the value held there. */
const gaps: readonly (readonly [slots: number, held: number | undefined, sentence: string])[] = [
  [2, -20, "a timer that is a little late leaves no gap"],
  [20, undefined, "a long time without reports is a gap"],
];

for (const [slots, held, sentence] of gaps) {
  Deno.test(sentence, () => {
    const trace = createTrace(100);
    trace.put(100, -10);
    trace.put(101 + slots, -20);
    assertEquals(trace.at(100 + slots), held);
    assertEquals([trace.at(100), trace.at(101 + slots)], [-10, -20]);
  });
}

Deno.test("a pause longer than the range leaves no earlier values", () => {
  const trace = createTrace(100);
  trace.put(100, -1);
  trace.put(100 + SLOTS + 50, -30);
  assertEquals(trace.highest(), -30);
});

Deno.test("the highest value is that of the range: older values do not count", () => {
  const trace = createTrace(100);
  trace.put(0, -3);
  for (let slot = 1; slot < SLOTS; slot++) trace.put(slot, -20);
  assertEquals(trace.highest(), -3);
  trace.put(SLOTS, -20);
  assertEquals(trace.highest(), -20);
});

Deno.test("an unknown value is undefined", () => {
  const trace = createTrace(100);
  trace.put(5, -12);
  trace.put(6, undefined);
  assertEquals([trace.at(5), trace.at(6), trace.highest()], [-12, undefined, -12]);
});

Deno.test("the last value of a slot counts, or the highest in a trace of maxima", () => {
  for (const [isHighest, expected] of [[false, -20], [true, -10]] as const) {
    const trace = createTrace(1000, { isHighest });
    trace.put(5, -30);
    trace.put(5, -10);
    trace.put(5, -20);
    trace.put(5, undefined);
    assertEquals(trace.at(5), expected);
  }
});

Deno.test("the history fills gaps, and does not replace measured values", () => {
  const trace = createTrace(1000);
  trace.put(1000, -10);
  trace.put(1003, -20);
  for (let slot = 995; slot <= 1003; slot++) trace.fill(slot, -40);
  trace.fill(1003 - SLOTS, -1);
  const around = Array.from({ length: 10 }, (_, at) => trace.at(994 + at));
  assertEquals(around, [undefined, -40, -40, -40, -40, -40, -10, -40, -40, -20]);
  assertEquals(trace.known().length, 9);
});

Deno.test("the history may arrive before any measured value", () => {
  const trace = createTrace(1000);
  for (let slot = -2; slot <= 0; slot++) trace.fill(slot, -30 - slot);
  trace.put(1, -20);
  assertEquals([-3, -2, -1, 0, 1].map(trace.at), [undefined, -28, -29, -30, -20]);
});
