/**
 * The focus of a control that is removed from the page.
 *
 * @module
 */

/**
 * Gives the focus to the place where the focused control was removed: to a row beside a removed row,
 * or to what the removed part was in. A browser gives it to nothing: a screen reader then says
 * nothing, and in some browsers the next Tab begins at the top of the page.
 */
export function findLostFocus(): void {
  const isLost = () => document.activeElement === document.body;
  let last: Node | null = null;
  addEventListener("focusin", ({ target }) => last = target as Node);
  // A press elsewhere takes the focus away on purpose.
  addEventListener("pointerdown", () => last = null, true);
  new MutationObserver((changes) => {
    const removal = isLost() &&
      changes.find(({ removedNodes }) =>
        [...removedNodes].some((node) => node.contains(last) && !node.isConnected)
      );
    if (!removal) return;
    const { nextSibling, previousSibling, target } = removal;
    // Effects of components come first: they may give the focus to another control.
    requestAnimationFrame(() =>
      setTimeout(() => {
        if (!isLost()) return;
        const beside = [nextSibling, previousSibling];
        const row = beside.find((one) => one?.nodeName === "LI" && one.isConnected);
        // This is no control: the next key may have been meant for the removed one.
        const place = (row ?? target) as HTMLElement;
        if (place.tabIndex < 0) place.tabIndex = -1;
        place.focus({ preventScroll: true });
        // While the console is away, the page in it is inert.
        if (isLost()) document.querySelector("main")!.focus();
      })
    );
  }).observe(document.body, { childList: true, subtree: true });
}
