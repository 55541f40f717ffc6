/**
 * The buttons that are held down at this page. A button goes down with the first finger or key that
 * holds it, and comes up with the last, once each; it comes up whatever happens to the page.
 *
 * @module
 */

/** Tells the console of a button: down (1) or up (0). */
export type Tell = (list: number, entry: number, on: 0 | 1) => void;

/** The buttons that are held down. */
export interface Held {
  /** To be called when a finger or a key, which has a unique name, takes hold of a button. */
  press(holder: string, list: number, entry: number): void;
  /** To be called when a finger or a key lets go of its button, if it holds one. */
  release(holder: string): void;
  /** Releases a button for all fingers and keys. */
  releaseButton(list: number, entry: number): void;
  /** Releases all buttons for all fingers and keys. */
  releaseAll(): void;
  /**
   * Forgets all held buttons without telling the console, which releases all buttons of a page when
   * it loses that page.
   */
  forget(): void;
  isHeld(list: number, entry: number): boolean;
}

/** Makes the record of held buttons; `changed` is called after each change. */
export function createHeld(tell: Tell, changed: () => void): Held {
  const buttons = new Map<string, readonly [list: number, entry: number]>();

  function isHeld(list: number, entry: number): boolean {
    return [...buttons.values()].some((button) => button[0] === list && button[1] === entry);
  }

  function release(holder: string): void {
    const button = buttons.get(holder);
    if (button === undefined) return;
    buttons.delete(holder);
    if (!isHeld(...button)) tell(...button, 0);
    changed();
  }

  return {
    isHeld,
    press(holder, list, entry) {
      release(holder);
      const isDown = isHeld(list, entry);
      buttons.set(holder, [list, entry]);
      if (!isDown) tell(list, entry, 1);
      changed();
    },
    release,
    releaseButton(list, entry) {
      for (const [holder, button] of [...buttons]) {
        if (button[0] === list && button[1] === entry) release(holder);
      }
    },
    releaseAll() {
      for (const holder of [...buttons.keys()]) release(holder);
    },
    forget() {
      buttons.clear();
      changed();
    },
  };
}
