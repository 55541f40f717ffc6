/**
 * A key that switches a value of the control tree.
 *
 * @module
 */
import type { ComponentChildren } from "preact";
import type { Need } from "../state/rights.ts";
import { mixerWords } from "../texts/mixer-words.ts";
import { Button } from "./button.tsx";
import { useSwitch } from "./use-switch.ts";

/** The switch, and the texts of its key. */
export interface SetKeyProps {
  readonly path: string;
  readonly label: string;
  /** Its name, if the label is too short to be a name. */
  readonly name?: string;
  readonly needs: Need;
  readonly class?: string;
  readonly tabIndex?: 0 | -1;
  /** A word on its state, below the label, and a sentence. */
  readonly said?: string | undefined;
  readonly hint?: string | undefined;
  /** The content behind the label. */
  readonly children?: ComponentChildren;
}

/** Shows whether a value is on, and switches it; nothing if the console has no such switch. */
export function SetKey({ path, class: look = "key", said, hint, ...button }: SetKeyProps) {
  const { isOn, isAsked, isUnanswered, press } = useSwitch(path);
  if (isOn === undefined) return null;
  const unanswered = isUnanswered ? mixerWords().unanswered : undefined;
  return (
    <Button
      {...button}
      class={`${look} ${isAsked || isUnanswered ? "asked" : ""}`}
      isOn={isOn}
      said={unanswered ?? said}
      hint={unanswered ?? hint}
      onPress={press}
    />
  );
}
