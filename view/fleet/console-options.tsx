import { useMemo } from "preact/hooks";
import { language } from "../state/preferences.ts";
import { consoleNames } from "./console-names.ts";
import type { FleetConsole } from "./console.ts";
import { EVERYTHING, foundOf } from "./rows.ts";

/** The properties of the options. */
export interface ConsoleOptionsProps {
  readonly all: readonly FleetConsole[];
  /** The text before the id of a console in the value of its option. */
  readonly prefix?: string;
}

/**
 * The options of a choice of a console, by site and name. They are drawn again when a name changes.
 */
export function ConsoleOptions({ all, prefix = "" }: ConsoleOptionsProps) {
  const locale = language.chosen.value;
  const names = all.map(({ _id, _name, _site }) => `${_id} ${_name} ${_site}`).join("\n");
  return useMemo(
    () => {
      const nameOf = consoleNames(all);
      return (
        <>
          {foundOf(all, EVERYTHING, new Intl.Collator(locale, { numeric: true })).map((
            { _id, _site },
          ) => (
            <option key={_id} value={`${prefix}${_id}`}>
              {_site === "" ? nameOf(_id) : `${_site}: ${nameOf(_id)}`}
            </option>
          ))}
        </>
      );
    },
    [names, locale],
  );
}
