/**
 * The level of a fader as a number, and its state: the target and the remaining time of its fade,
 * another hand on it, or that it is unknown whether the sent level is in force.
 *
 * @module
 */
import { type ReadonlySignal, useComputed } from "@preact/signals";
import { FADER_MIN } from "../../../fade/limits.ts";
import { remaining } from "../../parts/fader/remaining.ts";
import { levelText } from "../../parts/fader/scale.ts";
import { asked, at, link } from "../../state/live.ts";
import { mixerWords } from "../../texts/mixer-words.ts";
import { texts } from "../../texts/texts.ts";
import type { StripPlace } from "./strip-place.ts";

interface LevelProps extends StripPlace {
  /** Whether another hand moves the fader, too. */
  readonly isShared: ReadonlySignal<boolean>;
}

/** Shows the level; after an unanswered change, the level that was sent. */
export function Level({ mixer, fader, isShared }: LevelProps) {
  const own = `/audio/mixers/${mixer}/faders/${fader}` as const;
  const level = at(`${own}/fader`);
  const sent = asked(`${own}/fader`);
  const from = at(`${own}/fade/_from`);
  const to = at(`${own}/fade/_to`);
  const time = at(`${own}/fade/_time`);
  const unanswered = useComputed(() =>
    link.value.state === "open" ? undefined : sent.value?.value as number | undefined
  );
  // Computed as texts, so that the part is drawn again only when a text changes.
  const shown = useComputed(() =>
    levelText(unanswered.value ?? level.value ?? FADER_MIN, texts().decimal)
  );
  const fade = useComputed(() => {
    const seconds = time.value ?? 0;
    const { decimal } = texts();
    const mixer = mixerWords();
    if (unanswered.value !== undefined) return mixer.unanswered;
    if (seconds === 0) return isShared.value ? mixer.anotherHand : "";
    const fade = { from: from.value ?? 0, to: to.value ?? 0, seconds };
    return mixer.fading(
      levelText(fade.to, decimal).replace(" dB", ""),
      decimal(remaining(fade, level.value ?? 0), 1),
    );
  });
  return (
    <div
      class={unanswered.value === undefined ? "strip-level" : "strip-level unanswered"}
      data-fading={(time.value ?? 0) > 0}
      data-told={fade.value !== ""}
    >
      <span class="value">{shown}</span>
      <small>{fade}</small>
    </div>
  );
}
