/**
 * Elements that a browser sets by itself, before the console has answered.
 *
 * @module
 */
import { useState } from "preact/hooks";
import { set } from "../state/live.ts";

/** A chosen value, until the console has answered; each choice is a new object. */
interface Choice<Value> {
  readonly path: string;
  readonly value: Value;
}

/**
 * Returns the shown value at a path, and the function that chooses another: the last choice until
 * the console has answered, and then the value in force, even after a refusal.
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
