/**
 * Has the browser keep the page for an outage of the console, by `view/offline.js`.
 *
 * @module
 */

/** Does so where the browser can: over HTTPS, with a certificate that it trusts, and on localhost. */
export async function keepOffline(): Promise<void> {
  // There is none elsewhere.
  await navigator.serviceWorker?.register("offline.js").catch(() => {});
}
