/**
 * A dialog over the page.
 *
 * @module
 */
import { type ReadonlySignal, signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { texts } from "../texts/texts.ts";
import { Button } from "./button.tsx";
import { Notices } from "./notices.tsx";
import { Overlay } from "./overlay.tsx";

const open = signal(0);

/** How many dialogs are open: what is said of the whole page is said in them then. */
export const openDialogs: ReadonlySignal<number> = open;

/** What a dialog is. */
export interface DialogProps {
  readonly title: string;
  /** Is called when it is closed, by its button, by Escape or by a touch beside it. */
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

/** A dialog; it is there as long as it is in the tree. What it holds is reached by Tab alone. */
export function Dialog({ title, onClose, children }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    element.current!.showModal();
    open.value++;
    return () => {
      open.value--;
    };
  }, []);
  return (
    <dialog
      ref={element}
      class="dialog"
      aria-label={title}
      onClose={onClose}
      onClick={({ target }) => target === element.current && onClose()}
    >
      <div class="dialog-body">
        <header>
          <h2>{title}</h2>
          <Button label={texts().shell.close} icon="close" isBare onPress={onClose} />
        </header>
        {children}
      </div>
      {/* Outside a dialog that is open nothing is seen over it, read out or pressed. */}
      <Overlay />
      <Notices />
    </dialog>
  );
}
