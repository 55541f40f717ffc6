/**
 * Stores texts of the page in the browser: for the tab, or for the device. A browser may forbid
 * either; then nothing is stored, and the page works nevertheless, but
 * for own pages on this device.
 *
 * @module
 */
import { hubPath, ownPath } from "./place.ts";

/** The storage: `sessionStorage` for the tab, `localStorage` for the device. */
export type Place = "sessionStorage" | "localStorage";

/**
 * The page of a console behind a hub gets these from the hub's own page, on which the user has
 * logged in.
 */
const OF_HUB = ["token", "theme", "contrast", "language"];

/** Several consoles may share one host: each has a prefix of its own. */
function keyOf(name: string): string {
  const path = OF_HUB.includes(name) ? hubPath ?? ownPath : ownPath;
  return `faderd:${path}:${name}`;
}

/** Returns the text stored under a name; undefined if there is none. */
export function kept(place: Place, name: string): string | undefined {
  try {
    return globalThis[place].getItem(keyOf(name)) ?? undefined;
  } catch {
    return undefined;
  }
}

/**
 * Stores a text under a name; removes it if `text` is undefined. Returns whether that was possible:
 * a browser may forbid the storage, or have no room for the text.
 */
export function keep(place: Place, name: string, text: string | undefined): boolean {
  try {
    if (text === undefined) globalThis[place].removeItem(keyOf(name));
    else globalThis[place].setItem(keyOf(name), text);
    return true;
  } catch {
    return false;
  }
}
