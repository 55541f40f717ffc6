/**
 * Keeps a tablet beside the desk awake while the page is visible.
 *
 * @module
 */

/** Asks the browser, if it can, to leave the screen on; again whenever the page becomes visible. */
export function keepAwake(): void {
  const ask = () => {
    if (document.visibilityState !== "visible") return;
    // The browser may refuse, as on a low battery: then the screen goes off as it would.
    navigator.wakeLock?.request("screen").catch(() => {});
  };
  document.addEventListener("visibilitychange", ask);
  ask();
}
