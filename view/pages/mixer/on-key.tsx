/**
 * The key ON, of a fader and of each block of its processing.
 *
 * @module
 */
import { at, set } from "../../state/live.ts";
import { Button } from "../../parts/button.tsx";
import type { Need } from "../../state/rights.ts";
import { texts } from "../../texts/texts.ts";
import type { TabStop } from "./strip-place.ts";

/** What a key ON is. */
export interface OnKeyProps extends TabStop {
  /** The path of what has the switch `on`. */
  readonly path: string;
  /** What is switched, in words. */
  readonly label: string;
  readonly needs: Need;
}

/** Shows whether something is on, and switches it; nothing where it has no switch. */
export function OnKey({ path, label, needs, tabIndex }: OnKeyProps) {
  const isOn = at(`${path}/on`).value as boolean | undefined;
  const { mixer: text } = texts();
  if (isOn === undefined) return null;
  return (
    <Button
      class="key on"
      label={text.members.on}
      name={text.onOf(label)}
      isOn={isOn}
      needs={needs}
      tabIndex={tabIndex}
      onPress={() => set(`${path}/on`, !isOn)}
    />
  );
}
