/**
 * A pot, to be turned by a finger, the mouse, the wheel and keys.
 *
 * @module
 */
import { useEffect, useRef } from "preact/hooks";
import type { ValueAt } from "../../../client/client.ts";
import { useDrag } from "../../parts/fader/drag.ts";
import { createStepCounter, isFine, pixelsOf, stepsOf } from "../../parts/fader/steps.ts";
import { useShown } from "../../parts/fader/use-shown.ts";
import { at } from "../../state/live.ts";
import { touch } from "../../state/preferences.ts";
import { forbids, noticeBarred } from "../../state/rights.ts";
import { texts } from "../../texts/texts.ts";
import { afterSteps, stepped } from "./dial.ts";

/** Distance in pixels that a wheel is turned for a step: about a notch. */
const NOTCH_PX = 100;

/** Number of steps of PageUp and PageDown. */
const PAGE_STEPS = 10;

/** A pot, as a horizontal slider. */
export function Pot({ id }: { readonly id: number }) {
  const pot = at(`/audio/pots/${id}`).value;
  return pot === undefined ? null : <KnownPot id={id} pot={pot} />;
}

interface KnownPotProps {
  readonly id: number;
  readonly pot: ValueAt<`/audio/pots/${number}`>;
}

function KnownPot({ id, pot }: KnownPotProps) {
  const [value, shown] = useShown(`/audio/pots/${id}/value`, pot.value);
  const element = useRef<HTMLDivElement>(null);
  const range = { min: pot._min, max: pot._max, step: pot._step };
  const reason = forbids("operate");

  useEffect(() => {
    const countSteps = createStepCounter();
    const turn = (event: WheelEvent) => {
      if (document.activeElement !== element.current) return;
      event.preventDefault();
      if (forbids("operate") !== undefined) return;
      const steps = -countSteps(pixelsOf(event.deltaY + event.deltaX, event), NOTCH_PX);
      if (steps !== 0) shown.move(afterSteps(steps, shown.value, range, isFine(event)));
    };
    // Listeners of components are passive, and the page would scroll.
    const place = element.current!;
    place.addEventListener("wheel", turn, { passive: false });
    return () => place.removeEventListener("wheel", turn);
  }, [shown, range.min, range.max, range.step]);

  const mayMove = () => {
    if (reason !== undefined) noticeBarred(reason);
    return reason === undefined;
  };
  const way = range.max - range.min || 1;
  const placeOf = (value: number) => (value - range.min) / way;
  const { onPointerDown, ...drag } = useDrag({
    shown,
    reason,
    startPx: 0,
    placeOf,
    valueAt: (place, isFine) => stepped(range.min + place * way, range, isFine),
    jumps: () => touch.chosen.value === "jump",
  });
  const text = `${texts().decimal(value, 1)} dB`;
  return (
    <div class="pot">
      <div class="line" aria-hidden="true">
        <span class="space">{pot._name}</span>
        <span class="value">{text}</span>
      </div>
      <div
        ref={element}
        class="pot-slider"
        role="slider"
        tabIndex={0}
        aria-label={pot._name}
        aria-valuemin={range.min}
        aria-valuemax={range.max}
        aria-valuenow={value}
        aria-valuetext={text}
        aria-disabled={reason !== undefined}
        title={reason}
        style={{ "--part": placeOf(value) }}
        {...drag}
        onPointerDown={(event) => {
          if (mayMove()) onPointerDown(event);
        }}
        onKeyDown={(event) => {
          const steps = stepsOf(event.key, PAGE_STEPS);
          if (steps === undefined) return;
          event.preventDefault();
          if (mayMove()) shown.move(afterSteps(steps, shown.value, range, isFine(event)));
        }}
      >
        <div class="pot-knob" />
      </div>
    </div>
  );
}
