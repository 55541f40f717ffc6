/**
 * The preview of a request on each console.
 *
 * @module
 */
import type { FleetRpcResult } from "../../fleet/api/rpc-methods.ts";
import { fleetDoTexts } from "../texts/fleet-do.ts";
import { textsOf } from "../texts/texts.ts";
import { OutcomeRow } from "./outcome-row.tsx";
import { ScrolledList } from "./scrolled-list.tsx";

type Preview = Extract<FleetRpcResult<"fleetdo">, { readonly preview: unknown }>["preview"][number];

/** Number of changes of a console that are shown. */
const CHANGES = 3;

/** The previews, a row for each console. */
export function Previews({ previews }: { readonly previews: readonly Preview[] }) {
  const own = textsOf(fleetDoTexts);
  const refused = previews.filter((preview) => preview.refused !== undefined).length;
  return (
    <>
      <p role="status">{own.wouldRefuse(refused, previews.length)}</p>
      <ScrolledList label={own.previews} rows={previews} keyOf={({ console }) => console}>
        {(preview) => (
          <OutcomeRow
            name={preview.name}
            site={preview.site}
            outcome={preview.refused === undefined ? "queued" : "refused"}
            word={preview.refused === undefined ? "" : own.outcomes.refused}
            text={preview.refused ?? changesText(preview, own)}
          />
        )}
      </ScrolledList>
    </>
  );
}

function changesText(
  { changes, more }: Preview,
  own: ReturnType<typeof fleetDoTexts>,
): string {
  if (changes.length === 0) return own.unchanged;
  const shown = changes.slice(0, CHANGES)
    .map(({ path, before, after }) =>
      `${path}: ${JSON.stringify(before)} → ${JSON.stringify(after)}`
    );
  const others = changes.length - shown.length + more;
  return [...shown, ...(others === 0 ? [] : [own.more(others)])].join(" · ");
}
