/**
 * The preview of a request on each console.
 *
 * @module
 */
import { fleetDoTexts } from "../texts/fleet-do.ts";
import { textsOf } from "../texts/texts.ts";
import { OutcomeRow } from "./outcome-row.tsx";
import { type Preview, previewRow, previewsText } from "./preview-rows.ts";
import { ScrolledList } from "./scrolled-list.tsx";

/** The previews, a row for each console. */
export function Previews({ previews }: { readonly previews: readonly Preview[] }) {
  const own = textsOf(fleetDoTexts);
  return (
    <>
      <p role="status">{previewsText(previews, own)}</p>
      <ScrolledList label={own.previews} rows={previews} keyOf={({ console }) => console}>
        {(preview) => (
          <OutcomeRow name={preview.name} site={preview.site} {...previewRow(preview, own)} />
        )}
      </ScrolledList>
    </>
  );
}
