/**
 * A plane of handles that are moved by touch, mouse, wheel and keys.
 *
 * @module
 */
import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { createStepCounter, isFine, pixelsOf, stepsOf } from "../../../parts/fader/steps.ts";
import { noticeBarred } from "../../../state/rights.ts";
import { type Axis, createDragPosition, type DragPosition } from "./drag-position.ts";
import {
  createPlaneHand,
  type HandlePlace,
  nearest,
  type PlaneHand,
  type PlaneTouch,
} from "./plane-hand.ts";
import { placeOf, stepped, valueAt } from "./slider-scale.ts";
import type { HandValue } from "./values.ts";

/** A handle on the plane. */
export interface Handle {
  /** Its id within the plane. */
  readonly name: string;
  /** Its name for screen readers. */
  readonly label: string;
  /** The text in it. */
  readonly sign: string;
  readonly valueText: string;
  /** Whether its block is on. */
  readonly isOn: boolean;
  /**
   * Its place, 0..1 from the left and from below; a place beyond the plane is moved to its edge.
   */
  readonly x: number;
  readonly y: number;
  /** What a drag to the right, a drag upwards, and a pinch change. */
  readonly across?: Axis | undefined;
  readonly up?: Axis | undefined;
  readonly spread?: HandValue | undefined;
  /** Moves its gain to 0 dB, if it has one. */
  reset(): void;
  /** Switches its block on or off. */
  toggle(): void;
  /** Switches its block on. */
  switchOn(): void;
}

/** The properties of a plane. */
export interface PlaneProps {
  readonly label: string;
  readonly handles: readonly Handle[];
  /** The handle whose values stand beside the plane. */
  readonly chosen: string | undefined;
  readonly onChoose: (name: string) => void;
  /** Why no handle can be moved; undefined if handles can be moved. */
  readonly reason: string | undefined;
  /** The description of the keys for screen readers. */
  readonly hint: string;
  /** The drawing behind the handles. */
  readonly children: ComponentChildren;
}

/** A notch of the wheel in pixels. */
const NOTCH_PX = 100;

/** Number of steps in one notch of the wheel; with fine movement, a notch is one fine step. */
const NOTCH_STEPS = 5;

/** Steps of PageUp and PageDown for a handle without `spread`. */
const PAGE_STEPS = 5;

/** A plane, with what is drawn on it. */
export function Plane(props: PlaneProps) {
  const { label, handles, chosen, reason, hint, children } = props;
  const element = useRef<HTMLDivElement>(null);
  const latest = useRef(props);
  latest.current = props;
  const hand = useRef<PlaneHand | undefined>(undefined);
  hand.current ??= handOn(() => latest.current, element);
  useLayoutEffect(() => {
    if (reason !== undefined) hand.current!.cancel();
  }, [reason]);
  useLayoutEffect(() => hand.current!.cancel, []);
  const touchOf = (event: PointerEvent): PlaneTouch => {
    const { left, top } = element.current!.getBoundingClientRect();
    const { pointerId: id, clientX, clientY, timeStamp: time } = event;
    return { id, x: clientX - left, y: clientY - top, time, isFine: isFine(event) };
  };
  const lifted = (event: PointerEvent) => hand.current!.lift(touchOf(event));
  const countSteps = useRef(createStepCounter());
  return (
    <div
      ref={element}
      class="plane"
      role="group"
      aria-label={label}
      data-still={reason !== undefined}
      title={reason}
      onPointerDown={(event) => {
        if (event.button !== 0) return;
        // The focus goes to the taken handle, which need not be the handle on top.
        event.preventDefault();
        if (reason !== undefined) return noticeBarred(reason);
        event.currentTarget.setPointerCapture(event.pointerId);
        hand.current!.press(touchOf(event));
      }}
      onPointerMove={(event) => hand.current!.drag(touchOf(event))}
      onPointerUp={lifted}
      onPointerCancel={() => hand.current!.cancel()}
      onWheel={(event) => {
        const { deltaX, deltaY } = event;
        const { left, top } = event.currentTarget.getBoundingClientRect();
        const at = { x: event.clientX - left, y: event.clientY - top };
        const name = nearest(placesOf(latest.current.handles, element.current!), at);
        const handle = handles.find((one) => one.name === name);
        if (handle?.spread === undefined) return;
        event.preventDefault();
        if (reason !== undefined) return;
        // With Shift many browsers report a wheel as if it were turned sideways.
        const turned = pixelsOf(deltaY === 0 ? deltaX : deltaY, event);
        const steps = countSteps.current(turned, NOTCH_PX / (isFine(event) ? 1 : NOTCH_STEPS));
        if (steps !== 0) step(handle.spread, -steps, isFine(event));
      }}
    >
      {children}
      {handles.map((handle) => (
        <div
          key={handle.name}
          class={`handle ${handle.isOn ? "is-on" : ""} ${handle.name === chosen ? "chosen" : ""}`}
          data-name={handle.name}
          style={{ "--x": clamped(handle.x), "--y": clamped(handle.y) }}
          role="slider"
          tabIndex={0}
          aria-label={handle.label}
          aria-description={hint}
          aria-valuetext={handle.valueText}
          aria-valuenow={announcedAxis(handle)?.shown.value}
          aria-valuemin={announcedAxis(handle)?.leaf.min}
          aria-valuemax={announcedAxis(handle)?.leaf.max}
          aria-disabled={reason !== undefined}
          onFocus={() => props.onChoose(handle.name)}
          onKeyDown={(event) => {
            const act = afterKey(handle, event);
            if (act === undefined) return;
            event.preventDefault();
            if (reason === undefined) act();
            else noticeBarred(reason);
          }}
        >
          <span>{handle.sign}</span>
        </div>
      ))}
    </div>
  );
}

const clamped = (place: number) => Math.min(1, Math.max(0, place));

/** The axis whose value and bounds are in `aria-valuenow`, `-valuemin` and `-valuemax`. */
const announcedAxis = ({ across, up }: Handle) => across ?? up;

function placesOf(handles: readonly Handle[], element: HTMLElement) {
  const { clientWidth, clientHeight } = element;
  return handles.map(({ name, x, y }) => ({
    name,
    x: clamped(x) * clientWidth,
    y: (1 - clamped(y)) * clientHeight,
  }));
}

/** The positions of the values of a held handle, also between their steps. */
interface Held {
  readonly across: DragPosition;
  readonly up: DragPosition;
  readonly spread: DragPosition;
}

function handOn(
  props: () => PlaneProps,
  element: { readonly current: HTMLDivElement | null },
): PlaneHand {
  const held = new Map<string, Held>();
  const handleOf = (name: string) => props().handles.find((handle) => handle.name === name);
  const valuesOf = ({ across, up, spread }: Handle) =>
    [across, up, spread].flatMap((value) => value?.shown ?? []);
  return createPlaneHand({
    // Of two handles at one place the chosen one is on top.
    places() {
      const { handles, chosen } = props();
      const places = placesOf(handles, element.current!);
      const isChosen = ({ name }: HandlePlace) => name === chosen;
      return [...places.filter((place) => !isChosen(place)), ...places.filter(isChosen)];
    },
    chosen: () => props().chosen,
    hold(name) {
      const handle = handleOf(name);
      if (handle === undefined) return;
      props().onChoose(name);
      element.current!.querySelector<HTMLElement>(`[data-name="${name}"]`)
        ?.focus({ preventScroll: true });
      held.set(name, {
        across: createDragPosition(),
        up: createDragPosition(),
        spread: createDragPosition(),
      });
      for (const shown of valuesOf(handle)) shown.hold();
    },
    go(name, right, down, isFine) {
      const { across, up } = handleOf(name) ?? {};
      const { clientWidth, clientHeight } = element.current!;
      const positions = held.get(name);
      if (across !== undefined) positions?.across.go(across, right / clientWidth, isFine);
      if (up !== undefined) positions?.up.go(up, -down / clientHeight, isFine);
    },
    widen(name, factor) {
      const { spread } = handleOf(name) ?? {};
      if (spread === undefined) return;
      const { leaf, shown } = spread;
      const { min = 1, max = 1 } = leaf;
      const axis: Axis = {
        leaf,
        shown,
        placeOf: (value) => placeOf(value, leaf),
        valueAt: (place) => valueAt(place, leaf),
      };
      // The wider a band is, the lower is its Q.
      held.get(name)?.spread.go(axis, -Math.log(factor) / Math.log(max / min), false);
    },
    letGo(name) {
      held.delete(name);
      const handle = handleOf(name);
      if (handle === undefined) return;
      for (const shown of valuesOf(handle)) shown.letGo();
    },
    tapTwice(name) {
      const handle = handleOf(name);
      handle?.reset();
      // The block is switched on after its gain was reset, so that the old gain is never heard.
      if (handle?.isOn === false) handle.switchOn();
    },
  });
}

type Stepped = Pick<HandValue, "leaf" | "shown">;

function step({ leaf, shown }: Stepped, steps: number, isFine: boolean): void {
  const next = stepped(shown.value, steps, leaf, isFine);
  if (next !== shown.value) shown.move(next);
}

/** The effect of a key on a handle; undefined if the key has no effect on it. */
function afterKey(handle: Handle, event: KeyboardEvent): (() => void) | undefined {
  const { across, up, spread } = handle;
  const { key } = event;
  const by = (value: Stepped | undefined, steps: number, fine = isFine(event)) =>
    value === undefined ? undefined : () => step(value, steps, fine);
  switch (key) {
    case "ArrowLeft":
    case "ArrowRight":
      return by(across ?? up, key === "ArrowRight" ? 1 : -1);
    case "ArrowUp":
    case "ArrowDown":
      return by(up ?? across, key === "ArrowUp" ? 1 : -1);
    case "PageUp":
    case "PageDown": {
      const page = stepsOf(key, spread === undefined ? PAGE_STEPS : 1)!;
      return by(spread ?? up ?? across, page);
    }
    // Many keyboards have one of these signs with Shift only, so Shift does not make this step
    // fine.
    case "+":
    case "=":
      return by(spread, 1, false);
    case "-":
      return by(spread, -1, false);
    case "0":
      return handle.reset;
    case "Enter":
    case " ":
      return event.repeat ? () => {} : handle.toggle;
    default:
      return undefined;
  }
}
