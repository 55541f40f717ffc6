/**
 * A tablet beside the desk stays awake while the page is seen.
 *
 * @module
 */

/** Asks the browser, where it can, to leave the screen on; again whenever the page is seen. */
export function keepAwake(): void {
  const ask = () => {
    if (document.visibilityState !== "visible") return;
    // The browser may refuse, as on a low battery: then the screen goes off as it would.
    navigator.wakeLock?.request("screen").catch(() => {});
  };
  document.addEventListener("visibilitychange", ask);
  ask();
}
