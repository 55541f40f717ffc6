/**
 * A slider of the processing, along which a finger goes sideways.
 *
 * @module
 */
import { useRef } from "preact/hooks";
import type { NumberLeaf } from "../../../../core/tree/leaf.ts";
import { useShown } from "../../../fader/use-shown.ts";
import { forbids } from "../../../rights.ts";
import { valueText } from "../../../texts/decimal.ts";
import { texts } from "../../../texts/texts.ts";
import { isCurved, placeOf, valueAt } from "./slider-scale.ts";

/** What a slider is. */
export interface SliderProps {
  readonly path: string;
  readonly label: string;
  /** Of its block. */
  readonly title: string;
  readonly leaf: NumberLeaf;
}

/** A pointer goes sideways by this much, in pixels, before it moves a slider: it may scroll. */
const START_PX = 8;

/** The pointer at a slider. */
interface Grip {
  readonly id: number;
  /** In pixels of the page. */
  x: number;
  /** Where the slider stands, 0..1, once the pointer moves it. */
  place?: number;
}

/**
 * A slider with its value. A browser's own slider goes where a finger first touches it, though the
 * finger came to scroll: so keys alone reach it, and pointers move it from where it stands.
 */
export function Slider({ path, label, title, leaf }: SliderProps) {
  const [value, shown] = useShown(path, leaf.default);
  const grip = useRef<Grip | undefined>(undefined);
  const reason = forbids("configure");
  const text = valueText(value, leaf, texts().decimal);

  function drag({ pointerId, clientX, currentTarget }: PointerEvent): void {
    const own = grip.current;
    if (own?.id !== pointerId) return;
    if (reason !== undefined) return letGo();
    const way = clientX - own.x;
    if (own.place === undefined) {
      if (Math.abs(way) < START_PX) return;
      own.place = placeOf(shown.value, leaf);
      shown.hold();
    } else {
      const { clientWidth } = currentTarget as HTMLElement;
      own.place = Math.min(1, Math.max(0, own.place + way / clientWidth));
      shown.move(valueAt(own.place, leaf));
    }
    own.x = clientX;
  }

  function letGo(): void {
    grip.current = undefined;
    shown.letGo();
  }

  return (
    <label class="setting" title={reason}>
      <span>{label}</span>
      <div
        class="slider"
        onPointerDown={({ button, pointerId, clientX, currentTarget }) => {
          if (button !== 0 || reason !== undefined || grip.current !== undefined) return;
          currentTarget.setPointerCapture(pointerId);
          grip.current = { id: pointerId, x: clientX };
        }}
        onPointerMove={drag}
        onLostPointerCapture={({ pointerId }) => {
          if (grip.current?.id === pointerId) letGo();
        }}
      >
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
            const steps = STEPS[event.key];
            if (steps === undefined || reason !== undefined) return;
            event.preventDefault();
            const factor = event.shiftKey || event.ctrlKey ? 1 : 10;
            const next = isCurved(leaf)
              ? valueAt(placeOf(shown.value, leaf) + steps * factor / 1000, leaf)
              : valueAt(placeOf(shown.value + steps * factor * (leaf.step ?? 1), leaf), leaf);
            shown.move(next);
          }}
        />
      </div>
      <output>{text}</output>
    </label>
  );
}

/** Which way each key goes. */
const STEPS: Readonly<Record<string, number>> = {
  ArrowUp: 1,
  ArrowRight: 1,
  ArrowDown: -1,
  ArrowLeft: -1,
  PageUp: 10,
  PageDown: -10,
};
