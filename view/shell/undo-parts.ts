/**
 * The key that undoes and its dialog, which are loaded after all pages.
 *
 * @module
 */
import { signal } from "@preact/signals";

/** The module with both, once it is loaded. */
export const undoParts = signal<typeof import("../undo/undo.tsx")>();

/** Loads the module; without it everything else of the page works. */
export async function loadUndoParts(): Promise<void> {
  undoParts.value = await import("../undo/undo.tsx").catch(() => undefined);
}
