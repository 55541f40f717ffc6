/**
 * A pot, to be turned by a finger, the mouse, the wheel and keys.
 *
 * @module
 */
import { useEffect, useRef, useState } from "preact/hooks";
import { at, link, set } from "../../live.ts";
import { notice } from "../../notices.ts";
import { touch } from "../../preferences.ts";
import { forbids } from "../../rights.ts";
import { texts } from "../../texts/texts.ts";
import { afterDrag, afterKey, stepped } from "./dial.ts";

/** What is moved is sent once in so many ms, and the last of it always. */
const SEND_MS = 40;

/** What a finger holds: where it was last, and where the pot stood then, between steps too. */
interface Grip {
  readonly pointer: number;
  readonly x: number;
  readonly place: number;
}

/** A pot, lying as a slider. */
export function Pot({ id }: { readonly id: number }) {
  const pot = at(`/audio/pots/${id}`).value;
  const element = useRef<HTMLDivElement>(null);
  /** What is shown while it is moved here: what others set meanwhile waits. */
  const [own, setOwn] = useState<number>();
  const grip = useRef<Grip | undefined>(undefined);
  const wanted = useRef<number | undefined>(undefined);
  const timer = useRef<number | undefined>(undefined);

  async function send(): Promise<void> {
    timer.current = undefined;
    const value = wanted.current;
    if (value === undefined) return;
    wanted.current = undefined;
    await set(`/audio/pots/${id}/value`, value);
    if (grip.current === undefined && wanted.current === undefined) setOwn(undefined);
  }

  function move(value: number): void {
    setOwn(value);
    wanted.current = value;
    timer.current ??= setTimeout(send, SEND_MS);
  }

  useEffect(() => {
    const turn = (event: WheelEvent) => {
      if (pot === undefined || document.activeElement !== element.current) return;
      event.preventDefault();
      if (forbids("operate") !== undefined) return;
      const isFine = event.shiftKey || event.ctrlKey;
      const key = event.deltaY + event.deltaX > 0 ? "ArrowDown" : "ArrowUp";
      move(afterKey(key, own ?? pot.value, rangeOf(pot), isFine)!);
    };
    // Components listen passively, and the page would scroll.
    const place = element.current;
    place?.addEventListener("wheel", turn, { passive: false });
    return () => place?.removeEventListener("wheel", turn);
  });
  // What is held while the console goes away is held no more.
  const isOpen = link.value.state === "open";
  useEffect(() => {
    if (isOpen) return;
    grip.current = undefined;
    setOwn(undefined);
  }, [isOpen]);

  if (pot === undefined) return null;
  const range = rangeOf(pot);
  const value = own ?? pot.value;
  const reason = forbids("operate");
  const mayMove = () => {
    if (reason !== undefined) notice(reason);
    return reason === undefined;
  };
  const lifted = ({ pointerId }: PointerEvent) => {
    if (grip.current?.pointer !== pointerId) return;
    grip.current = undefined;
    if (wanted.current === undefined && timer.current === undefined) setOwn(undefined);
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
          if (isJump) move(start);
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
          if (moved !== value) move(moved);
        }}
        onPointerUp={lifted}
        onPointerCancel={lifted}
        onKeyDown={(event) => {
          const isFine = event.shiftKey || event.ctrlKey;
          const moved = afterKey(event.key, value, range, isFine);
          if (moved === undefined) return;
          event.preventDefault();
          if (mayMove()) move(moved);
        }}
      >
        <div class="pot-knob" />
      </div>
    </div>
  );
}

function rangeOf({ _min: min, _max: max, _step: step }: {
  readonly _min: number;
  readonly _max: number;
  readonly _step: number;
}) {
  return { min, max, step };
}
