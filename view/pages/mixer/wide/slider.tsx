/**
 * A horizontal slider of the processing.
 *
 * @module
 */
import type { NumberLeaf } from "../../../../core/tree/leaf.ts";
import { useDrag } from "../../../parts/fader/drag.ts";
import { isFine, stepsOf } from "../../../parts/fader/steps.ts";
import { useShown } from "../../../parts/fader/use-shown.ts";
import { forbids } from "../../../state/rights.ts";
import { valueText } from "../../../texts/decimal.ts";
import { texts } from "../../../texts/texts.ts";
import { isCurved, placeOf, stepped, valueAt } from "./slider-scale.ts";
import { TypedValue } from "./typed-value.tsx";

/** The properties of a slider. */
export interface SliderProps {
  readonly path: string;
  readonly label: string;
  /** The title of its block. */
  readonly title: string;
  readonly leaf: NumberLeaf;
  /** Called with a typed number. */
  readonly onTyped?: ((value: number) => void) | undefined;
}

/** Sideways distance in pixels after which a pointer moves a slider: before that it may scroll. */
const START_PX = 8;

/** Number of steps of PageUp and PageDown. */
const PAGE_STEPS = 10;

/**
 * A slider with its value. A browser's own slider jumps to the place of the first touch, even if
 * the finger came to scroll: so only keys reach that slider, and pointers move it from where it
 * stands.
 */
export function Slider({ path, label, title, leaf, onTyped }: SliderProps) {
  const [value, shown] = useShown(path, leaf.default);
  const reason = forbids("configure");
  const text = valueText(value, leaf, texts().decimal);

  const drag = useDrag({
    shown,
    reason,
    startPx: START_PX,
    placeOf: (value) => placeOf(value, leaf),
    valueAt: (place) => valueAt(place, leaf),
  });

  return (
    <div class="setting" title={reason}>
      <span aria-hidden="true">{label}</span>
      <div class="slider" {...drag}>
        <input
          type="range"
          aria-label={`${title}: ${label}`}
          aria-valuetext={text}
          min={0}
          max={1}
          step={isCurved(leaf) ? 0.001 : "any"}
          value={placeOf(value, leaf)}
          disabled={reason !== undefined}
          onInput={({ currentTarget }) => shown.move(valueAt(currentTarget.valueAsNumber, leaf))}
          onKeyDown={(event) => {
            const steps = stepsOf(event.key, PAGE_STEPS);
            if (steps === undefined || reason !== undefined) return;
            event.preventDefault();
            shown.move(stepped(shown.value, steps, leaf, isFine(event)));
          }}
        />
      </div>
      <TypedValue
        path={path}
        name={`${title}: ${label}`}
        leaf={leaf}
        value={value}
        shown={shown}
        onTyped={onTyped}
      />
    </div>
  );
}
