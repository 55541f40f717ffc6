/**
 * The controllers among the MIDI ports: an input and an output of one name belong together.
 *
 * @module
 */

/** The used members of a port of the browser. */
export interface Port {
  readonly id: string;
  readonly name?: string | null;
  readonly state: string;
}

/** A pair of ports, which may be a controller. */
export interface Pair<Input extends Port = Port, Output extends Port = Port> {
  /** The name of both, with a number if there are several of that name. */
  readonly name: string;
  readonly input: Input;
  readonly output: Output;
}

/** Names of controllers that speak Mackie Control, or can be configured to. */
const MACKIE = /mackie|\bmcu\b|x-?touch|qcon|icon p1|faderport|d8b|\bssl\b|nucleus|platform m/i;

/** Returns the pairs of connected ports, in the order of the ports. */
export function pairsOf<Input extends Port, Output extends Port>(
  inputs: Iterable<Input>,
  outputs: Iterable<Output>,
): Pair<Input, Output>[] {
  const free = [...outputs].filter(({ state }) => state === "connected");
  const counts = new Map<string, number>();
  const pairs: Pair<Input, Output>[] = [];
  for (const input of inputs) {
    const at = free.findIndex(({ name }) => name === input.name);
    if (input.state !== "connected" || at === -1) continue;
    const name = input.name ?? "MIDI";
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    pairs.push({
      name: count === 1 ? name : `${name} (${count})`,
      input,
      output: free.splice(at, 1)[0]!,
    });
  }
  return pairs;
}

/** Whether a pair counts as a controller by its name, until the user chooses otherwise. */
export function isLikely(name: string): boolean {
  return MACKIE.test(name);
}

/** Whether a controller is an extender, by its name. */
export function isExtender(name: string): boolean {
  return /\bxt\b|\bext/i.test(name);
}
