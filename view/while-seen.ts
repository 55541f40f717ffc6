/**
 * Work that is useful only while the page is visible.
 *
 * @module
 */

/**
 * Calls `start` when the page is visible, and the function that it returned as soon as the page is
 * hidden, behind another tab or by a screen that is off; the returned function ends both.
 */
export function whileSeen(start: () => () => void): () => void {
  let stop: (() => void) | undefined;
  const look = () => {
    if (document.visibilityState === "visible") stop ??= start();
    else end();
  };
  const end = () => {
    stop?.();
    stop = undefined;
  };
  document.addEventListener("visibilitychange", look);
  look();
  return () => {
    document.removeEventListener("visibilitychange", look);
    end();
  };
}
