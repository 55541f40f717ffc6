/**
 * The focus on a page that is inert for a while, because the console is silent or lost.
 *
 * @module
 */
import { useLayoutEffect } from "preact/hooks";

/**
 * Gives the focus back, once a part of the page is operable again, to the control that had it when
 * the part was made inert, unless another control has it by then: a browser takes the focus away
 * from inert controls, and the next key would do nothing.
 */
export function useKeptFocus(isInert: boolean): void {
  useLayoutEffect(() => {
    if (!isInert) return;
    const focused = document.activeElement as HTMLElement | null;
    return () => {
      if (document.activeElement === document.body) focused?.focus({ preventScroll: true });
    };
  }, [isInert]);
}

/**
 * Says whether the user has left a control that has lost the focus. A part of the page that is made
 * inert takes the focus away, too, and gives it back: a field keeps its text for that time.
 */
export function isLeft(control: Element): boolean {
  return control.closest("[inert]") === null;
}
