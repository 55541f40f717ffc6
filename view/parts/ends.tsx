import type { ComponentChildren } from "preact";
import { texts } from "../texts/texts.ts";
import { Button } from "./button.tsx";

/** The properties of the buttons that end a dialog. */
export interface EndsProps {
  readonly onCancel: () => void;
  /** The button of the action, or the submit button of a form. */
  readonly children: ComponentChildren;
}

/** The buttons that end a dialog: first the button that changes nothing. */
export function Ends({ onCancel, children }: EndsProps) {
  return (
    <div class="toolbar ends">
      <Button label={texts().shell.cancel} onPress={onCancel} />
      {children}
    </div>
  );
}
