/**
 * Hands on a plane of handles: the effects of fingers, or of a mouse, on them. This module does not
 * know the page; `plane.tsx` passes it the pointers.
 *
 * @module
 */

/** A pointer at the plane. */
export interface PlaneTouch {
  /** The id of the pointer. */
  readonly id: number;
  /** Its position in pixels, to the right and down. */
  readonly x: number;
  readonly y: number;
  /** The time of the event in ms, by a monotonic clock. */
  readonly time: number;
  /** Whether a key asks for fine movement. */
  readonly isFine: boolean;
}

/** A handle and its position, in pixels of the plane. */
export interface HandlePlace {
  readonly name: string;
  readonly x: number;
  readonly y: number;
}

/** The parts of a plane that its hands need. */
export interface PlanePorts {
  /** The handles, at their present places. */
  places(): readonly HandlePlace[];
  /** The handle that two fingers beside all handles pinch. */
  chosen(): string | undefined;
  /** Called when a hand takes hold of a handle; it holds the handle until `letGo`. */
  hold(name: string): void;
  /** Moves a handle by pixels. */
  go(name: string, right: number, down: number, isFine: boolean): void;
  /** Multiplies the width of a handle's band by a factor. */
  widen(name: string, factor: number): void;
  letGo(name: string): void;
  tapTwice(name: string): void;
}

/** The hands on one plane. */
export interface PlaneHand {
  readonly isHolding: boolean;
  press(touch: PlaneTouch): void;
  drag(touch: PlaneTouch): void;
  lift(touch: PlaneTouch): void;
  /** Lets go of all handles, even if fingers still hold them. */
  cancel(): void;
}

/** Maximum distance in pixels at which a finger takes the nearest handle. */
export const REACH_PX = 28;

/** Movement of a finger in pixels that is ignored, because fingers tremble. */
const TREMBLE_PX = 4;

/** Maximum time between the two taps of a double tap, in ms. */
const DOUBLE_MS = 350;

/**
 * Minimum distance of two fingers that counts, in pixels: nearer together they are too imprecise.
 */
const NEAREST_PX = 24;

/** A finger that is down. */
interface Finger {
  x: number;
  y: number;
  /** The handle that it has taken. */
  readonly name: string | undefined;
  hasMoved: boolean;
  /** The finger with which it pinches. */
  other?: Finger | undefined;
}

/** The handle in reach that is nearest to a place. */
export function nearest(
  places: readonly HandlePlace[],
  { x, y }: { readonly x: number; readonly y: number },
): string | undefined {
  let found: string | undefined;
  let least = REACH_PX;
  for (const place of places) {
    const away = Math.hypot(place.x - x, place.y - y);
    if (away > least) continue;
    found = place.name;
    least = away;
  }
  return found;
}

/**
 * Makes the hands of one plane. Each finger moves the handle that it has touched, from the place of
 * the handle. A finger that touches no handle pinches with the finger before it: the handle of that
 * finger, or the chosen handle, becomes wider as they part, and does not move meanwhile. Two taps
 * on a handle are reported.
 */
export function createPlaneHand(ports: PlanePorts): PlaneHand {
  const fingers = new Map<number, Finger>();
  let lastTap: { readonly name: string; readonly time: number } | undefined;

  const isHeld = (name: string) => [...fingers.values()].some((finger) => finger.name === name);

  /** The handle that two fingers pinch. */
  const pinched = ({ name, other }: Finger) => name ?? other?.name ?? ports.chosen();

  function part(finger: Finger): void {
    const { other } = finger;
    if (other === undefined) return;
    const name = pinched(finger);
    finger.other = other.other = undefined;
    if (name !== undefined && !isHeld(name)) ports.letGo(name);
  }

  function pinch(finger: Finger, x: number, y: number): void {
    const other = finger.other!;
    const distance = (x: number, y: number) =>
      Math.max(NEAREST_PX, Math.hypot(x - other.x, y - other.y));
    const factor = distance(x, y) / distance(finger.x, finger.y);
    finger.x = x;
    finger.y = y;
    const name = pinched(finger);
    if (name !== undefined && factor !== 1) ports.widen(name, factor);
  }

  return {
    get isHolding() {
      return fingers.size > 0;
    },
    press({ id, x, y }) {
      const free = ports.places().filter(({ name }) => !isHeld(name));
      const name = nearest(free, { x, y });
      const finger: Finger = { x, y, name, hasMoved: false };
      const before = [...fingers.values()].findLast(({ other }) => other === undefined);
      fingers.set(id, finger);
      if (name !== undefined) return ports.hold(name);
      if (before === undefined) return;
      finger.other = before;
      before.other = finger;
      finger.hasMoved = before.hasMoved = true;
      const wide = pinched(finger);
      if (wide !== undefined && before.name === undefined) ports.hold(wide);
    },
    drag({ id, x, y, isFine }) {
      const finger = fingers.get(id);
      if (finger === undefined) return;
      if (finger.other !== undefined) return pinch(finger, x, y);
      const way = Math.hypot(x - finger.x, y - finger.y);
      if (!finger.hasMoved && way < TREMBLE_PX) return;
      // A busy browser reports a whole movement at once: only the ignored part of it is lost.
      const part = finger.hasMoved ? 1 : 1 - TREMBLE_PX / way;
      const [right, down] = [part * (x - finger.x), part * (y - finger.y)];
      finger.hasMoved = true;
      finger.x = x;
      finger.y = y;
      if (finger.name !== undefined) ports.go(finger.name, right, down, isFine);
    },
    lift({ id, time }) {
      const finger = fingers.get(id);
      if (finger === undefined) return;
      fingers.delete(id);
      part(finger);
      const { name } = finger;
      if (name === undefined) return;
      ports.letGo(name);
      if (finger.hasMoved) {
        lastTap = undefined;
        return;
      }
      const isSecond = lastTap?.name === name && time - lastTap.time <= DOUBLE_MS;
      lastTap = isSecond ? undefined : { name, time };
      if (isSecond) ports.tapTwice(name);
    },
    cancel() {
      const names = new Set([...fingers.values()].flatMap((finger) => pinched(finger) ?? []));
      fingers.clear();
      for (const name of names) ports.letGo(name);
    },
  };
}
