/**
 * The Enter key that is held down.
 *
 * @module
 */

/**
 * Makes a held Enter press once: a browser clicks a button, and submits a form, at each repeat of
 * the key.
 */
export function pressOnce(): void {
  addEventListener("keydown", (event) => {
    if (!event.repeat || event.key !== "Enter") return;
    event.preventDefault();
    event.stopPropagation();
  }, true);
}
