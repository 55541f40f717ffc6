/**
 * The level of a fader as a number, or how its fade goes.
 *
 * @module
 */
import { useComputed } from "@preact/signals";
import { FADER_MIN } from "../../../fade/limits.ts";
import { remaining } from "../../parts/fader/remaining.ts";
import { levelText } from "../../parts/fader/scale.ts";
import { at } from "../../state/live.ts";
import { texts } from "../../texts/texts.ts";
import type { StripPlace } from "./strip-place.ts";

/** Shows the level, and while a fade runs where it goes and how long it still takes. */
export function Level({ mixer, fader }: StripPlace) {
  const own = `/audio/mixers/${mixer}/faders/${fader}` as const;
  const level = at(`${own}/fader`);
  const from = at(`${own}/fade/_from`);
  const to = at(`${own}/fade/_to`);
  const time = at(`${own}/fade/_time`);
  // As texts they change no more often than what is read.
  const shown = useComputed(() => levelText(level.value ?? FADER_MIN, texts().decimal));
  const fade = useComputed(() => {
    const seconds = time.value ?? 0;
    if (seconds === 0) return "";
    const fade = { from: from.value ?? 0, to: to.value ?? 0, seconds };
    const { mixer, decimal } = texts();
    return mixer.fading(
      levelText(fade.to, decimal).replace(" dB", ""),
      decimal(remaining(fade, level.value ?? 0), 1),
    );
  });
  return (
    <div class="strip-level" data-fading={fade.value !== ""}>
      <output>{shown}</output>
      <small>{fade}</small>
    </div>
  );
}
