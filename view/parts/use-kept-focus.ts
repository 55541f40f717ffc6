/**
 * The focus on a page that is inert for a while, because the console is silent or lost.
 *
 * @module
 */
import { useLayoutEffect } from "preact/hooks";

/**
 * Gives the focus back, once a part of the page is operable again, to the control that had it when
 * the part was made inert: a browser takes the focus away from inert controls, and the next key
 * would do nothing. If another control has the focus by then, the first one is told that the user
 * has left it.
 */
export function useKeptFocus(isInert: boolean): void {
  useLayoutEffect(() => {
    if (!isInert) return;
    const focused = document.activeElement as HTMLElement | null;
    return () => queueMicrotask(() => resume(focused));
  }, [isInert]);
}

/** Resumes the focus of a control; by then the whole page is drawn as operable. */
function resume(control: HTMLElement | null): void {
  const { activeElement } = document;
  if (activeElement === document.body) control?.focus({ preventScroll: true });
  else if (activeElement !== control) control?.dispatchEvent(new FocusEvent("blur"));
}

/**
 * Says whether the user has left a control that has lost the focus. A part of the page that is made
 * inert takes the focus away, too, and gives it back: a field keeps its text for that time.
 */
export function isLeft(control: Element): boolean {
  return control.closest("[inert]") === null;
}
