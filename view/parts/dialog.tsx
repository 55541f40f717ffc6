/**
 * A dialog over the page.
 *
 * @module
 */
import { type ReadonlySignal, signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { link } from "../state/live.ts";
import { texts } from "../texts/texts.ts";
import { Button } from "./button.tsx";
import { Notices } from "./notices.tsx";
import { Overlay } from "./overlay.tsx";
import { useKeptFocus } from "./use-kept-focus.ts";

const open = signal(0);

/** What had the focus before a dialog that another one may replace. */
let replaced: HTMLElement | undefined;

/** The number of open dialogs: messages about the whole page are then shown in them. */
export const openDialogs: ReadonlySignal<number> = open;

/** The properties of a dialog. */
export interface DialogProps {
  readonly title: string;
  /** Called when it is closed, by its button, by Escape or by a touch outside it. */
  readonly onClose: () => void;
  /** Whether a touch outside it leaves it open, because its content would be lost. */
  readonly isKept?: boolean;
  readonly children: ComponentChildren;
}

/** Selects what gets the focus first: a field, or a button whose action can be undone. */
const FIRST = ".dialog-content :is(input, select, .button:not(.danger))";

/**
 * A dialog, as long as it is in the tree. Tab reaches only its content, and after it the focus is
 * again where it was.
 */
export function Dialog({ title, onClose, isKept, children }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null);
  const touched = useRef<EventTarget | null>(null);
  const { state } = link.value;
  const isLost = state === "lost" || state === "connecting" || state === "silent";
  useKeptFocus(isLost);
  // A passive effect runs and ends a frame later: until then, keys of the page would go to a dialog
  // that is already closed.
  useLayoutEffect(() => {
    const dialog = element.current!;
    // A dialog that replaces another one leads back to where that one was opened.
    const before = replaced ?? document.activeElement as HTMLElement;
    dialog.showModal();
    // Without `autofocus` the browser would focus the button that closes the dialog.
    if (dialog.querySelector("[autofocus]") === null) {
      dialog.querySelector<HTMLElement>(FIRST)?.focus();
    }
    open.value++;
    return () => {
      open.value--;
      // Nothing outside the dialog can take the focus until the dialog is removed.
      replaced = before;
      queueMicrotask(() => {
        replaced = undefined;
        before.focus();
      });
    };
  }, []);
  return (
    <dialog
      ref={element}
      class="dialog"
      aria-label={title}
      onCancel={(event) => {
        // A browser that closes it by itself reports that later, and by then another dialog may be
        // open.
        event.preventDefault();
        onClose();
      }}
      onPointerDown={({ target }) => touched.current = target}
      onClick={({ target, currentTarget: beside }) => {
        // A pointer that selects text in the dialog may be released outside it.
        if (target === beside && touched.current === beside && !isKept) onClose();
      }}
    >
      <div class="dialog-body form">
        <header class="line">
          <h2>{title}</h2>
          <span class="space" />
          <Button label={texts().shell.close} icon="close" isBare onPress={onClose} />
        </header>
        {/* Nothing is filled in while the console is away. */}
        <div class="dialog-content form" inert={isLost}>{children}</div>
      </div>
      {/* Content outside an open dialog is not shown over it, read out or pressed. */}
      <Overlay />
      <Notices />
    </dialog>
  );
}
