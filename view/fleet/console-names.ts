/**
 * The names of consoles in place of their ids.
 *
 * @module
 */
import type { FleetConsole } from "./console.ts";

/** Number of digits of an id that follow a name that several consoles have. */
const DIGITS = 8;

/**
 * Returns a function that names a console by its id: by its name, with the first digits of its id
 * if another console has the same name, as a replacement has the name of the dead console; by its
 * id if the console is not known.
 */
export function consoleNames(
  consoles: readonly Pick<FleetConsole, "_id" | "_name">[],
): (id: string) => string {
  const names = new Map(consoles.map(({ _id, _name }) => [_id, _name]));
  const counts = new Map<string, number>();
  for (const { _name } of consoles) counts.set(_name, (counts.get(_name) ?? 0) + 1);
  return (id) => {
    const name = names.get(id);
    if (name === undefined) return id;
    return counts.get(name) === 1 ? name : `${name} (${id.slice(0, DIGITS)})`;
  };
}
