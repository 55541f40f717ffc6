/**
 * Work that is useful only while the page is visible.
 *
 * @module
 */

/**
 * Calls `start` whenever the page becomes visible (at once if it is), and the function that `start`
 * returned whenever the page is hidden: another tab is in front, or the screen is off. The function
 * that `whileSeen` returns stops the work, and `start` is not called again.
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
