/**
 * The service worker of the page: while the console cannot be reached, a reload shows the page as
 * it was loaded last, which then says so. It keeps only the files of the page, requested by their
 * bare names: no answer of the console, and no token. Browsers run it over HTTPS and on localhost
 * only.
 *
 * @module
 */

// The build fills these in: any change makes a new worker, which fetches all files anew.
const VERSION = "";
const FILES = [];

/** Time in ms after which a console that has not sent the page counts as gone. */
const PATIENCE_MS = 5000;

// Consoles below other paths of the same host keep their files in the same place.
const { scope } = registration;
const name = `${scope} ${VERSION}`;

// The files are kept as they are unpacked.
const KEPT = { cacheName: name, ignoreVary: true };

addEventListener("install", (event) => {
  skipWaiting();
  event.waitUntil(caches.open(name).then((cache) => cache.addAll([scope, ...FILES])));
});

addEventListener("activate", (event) => event.waitUntil(removeOthers()));

addEventListener("fetch", (event) => {
  const { request } = event;
  const [address] = request.url.split(/[?#]/);
  if (request.method !== "GET") return;
  if (address === scope) event.respondWith(page(request));
  else if (FILES.includes(address.replace(scope, ""))) event.respondWith(file(request));
});

async function removeOthers() {
  const names = await caches.keys();
  const others = names.filter((one) => one.startsWith(`${scope} `) && one !== name);
  await Promise.all(others.map((one) => caches.delete(one)));
}

/** The page from the console, which may be newer; the kept page if none comes. */
async function page(request) {
  const kept = await caches.match(scope, KEPT);
  try {
    const answer = await fetch(request, { signal: AbortSignal.timeout(PATIENCE_MS) });
    // A proxy answers so for a console that is gone.
    return answer.status >= 500 ? kept ?? answer : answer;
  } catch {
    return kept ?? Response.error();
  }
}

/** A file, whose name changes with its content. */
async function file(request) {
  return await caches.match(request.url, KEPT) ?? await fetch(request);
}
