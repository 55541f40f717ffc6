/**
 * A value of the control tree that a component shows and moves.
 *
 * @module
 */
import { effect } from "@preact/signals";
import { useEffect, useMemo, useState } from "preact/hooks";
import { at, set } from "../../state/live.ts";
import { createShown, type Shown, type ShownPorts } from "./shown.ts";

/** The timer of sent values: the clock of the browser. */
export const browserTime: Pick<ShownPorts, "now" | "later"> = {
  now: () => performance.now(),
  later: (ms, act) => setTimeout(act, ms),
};

/**
 * Returns the shown value of the number at a path, at first `initial`, and the functions that move
 * it.
 */
export function useShown(path: string, initial: number): readonly [number, Shown] {
  const [value, setValue] = useState(initial);
  const shown = useMemo(
    () => createShown(initial, { ...browserTime, show: setValue, send: (next) => set(path, next) }),
    [path],
  );
  useEffect(() =>
    effect(() => {
      const { value: told } = at(path);
      if (typeof told === "number") shown.told(told);
    }), [shown]);
  return [value, shown];
}
