/**
 * A key that switches a value of the control tree.
 *
 * @module
 */
import { at, set } from "../state/live.ts";
import type { Need } from "../state/rights.ts";
import { Button } from "./button.tsx";

/** What is switched, and how the key is called. */
export interface SetKeyProps {
  readonly path: string;
  readonly label: string;
  /** Its name, where the label is too short to be one. */
  readonly name?: string;
  readonly needs: Need;
  readonly class?: string;
  readonly tabIndex?: 0 | -1;
}

/** Shows whether something is on, and switches it; nothing where the console has no such switch. */
export function SetKey({ path, class: look = "key", ...button }: SetKeyProps) {
  const isOn = at(path).value as boolean | undefined;
  if (isOn === undefined) return null;
  return <Button {...button} class={look} isOn={isOn} onPress={() => set(path, !isOn)} />;
}
