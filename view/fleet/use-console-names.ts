import { useMemo } from "preact/hooks";
import { consoleNames } from "./console-names.ts";
import { consoles } from "./hub.ts";

/** Returns a function that names a console by its id; a new one only when a name has changed. */
export function useConsoleNames(): (id: string) => string {
  const known = Object.values(consoles.value ?? {});
  const names = known.map(({ _id, _name }) => `${_id} ${_name}`).join("\n");
  return useMemo(() => consoleNames(known), [names]);
}
