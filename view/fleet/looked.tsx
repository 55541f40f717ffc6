/**
 * The search among the consoles: words, and a site.
 *
 * @module
 */
import { fleetTexts } from "../texts/fleet.ts";
import { textsOf } from "../texts/texts.ts";
import type { FleetConsole } from "./console.ts";
import { type Filter, sitesOf } from "./rows.ts";

/** The properties of the fields. */
export interface LookedProps {
  readonly all: readonly Pick<FleetConsole, "_site">[];
  readonly filter: Filter;
  readonly collator: Intl.Collator;
  readonly onLook: (part: Partial<Filter>) => void;
}

/** The fields. */
export function Looked({ all, filter: { words, site }, collator, onLook }: LookedProps) {
  const own = textsOf(fleetTexts);
  return (
    <>
      <label class="field">
        <span>{own.search}</span>
        <input
          type="search"
          value={words}
          placeholder={own.searchHint}
          autocomplete="off"
          onInput={({ currentTarget }) => onLook({ words: currentTarget.value })}
        />
      </label>
      <label class="field">
        <span>{own.site}</span>
        <select
          value={site === undefined ? "" : `at ${site}`}
          onChange={({ currentTarget: { value } }) =>
            onLook({ site: value === "" ? undefined : value.slice("at ".length) })}
        >
          <option value="">{own.allSites}</option>
          {sitesOf(all, collator).map((one) => (
            <option key={one} value={`at ${one}`}>{one === "" ? own.noSite : one}</option>
          ))}
        </select>
      </label>
    </>
  );
}
