/**
 * The consoles to tick, and the search among them.
 *
 * @module
 */
import { useState } from "preact/hooks";
import { Button } from "../parts/button.tsx";
import { fleetTexts } from "../texts/fleet.ts";
import { fleetDoTexts } from "../texts/fleet-do.ts";
import { textsOf } from "../texts/texts.ts";
import type { FleetConsole } from "./console.ts";
import { Looked } from "./looked.tsx";
import { EVERYTHING, foundOf } from "./rows.ts";
import { ScrolledList } from "./scrolled-list.tsx";

/** The properties of the chooser. */
export interface ChooserProps {
  readonly all: readonly FleetConsole[];
  readonly collator: Intl.Collator;
  readonly ticked: ReadonlySet<string>;
  readonly onTick: (ticked: ReadonlySet<string>) => void;
}

/** The chooser. */
export function Chooser({ all, collator, ticked, onTick }: ChooserProps) {
  const own = textsOf(fleetDoTexts);
  const { consoles, states, noSite } = textsOf(fleetTexts);
  const [filter, setFilter] = useState(EVERYTHING);
  const found = foundOf(all, filter, collator);
  const tick = (ids: readonly string[], isOn: boolean) => {
    const others = new Set(ticked);
    for (const id of ids) isOn ? others.add(id) : others.delete(id);
    onTick(others);
  };
  return (
    <>
      <div class="toolbar fleet-look">
        <Looked
          all={all}
          filter={filter}
          collator={collator}
          onLook={(part) => setFilter({ ...filter, ...part })}
        />
        <span class="space" />
        <Button
          label={own.tickFound(found.length)}
          onPress={() => tick(found.map(({ _id }) => _id), true)}
        />
        <Button label={own.untick} onPress={() => onTick(new Set())} />
      </div>
      <ScrolledList label={consoles} rows={found} keyOf={({ _id }) => _id}>
        {({ _id, _name, _site, _state }) => (
          <label class={`fleet-tick ${_state}`}>
            <input
              type="checkbox"
              checked={ticked.has(_id)}
              onChange={({ currentTarget }) => tick([_id], currentTarget.checked)}
            />
            <bdi class="cut">{_name}</bdi>
            <bdi class="muted small cut">{_site === "" ? noSite : _site}</bdi>
            <span class="muted small cut">
              {_state === "removed" ? "" : states[_state]}
            </span>
          </label>
        )}
      </ScrolledList>
    </>
  );
}
