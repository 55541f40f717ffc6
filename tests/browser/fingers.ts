/**
 * Fingers on the screen of a browser: real touches, not synthetic events.
 *
 * @module
 */
import { type Locator, type Page, until } from "./browser.ts";

/** The place of a finger, in pixels of the page. */
export interface Finger {
  readonly x: number;
  readonly y: number;
}

/** The fingers of a hand. Each call lists all fingers on the screen, in the same order. */
export interface Fingers {
  press(...fingers: Finger[]): Promise<void>;
  move(...fingers: Finger[]): Promise<void>;
  /** Lifts all fingers. */
  lift(): Promise<void>;
  /** Taps twice, 100 ms apart by the times of the events, however long a busy machine takes. */
  tapTwice(finger: Finger): Promise<void>;
}

/** A hand at a page that was opened with `hasTouch`. */
export async function fingersAt(page: Page): Promise<Fingers> {
  const session = await page.context().newCDPSession(page);
  const send = async (
    type: "touchStart" | "touchMove" | "touchEnd",
    fingers: readonly Finger[],
    timestamp = Date.now() / 1000,
  ) => {
    const touchPoints = fingers.map(({ x, y }, id) => ({ x, y, id }));
    await session.send("Input.dispatchTouchEvent", { type, touchPoints, timestamp });
  };
  return {
    press: (...fingers) => send("touchStart", fingers),
    move: (...fingers) => send("touchMove", fingers),
    lift: () => send("touchEnd", []),
    async tapTwice(finger) {
      const now = Date.now() / 1000;
      for (const time of [now, now + 0.1]) {
        await send("touchStart", [finger], time);
        await send("touchEnd", [], time + 0.05);
      }
    },
  };
}

/** The middle of an element, or a place in it: parts from 0 to 1 of its width and its height. */
export async function placeIn(shown: Locator, part = { x: 0.5, y: 0.5 }): Promise<Finger> {
  const { x, y, width, height } = (await shown.boundingBox())!;
  return { x: x + part.x * width, y: y + part.y * height };
}

/** Waits until a page has drawn the previous moves, which a browser passes on frame by frame. */
export function frames(page: Page): Promise<void> {
  return page.evaluate(async () => {
    for (let frame = 0; frame < 3; frame++) {
      await new Promise((drawn) => requestAnimationFrame(drawn));
    }
  });
}

/** The middle of an element, once it no longer moves. */
export async function steadyPlace(shown: Locator): Promise<Finger> {
  let before: Finger | undefined;
  let now = await placeIn(shown);
  await until(async () => {
    before = now;
    await frames(shown.page());
    now = await placeIn(shown);
    return before.x === now.x && before.y === now.y;
  });
  return now;
}
