import * as v from "valibot";
import { fadeToValue } from "../../core/fades/fadetovalue.ts";
import { FADE_SECONDS, FADER_DB } from "../../core/limits.ts";
import { rpcMethod } from "../control-api/rpc-method.ts";
import { done, mixer, resource } from "../schemas.ts";

const within = ({ min, max }: { min: number; max: number }, unit: string) => {
  const expected = `a number from ${min} to ${max} (${unit})`;
  return v.pipe(
    v.number(expected),
    v.minValue(min, expected),
    v.maxValue(max, expected),
    v.description(`in ${unit}`),
  );
};
const duration = within(FADE_SECONDS, "s");

/** Fades a fader to a level. */
export const fadetovalue = rpcMethod({
  name: "fadetovalue",
  summary: "Fade a fader to a level, fader-linear.",
  params: {
    mixer,
    fader: resource("fader in its mixer"),
    time: duration,
    fadetime: v.optional(duration),
    value: within(FADER_DB, "dB"),
  },
  result: done,
  aliases: { parameter: "time", names: ["fadetime"] },
  run: (console, { mixer, fader, time: seconds, value }, actor) =>
    console.dispatch(fadeToValue({ mixer, fader, seconds, value }), actor),
});
