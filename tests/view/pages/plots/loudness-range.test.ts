import { assertAlmostEquals, assertEquals } from "@std/assert";
import { loudnessRange } from "../../../../view/pages/plots/loudness-range.ts";

const seconds = (count: number, value: number) => Array.from({ length: count }, () => value);

/** The first test signals of EBU Tech 3342: tones of 20 s each, and their range in LU. */
const signals: readonly (readonly [levels: readonly number[], range: number])[] = [
  [[-20, -30], 10],
  [[-20, -15], 5],
  [[-40, -20], 20],
  [[-50, -35, -20, -35, -50], 15],
];

for (const [levels, range] of signals) {
  Deno.test(`tones of ${levels.join(", ")} LUFS have a range of ${range} LU`, () => {
    const found = loudnessRange(levels.flatMap((level) => seconds(20, level)))!;
    assertAlmostEquals(found, range, 1e-9);
  });
}

Deno.test("silence has no loudness range, and does not change that of other sound", () => {
  assertEquals(loudnessRange(seconds(20, -125)), undefined);
  assertEquals(loudnessRange([...seconds(600, -125), ...seconds(20, -23)]), 0);
});
