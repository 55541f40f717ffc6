/**
 * A switch of the control tree, from the press that asks for it to the answer.
 *
 * @module
 */
import { asked, at, link, set } from "../state/live.ts";

/** A switch. */
export interface Switch {
  /** Whether it is on; undefined where the console has no such switch. */
  readonly isOn: boolean | undefined;
  /** Whether it was pressed, and the console has not answered. */
  readonly isAsked: boolean;
  /** Whether nobody knows what it is: it was pressed, and then nothing came any more. */
  readonly isUnanswered: boolean;
  /** Switches it: each press to the other side of the press before it. */
  press(): void;
}

/** Returns the switch at a path. */
export function useSwitch(path: string): Switch {
  const isOn = at(path).value as boolean | undefined;
  const wanted = asked(path).value?.value as boolean | undefined;
  return {
    isOn,
    isAsked: wanted !== undefined && wanted !== isOn,
    isUnanswered: wanted !== undefined && link.value.state !== "open",
    press: () => void set(path, !(wanted ?? isOn)),
  };
}
