/**
 * The level of a fader as a number, or the target and remaining time of its fade.
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

/** Shows the level; during a fade its target and the remaining time. */
export function Level({ mixer, fader }: StripPlace) {
  const own = `/audio/mixers/${mixer}/faders/${fader}` as const;
  const level = at(`${own}/fader`);
  const running = at(`${own}/fade`);
  // Computed as texts, so that the part is drawn again only when a text changes.
  const shown = useComputed(() => levelText(level.value ?? FADER_MIN, texts().decimal));
  const fade = useComputed(() => {
    const { _from: from = 0, _to: to = 0, _time: seconds = 0 } = running.value ?? {};
    if (seconds === 0) return "";
    const fade = { from, to, seconds };
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
