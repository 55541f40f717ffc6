/** What holds for the meters of every console, whatever is set on it. */
import { assert } from "@std/assert";
import * as fc from "fast-check";
import { CHANNEL, mixerOf, startDesk } from "./desk.ts";

const settings = fc.record({
  fader: fc.double({ min: -160, max: 10, noNaN: true }),
  on: fc.boolean(),
  sourceid: fc.constantFrom(...Object.values(CHANNEL)),
  vcagroup: fc.constantFrom(0, 0, 1),
  mutegroups: fc.record({ 0: fc.boolean() }),
  dgain: fc.double({ min: -20, max: 20, noNaN: true }),
  again: fc.double({ min: 0, max: 70, noNaN: true }),
  limiter: fc.boolean(),
  panbal: fc.double({ min: -1, max: 1, noNaN: true }),
});

/** The highest peak of any signal, in dBFS. */
const HIGHEST = -6;
/** Two open faders at +10 dB, one leading the other. */
const MOST_FADER = 20;

Deno.test("law: no meter shows more than its input's peak and the gain up to it", async () => {
  const steps = fc.array(fc.tuple(fc.nat({ max: 3 }), settings), { minLength: 1, maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(steps, async (steps) => {
      const desk = await startDesk({ mixers: mixerOf(...Object.values(CHANNEL)) });
      const most = new Map<number, number>();
      for (const [id, { dgain, again, limiter, panbal, ...members }] of steps) {
        const params = {
          gain: { dgain, again: { value: again } },
          limiter: { on: limiter },
          panbal: { panbal },
        };
        await desk.fader(id, { ...members, params });
        most.set(id, Math.max(most.get(id) ?? 0, dgain + again));
        desk.pass(0.4);
        for (const [id, gain] of most) {
          assert(desk.meter(id, "_input") <= HIGHEST + gain + 0.01);
          assert(desk.meter(id, "_pfl") <= desk.meter(id, "_input") + 0.01);
          assert(desk.meter(id, "_afl") <= HIGHEST + gain + MOST_FADER + 0.01);
        }
      }
    }),
    { numRuns: 50 },
  );
});
