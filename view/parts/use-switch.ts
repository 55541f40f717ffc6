/**
 * A switch of the control tree, from its press to the answer.
 *
 * @module
 */
import { asked, at, link, set } from "../state/live.ts";

/** A switch. */
export interface Switch {
  /** Whether it is on; undefined if the console has no such switch. */
  readonly isOn: boolean | undefined;
  /** Whether it was pressed, and the console has not answered. */
  readonly isAsked: boolean;
  /** Whether its state is unknown: it was pressed, and then the console fell silent. */
  readonly isUnanswered: boolean;
  /** Presses it, as {@link pressSwitch} does. */
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
    press: () => pressSwitch(path),
  };
}

/** Presses the switch at a path: each press inverts the press before it. */
export function pressSwitch(path: string): void {
  const wanted = asked(path).peek()?.value;
  void set(path, !(wanted ?? at(path).peek()));
}
