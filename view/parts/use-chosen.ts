/**
 * Elements that a browser sets by itself, before the console has answered.
 *
 * @module
 */
import { useState } from "preact/hooks";
import { set } from "../state/live.ts";

/** Something that was chosen, until the console has answered; each choice is another. */
interface Choice<Value> {
  readonly path: string;
  readonly value: Value;
}

/**
 * Returns what is shown of the value at a path, and what chooses another: what was chosen last
 * until the console has answered, and what is in force then, whatever became of it.
 */
export function useChosen<Value>(
  path: string,
  inForce: Value,
): readonly [Value, (value: Value) => Promise<void>] {
  const [chosen, setChosen] = useState<Choice<Value>>();
  const choose = async (value: Value) => {
    const choice = { path, value };
    setChosen(choice);
    await set(path, value as never);
    setChosen((now) => now === choice ? undefined : now);
  };
  return [chosen?.path === path ? chosen.value : inForce, choose];
}
