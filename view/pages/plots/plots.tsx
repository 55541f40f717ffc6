/**
 * Levels and loudness of the console, drawn over the last minute.
 *
 * @module
 */
import { useEffect, useState } from "preact/hooks";
import { at } from "../../state/live.ts";
import { plotsTexts } from "../../texts/plots.ts";
import { texts, textsOf } from "../../texts/texts.ts";
import { followSlots, type OnSlot } from "./slots.ts";
import { LevelPlot, LoudnessPlot } from "./plot.tsx";

/** A plot for each level meter, and for each loudness meter. */
export function Plots() {
  const own = textsOf(plotsTexts);
  const [listeners] = useState(() => new Set<OnSlot>());
  useEffect(() =>
    followSlots((slot, measured) => {
      for (const listener of listeners) listener(slot, measured);
    }), []);
  const levels = at("/audio/levels").value;
  const loudness = at("/audio/loudness").value;
  if (levels === undefined || loudness === undefined) return null;
  const isEmpty = Object.keys({ ...levels, ...loudness }).length === 0;
  if (isEmpty) return <p class="muted">{own.nothing}</p>;
  return (
    // Without anything to press in it, it is scrolled by the keyboard once it has the focus.
    <div class="plots" tabIndex={0} role="group" aria-label={texts().titles.plots}>
      {Object.keys(levels).map((id) => (
        <LevelPlot key={`level-${id}`} id={Number(id)} listeners={listeners} />
      ))}
      {Object.keys(loudness).map((id) => (
        <LoudnessPlot key={`loudness-${id}`} id={Number(id)} listeners={listeners} />
      ))}
    </div>
  );
}
