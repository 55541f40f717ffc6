/**
 * Has the browser keep the page for an outage of the console, by `view/offline.js`.
 *
 * @module
 */

/**
 * Registers the service worker if the browser can: over HTTPS, with a certificate that it trusts,
 * and on localhost.
 */
export async function keepOffline(): Promise<void> {
  // Elsewhere there is no service worker.
  await navigator.serviceWorker?.register("offline.js").catch(() => {});
}
