/**
 * The RPC `fadetovalue` (service.md, "RPC methods").
 *
 * @module
 */
import * as v from "valibot";
import { refuse } from "../../core/errors.ts";
import { fadeToValue } from "../../core/fades/fadetovalue.ts";
import { FADE_SECONDS, FADER_DB } from "../../core/limits.ts";
import { rpcMethod } from "./method.ts";
import { mixer, resource } from "./parameters.ts";

const within = (min: number, max: number, unit: string) => {
  const expected = `a number from ${min} to ${max} (${unit})`;
  return v.pipe(v.number(expected), v.minValue(min, expected), v.maxValue(max, expected));
};
const duration = within(FADE_SECONDS.min, FADE_SECONDS.max, "s");

/** Fades a fader to a level. */
export const fadetovalue = rpcMethod({
  name: "fadetovalue",
  summary: "Fade a fader to a level, fader-linear.",
  params: v.object({
    mixer,
    fader: resource("fader in its mixer"),
    time: v.optional(duration),
    fadetime: v.optional(duration),
    value: within(FADER_DB.min, FADER_DB.max, "dB"),
  }),
  writes: false,
  run(console, { mixer, fader, time, fadetime, value }, actor) {
    const seconds = time ?? fadetime;
    return seconds === undefined
      ? refuse("invalidParameter", `expected ${duration.message}, it is missing`, "time")
      : console.dispatch(fadeToValue({ mixer, fader, seconds, value }), actor);
  },
});
