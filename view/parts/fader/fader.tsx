/**
 * A fader that can be moved by touch, mouse, wheel and keys.
 *
 * @module
 */
import { computed, effect, type Signal } from "@preact/signals";
import { useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { FADER_MAX, FADER_MIN } from "../../../fade/limits.ts";
import { at, set } from "../../state/live.ts";
import { touch } from "../../state/preferences.ts";
import { forbids, noticeBarred } from "../../state/rights.ts";
import { texts } from "../../texts/texts.ts";
import { createAnotherHand } from "./another-hand.ts";
import { createHand, type Touch } from "./hand.ts";
import { levelText, MARKS, markText, travelAt } from "./scale.ts";
import { createShown } from "./shown.ts";
import { afterKey, createWheel, isFine, pixelsOf } from "./steps.ts";
import { browserTime } from "./use-shown.ts";

/** The address and the label of a fader. */
export interface FaderProps {
  readonly mixer: number;
  readonly fader: number;
  /** The label of the fader. */
  readonly label: string;
  /** -1 if the fader is reached by keys of its container instead of Tab. */
  readonly tabIndex: 0 | -1;
  /** Set to true while another hand moves the fader, too. */
  readonly isShared: Signal<boolean>;
}

/** A fader with its scale. It can be moved once the console has sent its level. */
export function Fader(props: FaderProps) {
  const { mixer, fader } = props;
  const isKnown = useMemo(
    () => computed(() => levelOf(mixer, fader).value !== undefined),
    [mixer, fader],
  );
  return isKnown.value ? <KnownFader {...props} /> : <div class="fader" />;
}

/**
 * A fader with a known level, which bypasses the rendering of components: when a level changes 50
 * times a second, only the knob is redrawn.
 */
function KnownFader({ mixer, fader, label, tabIndex, isShared }: FaderProps) {
  const element = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => moveBy(element.current!, mixer, fader, isShared), [mixer, fader]);
  const reason = forbids("operate");
  return (
    <div
      ref={element}
      class="fader"
      role="slider"
      tabIndex={tabIndex}
      aria-label={label}
      aria-orientation="vertical"
      aria-valuemin={FADER_MIN}
      aria-valuemax={FADER_MAX}
      aria-disabled={reason !== undefined}
      title={reason}
    >
      <div class="fader-scale" aria-hidden="true">
        {MARKS.map((dB) => (
          <span key={dB} class={dB === 0 ? "zero" : ""} style={{ "--travel": travelAt(dB) }}>
            {markText(dB)}
          </span>
        ))}
      </div>
      <div class="fader-slot" />
      <div class="fader-knob" />
    </div>
  );
}

function levelOf(mixer: number, fader: number) {
  return at(`/audio/mixers/${mixer}/faders/${fader}/fader`);
}

/** Makes an element show and move the level of a fader; the returned function ends that. */
function moveBy(
  element: HTMLElement,
  mixer: number,
  fader: number,
  isShared: Signal<boolean>,
): () => void {
  const ending = new AbortController();
  const { signal } = ending;
  const knob = element.querySelector<HTMLElement>(".fader-knob")!;
  const level = levelOf(mixer, fader);
  const fading = at(`/audio/mixers/${mixer}/faders/${fader}/fade/_time`);

  const anotherHand = createAnotherHand(isShared);
  const shown = createShown(level.peek() ?? FADER_MIN, {
    show,
    send: (dB) => set(`/audio/mixers/${mixer}/faders/${fader}/fader`, dB),
    elsewhere() {
      // A fade has its own text.
      if ((fading.peek() ?? 0) === 0) anotherHand.moved();
    },
    ...browserTime,
  });
  const hand = createHand({
    level: () => shown.value,
    height,
    jumps: () => touch.chosen.value === "jump",
    hold() {
      shown.hold();
      // A touch catches a moving fader: setting its level ends the fade.
      if ((fading.peek() ?? 0) > 0) shown.move(shown.value);
    },
    move: shown.move,
    letGo: shown.letGo,
  });

  const wheel = createWheel();

  function show(dB: number): void {
    element.style.setProperty("--travel", String(travelAt(dB)));
    element.setAttribute("aria-valuenow", String(dB));
    element.setAttribute("aria-valuetext", levelText(dB, texts().decimal));
  }

  function height(): number {
    return element.clientHeight - knob.offsetHeight;
  }

  function touchOf(event: PointerEvent): Touch {
    const { pointerId: id, clientY, timeStamp: time } = event;
    const y = clientY - element.getBoundingClientRect().top - knob.offsetHeight / 2;
    return { id, y, time, isFine: isFine(event) };
  }

  function mayMove(): boolean {
    const reason = forbids("operate");
    if (reason !== undefined) noticeBarred(reason);
    return reason === undefined;
  }

  // The text of the level depends on the language.
  const stopWriting = effect(() => show(shown.value));
  const stopFollowing = effect(() => {
    if (level.value !== undefined) shown.told(level.value);
  });
  // Apart from the level, which must not be told again when a right changes.
  const stopReleasing = effect(() => {
    // A drag ends when the connection is lost or the page is locked.
    if (forbids("operate") === undefined) return;
    hand.cancel();
    shown.drop();
    element.classList.remove("held");
  });
  // Reading the signal here subscribes to the state of the fade.
  const stopFading = effect(() => void fading.value);
  element.addEventListener("pointerdown", (event) => {
    if (event.button !== 0 || !mayMove()) return;
    element.setPointerCapture(event.pointerId);
    hand.press(touchOf(event));
    element.classList.toggle("held", hand.isHolding);
  }, { signal });
  element.addEventListener("pointermove", (event) => hand.drag(touchOf(event)), { signal });
  const lifted = (event: PointerEvent) => {
    if (event.type === "pointercancel") hand.cancel();
    else hand.lift(touchOf(event));
    element.classList.toggle("held", hand.isHolding);
  };
  element.addEventListener("pointerup", lifted, { signal });
  element.addEventListener("pointercancel", lifted, { signal });
  element.addEventListener("wheel", (event) => {
    const { deltaX, deltaY, shiftKey } = event;
    const isSideways = Math.abs(deltaX) > Math.abs(deltaY);
    // A wheel that is turned sideways scrolls the row of strips, but with Shift many browsers
    // report a wheel that is turned up or down in the same way.
    if (isSideways && !shiftKey) return;
    event.preventDefault();
    if (forbids("operate") !== undefined) return;
    const turned = isSideways ? deltaX : deltaY;
    const dB = wheel.turn(pixelsOf(turned, event), shown.value, isFine(event));
    if (dB !== undefined) shown.move(dB);
  }, { signal, passive: false });
  element.addEventListener("keydown", (event) => {
    const dB = afterKey(event.key, shown.value, isFine(event));
    if (dB === undefined) return;
    event.preventDefault();
    if (mayMove()) shown.move(dB);
  }, { signal });

  return () => {
    ending.abort();
    stopWriting();
    stopFollowing();
    stopReleasing();
    stopFading();
    hand.cancel();
    anotherHand.end();
  };
}
