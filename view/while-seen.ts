/**
 * Work that is of use only while somebody looks at the page.
 *
 * @module
 */

/**
 * Calls `start` while the page is seen, and what it answered as soon as the page is hidden, behind
 * another tab or by a screen that is off; the returned function ends all of it.
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
