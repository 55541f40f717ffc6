/**
 * The consoles below each other, by their sites.
 *
 * @module
 */
import { fleetTexts } from "../texts/fleet.ts";
import { textsOf } from "../texts/texts.ts";
import { ConsoleRow, type ConsoleRowProps } from "./console-row.tsx";
import { keyOf, type Row } from "./rows.ts";
import { ScrolledList } from "./scrolled-list.tsx";

/** The properties of the list. */
export interface ConsoleListProps extends Omit<ConsoleRowProps, "id" | "differsFrom"> {
  readonly rows: readonly Row[];
  /** The consoles that differ from templates, and the names of these templates. */
  readonly drift: ReadonlyMap<string, readonly string[]>;
}

const NONE: readonly string[] = [];

/** The list, which scrolls in itself. */
export function ConsoleList({ rows, drift, ...actions }: ConsoleListProps) {
  const own = textsOf(fleetTexts);
  return (
    <ScrolledList label={own.consoles} rows={rows} keyOf={keyOf}>
      {(row) =>
        "id" in row
          ? <ConsoleRow id={row.id} differsFrom={drift.get(row.id) ?? NONE} {...actions} />
          : <Heading {...row.heading} />}
    </ScrolledList>
  );
}

function Heading(
  { site, count }: { readonly site: string | undefined; readonly count: number },
) {
  const own = textsOf(fleetTexts);
  return (
    <h2 class="fleet-heading line">
      <bdi class="cut">{site === undefined ? own.waiting : site === "" ? own.noSite : site}</bdi>
      <span class="badge">{count}</span>
    </h2>
  );
}
