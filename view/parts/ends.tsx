import type { ComponentChildren } from "preact";
import { texts } from "../texts/texts.ts";
import { Button } from "./button.tsx";

/** How a dialog ends. */
export interface EndsProps {
  readonly onCancel: () => void;
  /** The button that does it, or that of a form. */
  readonly children: ComponentChildren;
}

/** The buttons by which a dialog ends: the one that changes nothing stands first. */
export function Ends({ onCancel, children }: EndsProps) {
  return (
    <div class="toolbar ends">
      <Button label={texts().shell.cancel} onPress={onCancel} />
      {children}
    </div>
  );
}
