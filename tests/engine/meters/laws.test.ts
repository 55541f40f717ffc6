/** Laws of every meter, for any levels. */
import { assert, assertAlmostEquals } from "@std/assert";
import * as fc from "fast-check";
import { toDecibels } from "../../../engine/meters/decibels.ts";
import { createPpm } from "../../../engine/meters/ppm.ts";
import { createTruePeak } from "../../../engine/meters/truepeak.ts";
import { createVu } from "../../../engine/meters/vu.ts";

const meters = { PPM: createPpm, VU: createVu, TruePeak: createTruePeak };

const level = fc.double({ min: 0, max: 10, noNaN: true });
const seconds = fc.double({ min: 0, max: 5, noNaN: true });
const blocks = fc.array(fc.tuple(level, seconds), { maxLength: 20 });

for (const [name, create] of Object.entries(meters)) {
  Deno.test(`law: a ${name} meter never shows more than the highest level of its signal`, () => {
    fc.assert(fc.property(blocks, (blocks) => {
      const meter = create();
      let highest = 0;
      for (const [level, seconds] of blocks) {
        highest = Math.max(highest, level);
        assert(meter.step(level, seconds) <= toDecibels(highest) + 1e-9);
      }
    }));
  });

  Deno.test(`law: in silence a ${name} meter only falls, down to -125 dB`, () => {
    fc.assert(fc.property(blocks, fc.array(seconds), (blocks, pauses) => {
      const meter = create();
      for (const [level, seconds] of blocks) meter.step(level, seconds);
      let shown = meter.step(0, 0);
      for (const seconds of pauses) {
        const next = meter.step(0, seconds);
        assert(next <= shown, `${next} after ${shown}`);
        shown = next;
      }
      assert(meter.step(0, 60) === -125);
    }));
  });

  Deno.test(`law: a ${name} meter shows the same for a block, however the block is cut`, () => {
    fc.assert(fc.property(blocks, level, seconds, seconds, (blocks, level, first, second) => {
      const whole = create();
      const cut = create();
      for (const [level, seconds] of blocks) {
        whole.step(level, seconds);
        cut.step(level, seconds);
      }
      cut.step(level, first);
      const expected = whole.step(level, first + second);
      assertAlmostEquals(cut.step(level, second), expected, 1e-6);
    }));
  });
}
