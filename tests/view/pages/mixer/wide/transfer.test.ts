import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import fc from "fast-check";
import {
  attenuationPlace,
  gainPlace,
  hasTransfer,
  type Kind,
  outputOf,
  ratioAt,
  ratioPlace,
  thresholdPlace,
  type Transfer,
} from "../../../../../view/pages/mixer/wide/transfer.ts";

const transfer = (kind: Kind, own: Partial<Transfer> = {}): Transfer => ({
  kind,
  threshold: -20,
  ratio: 4,
  gain: 0,
  attenuation: 30,
  ...own,
});

for (
  const [what, own, input, output] of [
    ["a compressor leaves levels below its threshold unchanged", transfer("compressor"), -40, -40],
    ["a compressor of 4:1 leaves 5 dB of 20 dB", transfer("compressor"), 0, -15],
    ["a compressor adds its gain", transfer("compressor", { gain: 6 }), -40, -34],
    ["a limiter lets nothing above its threshold", transfer("limiter"), 10, -20],
    ["a limiter leaves levels below its threshold unchanged", transfer("limiter"), -30, -30],
    ["an expander leaves levels above its threshold unchanged", transfer("expander"), -10, -10],
    ["an expander of 4:1 makes 40 dB of 10 dB", transfer("expander"), -30, -60],
    ["a gate leaves levels above its threshold unchanged", transfer("gate"), -10, -10],
    ["a gate attenuates levels below its threshold", transfer("gate"), -30, -60],
  ] as const
) {
  Deno.test(what, () => assertAlmostEquals(outputOf(own, input), output, 1e-9));
}

Deno.test("compressor, expander, limiter and gate have a curve, and no other block", () => {
  const blocks = ["agc", "compressor", "deesser2", "eq1", "expander", "gate", "limiter"];
  assertEquals(blocks.filter(hasTransfer), ["compressor", "expander", "gate", "limiter"]);
});

const kinds = fc.constantFrom<Kind>("compressor", "expander", "limiter", "gate");
const transfers = fc.record({
  kind: kinds,
  threshold: fc.double({ min: -80, max: 20, noNaN: true }),
  ratio: fc.double({ min: 1, max: 20, noNaN: true }),
  gain: fc.double({ min: -20, max: 20, noNaN: true }),
  attenuation: fc.double({ min: 0, max: 80, noNaN: true }),
});
const levels = fc.double({ min: -80, max: 20, noNaN: true });

Deno.test("a louder input is never a quieter output", () => {
  fc.assert(fc.property(transfers, levels, levels, (own, one, other) => {
    const [quiet, loud] = [Math.min(one, other), Math.max(one, other)];
    assert(outputOf(own, quiet) <= outputOf(own, loud) + 1e-9);
  }));
});

Deno.test("all handles lie on the curve", () => {
  fc.assert(fc.property(transfers, (own) => {
    const places = [
      thresholdPlace(own),
      ratioPlace(own, 10),
      gainPlace(own, -80, 20),
      attenuationPlace(own),
    ];
    for (const { input, output } of places) assertEquals(output, outputOf(own, input));
  }));
});

Deno.test("the place of the ratio handle converts back to the ratio", () => {
  fc.assert(fc.property(transfers, (own) => {
    if (own.kind === "limiter" || own.kind === "gate") return;
    const { input, output } = ratioPlace(own, 10);
    const dB = own.kind === "compressor" ? output : input;
    assertAlmostEquals(ratioAt(own, dB, 10), own.ratio, 1e-6);
  }));
});

Deno.test("beyond the places of all ratios the ratio is infinite, and on the other side 1", () => {
  assertEquals(ratioAt(transfer("compressor"), -30, 10), Infinity);
  assertEquals(ratioAt(transfer("compressor"), 15, 10), 1);
  assertEquals(ratioAt(transfer("expander"), -10, 10), Infinity);
  assertEquals(ratioAt(transfer("expander"), -70, 10), 1);
});
