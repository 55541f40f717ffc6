/**
 * The rights of a user for sites and for single consoles, as rows that can be added and removed.
 *
 * @module
 */
import { useLayoutEffect, useRef } from "preact/hooks";
import { Button } from "../parts/button.tsx";
import { fleetTexts } from "../texts/fleet.ts";
import { fleetUsersTexts } from "../texts/fleet-users.ts";
import { textsOf } from "../texts/texts.ts";
import { ConsoleOptions } from "./console-options.tsx";
import { consoles } from "./hub.ts";
import { MaySelect } from "./may-select.tsx";
import { consolesIn, sitesOf } from "./rows.ts";
import { useCollator } from "./use-collator.ts";
import type { RightRow } from "./user-rights.ts";

/** The properties of the rows. */
export interface RightRowsProps {
  readonly rows: readonly RightRow[];
  readonly onChange: (rows: readonly RightRow[]) => void;
}

/** The rows. */
export function RightRows({ rows, onChange }: RightRowsProps) {
  const own = textsOf(fleetUsersTexts);
  const element = useRef<HTMLFieldSetElement>(null);
  const count = useRef(rows.length);
  // A new row is filled in next; a removed one had the focus.
  useLayoutEffect(() => {
    if (rows.length === count.current) return;
    const isMore = rows.length > count.current;
    count.current = rows.length;
    const next = isMore ? ".fleet-right:last-of-type select" : ":scope > .button";
    element.current!.querySelector<HTMLElement>(next)!.focus();
  }, [rows.length]);
  return (
    <fieldset ref={element} class="form">
      <legend class="muted small">{own.rights}</legend>
      {rows.map((row, index) => (
        <div key={index} class="fleet-right field">
          <PlaceSelect
            label={own.place(index + 1)}
            place={row.place}
            onChange={(place) => onChange(rows.with(index, { ...row, place }))}
          />
          <MaySelect
            label={own.right(index + 1)}
            may={row.may}
            onChange={(may) => may && onChange(rows.with(index, { ...row, may }))}
          />
          <Button
            label={own.removeRight(index + 1)}
            icon="trash"
            isBare
            onPress={() => onChange(rows.toSpliced(index, 1))}
          />
        </div>
      ))}
      <Button
        label={own.addRight}
        icon="plus"
        onPress={() => onChange([...rows, { place: "", may: "operate" }])}
      />
    </fieldset>
  );
}

interface PlaceSelectProps {
  readonly label: string;
  readonly place: string;
  readonly onChange: (place: string) => void;
}

/** The choice of a site or of a console; one that the fleet does not have any more stays. */
function PlaceSelect({ label, place, onChange }: PlaceSelectProps) {
  const own = textsOf(fleetUsersTexts);
  const all = consolesIn(consoles.value ?? {});
  const sites = sitesOf(all, useCollator()).filter((site) => site !== "");
  const isKnown = place === "" || all.some(({ _id }) => place === `console ${_id}`) ||
    sites.some((site) => place === `site ${site}`);
  return (
    <select
      aria-label={label}
      required
      value={place}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    >
      <option value="">{own.choose}</option>
      {!isKnown && <option value={place}>{place.slice(place.indexOf(" ") + 1)}</option>}
      <optgroup label={own.sites}>
        {sites.map((site) => <option key={site} value={`site ${site}`}>{site}</option>)}
      </optgroup>
      <optgroup label={textsOf(fleetTexts).consoles}>
        <ConsoleOptions all={all} prefix="console " />
      </optgroup>
    </select>
  );
}
