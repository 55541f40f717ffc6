/**
 * A strip of a controller as a hand on a fader of the page: with the page's own fader law, one
 * value under way at a time, its lock and its rights.
 *
 * @module
 */
import { effect } from "@preact/signals";
import { FADER_MIN } from "../../fade/limits.ts";
import { levelAt, travelAt } from "../parts/fader/scale.ts";
import { createShown } from "../parts/fader/shown.ts";
import { browserTime } from "../parts/fader/use-shown.ts";
import { areMetersShown, faderMeter } from "../pages/mixer/mixer-meters.ts";
import { at, link, meters, set } from "../state/live.ts";
import { forbids, locked, noticeBarred } from "../state/rights.ts";
import type { Feedback } from "./feedback.ts";
import { type KeyName, KEYS } from "./mackie.ts";
import { lampOf, pressKey } from "./strip-keys.ts";

/** A strip of a controller. */
export interface ControllerStrip {
  move(travel: number): void;
  touch(isTouched: boolean): void;
  press(key: KeyName): void;
  end(): void;
}

/** The hand at a strip of a controller, which stays there when the strip gets another fader. */
export interface StripHand {
  isTouched: boolean;
  /** Whether the fader feels a touch: whether it has ever reported one. */
  hasSensor: boolean;
  /** The travel at which the hand is, from 0 to 1. */
  travel: number;
  /**
   * The path of the fader that the hand moves, or moves from its next touch on; undefined until it
   * lets go if the strip has got another fader, or none, under it.
   */
  fader: string | undefined;
}

/** Makes the hand of a strip that nobody has touched yet. */
export function newHand(): StripHand {
  return { isTouched: false, hasSensor: false, travel: 0, fader: undefined };
}

/** Time in ms after its last move for which a fader without a sensor counts as touched. */
const RELEASE_MS = 500;

/** The interval of the meters in ms: they fall by themselves meanwhile. */
const METER_MS = 100;

/** Clears a strip; its fader stays where it is. */
export function darkenStrip(feedback: Feedback, strip: number): void {
  for (const key of KEYS) feedback.lamp(strip, key, "off");
  feedback.text(0, strip, "");
  feedback.text(1, strip, "");
}

/** Connects a strip with no fader: it is dark, and its motor goes down once no hand is there. */
export function connectNoFader(
  feedback: Feedback,
  strip: number,
  hand: StripHand,
): ControllerStrip {
  const lower = () => {
    if (!hand.isTouched) feedback.motor(strip, 0);
  };
  hand.fader = undefined;
  // Nothing would report when it lets go.
  if (!hand.hasSensor) hand.isTouched = false;
  darkenStrip(feedback, strip);
  lower();
  return {
    move: () => feedback.moved(strip),
    touch(isTouched) {
      hand.isTouched = isTouched;
      hand.hasSensor = true;
      feedback.moved(strip);
      lower();
    },
    press() {},
    end() {},
  };
}

/**
 * Connects a strip with a fader; `strip` is 0 to 7 on the controller. A hand that is at the strip
 * then holds its old fader: it moves another fader only after it has let go.
 */
export function connectStrip(
  feedback: Feedback,
  strip: number,
  hand: StripHand,
  mixer: number,
  fader: number,
): ControllerStrip {
  const own = `/audio/mixers/${mixer}/faders/${fader}` as const;
  const level = at(`${own}/fader`);
  const fading = at(`${own}/fade/_time`);
  hand.fader = !hand.isTouched || hand.fader === own ? own : undefined;
  /** Whether the hand holds the fader; it loses its hold while the page may not operate. */
  let isHeld = false;
  /** The distance of the hand from the level, after another hand moved the fader. */
  let offset = 0;
  let releasing: number | undefined;
  let isOver = false;

  const shown = createShown(level.peek() ?? FADER_MIN, {
    show,
    send: (dB) => set(`${own}/fader`, dB),
    elsewhere: () => offset = travelAt(shown.value) - hand.travel,
    ...browserTime,
  });

  function show(dB: number): void {
    // The answer to a move may come after the strip has got another fader.
    if (isOver) return;
    // A motor never pulls at a hand.
    if (!hand.isTouched) feedback.motor(strip, travelAt(dB));
    showLevel();
  }

  function showLevel(): void {
    const dB = shown.value;
    const text = link.value.state !== "open"
      ? "OFFLINE"
      : locked.value
      ? "LOCKED"
      : dB <= FADER_MIN
      ? "  -oo"
      : dB.toFixed(1).padStart(5);
    feedback.text(1, strip, text);
  }

  function hold(): void {
    isHeld = true;
    shown.hold();
  }

  function touch(isNow: boolean): void {
    if (isNow === hand.isTouched) return;
    hand.isTouched = isNow;
    feedback.moved(strip);
    if (isNow) {
      offset = 0;
      hand.travel = travelAt(shown.value);
      if (forbids("operate") !== undefined) return;
      hold();
      // A touch catches a moving fader: setting its level ends the fade.
      if ((fading.peek() ?? 0) > 0) shown.move(shown.value);
      return;
    }
    hand.fader = own;
    isHeld = false;
    shown.letGo();
    feedback.motor(strip, travelAt(shown.value));
  }

  /** A hand at a fader without a sensor counts as there until some time after its last move. */
  function letGoLater(): void {
    if (hand.hasSensor) return;
    clearTimeout(releasing);
    releasing = setTimeout(() => touch(false), RELEASE_MS);
  }

  if (hand.isTouched) letGoLater();

  const stops = [
    effect(() => {
      if (level.value !== undefined) shown.told(level.value);
    }),
    // Apart from the level, which must not be told again when a right changes.
    effect(() => {
      if (forbids("operate") === undefined) return;
      isHeld = false;
      shown.drop();
    }),
    effect(() => show(shown.value)),
    effect(() => void fading.value),
    effect(() => feedback.text(0, strip, at(`${own}/label`).value || String(fader + 1))),
    ...KEYS.map((key) => effect(() => feedback.lamp(strip, key, lampOf(mixer, fader, key)))),
    ...(areMetersShown
      ? [meters(faderMeter(mixer, fader), (change) => {
        const sides = change as unknown;
        if (Array.isArray(sides)) feedback.meter(strip, Math.max(...sides));
      }, { interval: METER_MS })]
      : []),
  ];

  return {
    touch(isNow) {
      hand.hasSensor = true;
      clearTimeout(releasing);
      touch(isNow);
    },
    move(next) {
      letGoLater();
      if (hand.fader !== own) return;
      if (!hand.isTouched) {
        // A motor that still runs after a hand has let go reports its moves, too.
        if (hand.hasSensor) return;
        touch(true);
      }
      const before = hand.travel;
      hand.travel = next;
      const reason = forbids("operate");
      if (reason !== undefined) return noticeBarred(reason);
      if (!isHeld) {
        // A hand that stayed on the fader meanwhile goes on from the level in force.
        offset = travelAt(shown.value) - before;
        hold();
      }
      const dB = levelAt(next + offset);
      if (dB !== shown.value) shown.move(dB);
    },
    press: (key) => pressKey(mixer, fader, key),
    end() {
      isOver = true;
      clearTimeout(releasing);
      for (const stop of stops) stop();
      // The last move is still sent; without a connection it was dropped already.
      shown.letGo();
    },
  };
}
