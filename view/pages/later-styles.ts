/**
 * The styles of the parts that are loaded or opened later than the first page.
 *
 * @module
 */

let styles: Promise<void> | undefined;

/** Loads these styles, once. */
export function loadStyles(): Promise<void> {
  return styles ??= new Promise((resolve, reject) => {
    const link = document.querySelector<HTMLLinkElement>("link[rel=later]");
    // The page of a hub has all of its styles from the beginning.
    if (link === null) return resolve();
    link.onload = () => resolve();
    link.onerror = reject;
    link.rel = "stylesheet";
  });
}
