import { assert, assertAlmostEquals } from "@std/assert";
import fc from "fast-check";
import {
  type Band,
  bandResponse,
  passResponse,
} from "../../../../../view/pages/mixer/wide/curve.ts";

const [BELL, LOW_SHELF, HIGH_SHELF, LOWPASS, HIGHPASS, BANDPASS, NOTCH, ALLPASS] = [
  ...Array(8).keys(),
] as [number, number, number, number, number, number, number, number];

/** Frequency in Hz, gain in dB, and Q of a band. */
const band = (type: number, frequency = 1000, gain = 6, q = 2): Band => ({
  type,
  frequency,
  gain,
  q,
});

for (
  const [what, own, frequency, dB] of [
    ["a bell has its gain at its frequency", band(BELL), 1000, 6],
    ["a bell does nothing far below", band(BELL), 20, 0],
    ["a bell does nothing far above", band(BELL), 20_000, 0],
    ["a low shelf has its gain far below", band(LOW_SHELF), 20, 6],
    ["a low shelf has half of its gain at its frequency", band(LOW_SHELF), 1000, 3],
    ["a low shelf does nothing far above", band(LOW_SHELF), 20_000, 0],
    ["a high shelf does nothing far below", band(HIGH_SHELF), 20, 0],
    ["a high shelf has half of its gain at its frequency", band(HIGH_SHELF), 1000, 3],
    ["a high shelf has its gain far above", band(HIGH_SHELF), 20_000, 6],
    ["a lowpass has its Q at its frequency", band(LOWPASS), 1000, 20 * Math.log10(2)],
    ["a lowpass does nothing far below", band(LOWPASS), 20, 0],
    ["a highpass has its Q at its frequency", band(HIGHPASS), 1000, 20 * Math.log10(2)],
    ["a highpass falls by 12 dB an octave", band(HIGHPASS, 1000, 0, Math.SQRT1_2), 31.25, -60.2],
    ["a bandpass lets its frequency pass", band(BANDPASS), 1000, 0],
    ["a notch removes its frequency", band(NOTCH), 1000, -120],
    ["a notch does nothing far below", band(NOTCH), 20, 0],
    ["an allpass does nothing", band(ALLPASS), 1000, 0],
  ] as const
) {
  Deno.test(what, () => assertAlmostEquals(bandResponse(own)(frequency), dB, 0.05));
}

for (
  const [what, own, frequency, dB] of [
    ["an octave below", { frequency: 200, hipass: true, order: 2 }, 100, -12.3],
    ["three octaves below", { frequency: 200, hipass: true, order: 4 }, 25, -72.25],
    ["an octave above", { frequency: 200, hipass: false, order: 1 }, 400, -6.99],
    ["far from it", { frequency: 200, hipass: false, order: 8 }, 20, 0],
  ] as const
) {
  Deno.test(`a filter of order ${own.order} attenuates by ${-dB} dB ${what}`, () => {
    assertAlmostEquals(passResponse(own)(frequency), dB, 0.05);
  });
}

const frequencies = fc.double({ min: 20, max: 20_000, noNaN: true });
const gains = fc.double({ min: -20, max: 20, noNaN: true });
const qs = fc.double({ min: 0.1, max: 20, noNaN: true });

Deno.test("a cut undoes a boost of the same gain", () => {
  const type = fc.constantFrom(BELL, LOW_SHELF, HIGH_SHELF);
  fc.assert(
    fc.property(type, frequencies, gains, qs, frequencies, (type, frequency, gain, q, at) => {
      const up = bandResponse({ type, frequency, gain, q })(at);
      const down = bandResponse({ type, frequency, gain: -gain, q })(at);
      assertAlmostEquals(up, -down, 1e-6);
    }),
  );
});

Deno.test("the response of a bell is between 0 dB and its gain", () => {
  fc.assert(fc.property(frequencies, gains, qs, frequencies, (frequency, gain, q, at) => {
    const dB = bandResponse({ type: BELL, frequency, gain, q })(at);
    assert(Math.abs(dB) <= Math.abs(gain) + 1e-6 && dB * gain >= -1e-6, `${dB} dB`);
  }));
});

Deno.test("a bell of higher Q changes other frequencies less", () => {
  fc.assert(fc.property(frequencies, gains, qs, frequencies, (frequency, gain, q, at) => {
    const response = (q: number) => Math.abs(bandResponse({ type: BELL, frequency, gain, q })(at));
    // In the bass, rounding errors of the narrowest bells are some millionths of a decibel.
    assert(response(2 * q) <= response(q) + 1e-4);
  }));
});

Deno.test("a filter of any order is 3 dB down at its frequency, and steeper by its order", () => {
  const order = fc.integer({ min: 1, max: 8 });
  fc.assert(fc.property(frequencies, order, fc.boolean(), (frequency, order, hipass) => {
    const response = passResponse({ frequency, hipass, order });
    assertAlmostEquals(response(frequency), -3.0103, 1e-3);
    const beyond = hipass ? frequency / 2 : Math.min(22_000, frequency * 2);
    const steeper = passResponse({ frequency, hipass, order: order + 1 });
    assert(steeper(beyond) <= response(beyond));
  }));
});
