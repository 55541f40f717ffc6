/**
 * Fingers on the glass of a browser, as many as a test needs: real touches, not events made up.
 *
 * @module
 */
import type { Page } from "./browser.ts";

/** Where fingers are, in pixels of the page. */
export interface Finger {
  readonly x: number;
  readonly y: number;
}

/** The fingers of one hand. All that are down are named each time, in the same order. */
export interface Fingers {
  press(...fingers: Finger[]): Promise<void>;
  move(...fingers: Finger[]): Promise<void>;
  /** Lifts all but those that are named. */
  lift(...fingers: Finger[]): Promise<void>;
}

/** A hand at a page, which was opened with `hasTouch`. */
export async function fingersAt(page: Page): Promise<Fingers> {
  const session = await page.context().newCDPSession(page);
  const send = (type: "touchStart" | "touchMove" | "touchEnd", fingers: readonly Finger[]) =>
    session.send("Input.dispatchTouchEvent", {
      type,
      touchPoints: fingers.map(({ x, y }, id) => ({ x, y, id })),
    });
  return {
    press: (...fingers) => send("touchStart", fingers).then(() => {}),
    move: (...fingers) => send("touchMove", fingers).then(() => {}),
    lift: (...fingers) => send("touchEnd", fingers).then(() => {}),
  };
}
