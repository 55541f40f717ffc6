/**
 * A pot, to be turned by a finger, the mouse, the wheel and keys.
 *
 * @module
 */
import { useEffect, useRef } from "preact/hooks";
import type { ValueAt } from "../../../client/client.ts";
import { useShown } from "../../fader/use-shown.ts";
import { at } from "../../live.ts";
import { notice } from "../../notices.ts";
import { touch } from "../../preferences.ts";
import { forbids } from "../../rights.ts";
import { texts } from "../../texts/texts.ts";
import { afterDrag, afterKey, stepped } from "./dial.ts";

/** What a finger holds: where it was last, and where the pot stood then, between steps too. */
interface Grip {
  readonly pointer: number;
  readonly x: number;
  readonly place: number;
}

/** A pot, lying as a slider. */
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
  const grip = useRef<Grip | undefined>(undefined);
  const range = { min: pot._min, max: pot._max, step: pot._step };
  const reason = forbids("operate");

  useEffect(() => {
    const turn = (event: WheelEvent) => {
      if (document.activeElement !== element.current) return;
      event.preventDefault();
      if (reason !== undefined) return;
      const isFine = event.shiftKey || event.ctrlKey;
      const key = event.deltaY + event.deltaX > 0 ? "ArrowDown" : "ArrowUp";
      shown.move(afterKey(key, shown.value, range, isFine)!);
    };
    // Components listen passively, and the page would scroll.
    const place = element.current!;
    place.addEventListener("wheel", turn, { passive: false });
    return () => place.removeEventListener("wheel", turn);
  });
  const letGo = () => {
    grip.current = undefined;
    shown.letGo();
  };
  // What is held while the console goes away, or the page is locked, is held no more.
  useEffect(() => {
    if (reason !== undefined) letGo();
  }, [reason]);

  const mayMove = () => {
    if (reason !== undefined) notice(reason);
    return reason === undefined;
  };
  const lifted = ({ pointerId }: PointerEvent) => {
    if (grip.current?.pointer === pointerId) letGo();
  };
  const text = `${texts().decimal(value, 1)} dB`;
  return (
    <div class="pot">
      <div class="pot-head" aria-hidden="true">
        <span>{pot._name}</span>
        <output>{text}</output>
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
        style={{ "--part": (value - range.min) / (range.max - range.min || 1) }}
        onPointerDown={(event) => {
          const { button, pointerId, currentTarget, clientX } = event;
          if (button !== 0 || grip.current !== undefined || !mayMove()) return;
          currentTarget.setPointerCapture(pointerId);
          const { left, width } = currentTarget.getBoundingClientRect();
          const isJump = touch.chosen.value === "jump";
          const part = (clientX - left) / width;
          const start = isJump ? stepped(range.min + part * (range.max - range.min), range) : value;
          grip.current = { pointer: pointerId, x: clientX, place: start };
          shown.hold();
          if (isJump) shown.move(start);
        }}
        onPointerMove={(event) => {
          const held = grip.current;
          if (held === undefined || held.pointer !== event.pointerId) return;
          const { pointerId, clientX, currentTarget } = event;
          const isFine = event.shiftKey || event.ctrlKey;
          // From step to step: what has been gone already stays as it is when Shift is pressed.
          const part = (clientX - held.x) / currentTarget.clientWidth;
          const place = afterDrag(held.place, part, range, isFine);
          grip.current = { pointer: pointerId, x: clientX, place };
          const moved = stepped(place, range, isFine);
          if (moved !== shown.value) shown.move(moved);
        }}
        onPointerUp={lifted}
        onPointerCancel={lifted}
        onKeyDown={(event) => {
          const isFine = event.shiftKey || event.ctrlKey;
          const moved = afterKey(event.key, shown.value, range, isFine);
          if (moved === undefined) return;
          event.preventDefault();
          if (mayMove()) shown.move(moved);
        }}
      >
        <div class="pot-knob" />
      </div>
    </div>
  );
}
