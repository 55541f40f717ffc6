/** The true peak meter by the cases of EBU Tech 3341. */
import { assertAlmostEquals, assertEquals } from "@std/assert";
import { createTruePeak, createTruePeakOfSamples } from "../../../engine/meters/truepeak.ts";
import { inBlocks, toneOf } from "./tones.ts";

/**
 * Tones of an amplitude of 0.5, that is -6.0 dBTP, at a part of the sample rate and with a phase in
 * degrees (cases 15 to 18). Tolerance: +0.2, -0.4 dB.
 */
const tones: readonly (readonly [number, number])[] = [[4, 0], [4, 45], [6, 60], [8, 67.5]];

for (const [part, degrees] of tones) {
  Deno.test(`a tone at 1/${part} of the sample rate, at ${degrees}°, reads its true peak`, () => {
    const tone = toneOf({
      frequency: 48_000 / part,
      seconds: 1,
      amplitude: 0.5,
      phase: degrees / 360,
    });
    assertAlmostEquals(inBlocks(tone, createTruePeakOfSamples(48_000).take), -6.12, 0.3);
  });
}

Deno.test("a true peak meter rises at once, and falls by 20 dB in 1.7 s", () => {
  const meter = createTruePeak();
  assertEquals(meter.step(1, 0), 0);
  assertAlmostEquals(meter.step(0, 1.7), -20, 1e-6);
  assertEquals(createTruePeak().step(0, 1), -125);
});

Deno.test("the true peak does not depend on the length of the blocks", () => {
  const tone = toneOf({ frequency: 11_025, seconds: 0.01, amplitude: 0.7, phase: 0.1 });
  const whole = createTruePeakOfSamples(48_000);
  const parts = createTruePeakOfSamples(48_000);
  let highest = -Infinity;
  for (let at = 0; at < tone.length; at += 5) {
    highest = Math.max(highest, parts.take(tone.subarray(at, at + 5)));
  }
  assertAlmostEquals(highest, whole.take(tone), 0.05);
});
