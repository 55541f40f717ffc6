/**
 * What the page keeps in the browser: for the tab, or for the device. A browser may forbid either;
 * then nothing is kept, and the page works all the same.
 *
 * @module
 */

/** `sessionStorage` is that of the tab, `localStorage` that of the device. */
export type Place = "sessionStorage" | "localStorage";

/** One console may stand beside others under one host: each keeps its own. */
const PREFIX = `faderd:${new URL(".", document.baseURI).pathname}:`;

/** What is kept under a name; undefined for nothing. */
export function kept(place: Place, name: string): string | undefined {
  try {
    return globalThis[place].getItem(PREFIX + name) ?? undefined;
  } catch {
    return undefined;
  }
}

/** Keeps a text under a name, or without one forgets it. */
export function keep(place: Place, name: string, text: string | undefined): void {
  try {
    if (text === undefined) globalThis[place].removeItem(PREFIX + name);
    else globalThis[place].setItem(PREFIX + name, text);
  } catch {
    // The browser keeps nothing.
  }
}
