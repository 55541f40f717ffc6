/**
 * Levels and loudness of the console, drawn over the last minutes.
 *
 * @module
 */
import { useEffect, useState } from "preact/hooks";
import { Choice } from "../../parts/choice.tsx";
import { at } from "../../state/live.ts";
import { consoleShellTexts } from "../../texts/console-shell.ts";
import { plotsTexts } from "../../texts/plots.ts";
import { textsOf } from "../../texts/texts.ts";
import { LevelPlot, LoudnessPlot } from "./plot.tsx";
import { chooseRange, range, RANGES } from "./range.ts";
import { followSamples, type Listener } from "./slots.ts";

/** A plot for each level meter, and for each loudness meter. */
export function Plots() {
  const own = textsOf(plotsTexts);
  const [listeners] = useState(() => new Set<Listener>());
  useEffect(() =>
    followSamples({
      sample(now, measured) {
        for (const listener of listeners) listener.sample(now, measured);
      },
      begin() {
        for (const listener of listeners) listener.begin();
      },
    }), []);
  const levels = at("/audio/levels").value;
  const loudness = at("/audio/loudness").value;
  if (levels === undefined || loudness === undefined) return null;
  const isEmpty = Object.keys({ ...levels, ...loudness }).length === 0;
  if (isEmpty) return <p class="muted">{own.nothing}</p>;
  const chosen = range.value;
  return (
    <>
      <div class="plots-range">
        <Choice
          label={own.range}
          items={RANGES}
          chosen={chosen}
          textOf={own.minutes}
          onChoose={chooseRange}
        />
      </div>
      {/* Without anything to press in it, it is scrolled by the keyboard once it has the focus. */}
      <div
        class="plots"
        tabIndex={0}
        role="group"
        aria-label={textsOf(consoleShellTexts).titles.plots}
      >
        {Object.keys(levels).map((id) => (
          <LevelPlot key={`level-${id}`} id={Number(id)} range={chosen} listeners={listeners} />
        ))}
        {Object.keys(loudness).map((id) => (
          <LoudnessPlot
            key={`loudness-${id}`}
            id={Number(id)}
            range={chosen}
            listeners={listeners}
          />
        ))}
      </div>
    </>
  );
}
