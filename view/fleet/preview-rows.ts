/**
 * The rows of the preview of a request: what it would change at each console.
 *
 * @module
 */
import type { FleetRpcResult } from "../../fleet/api/rpc-methods.ts";
import type { fleetDoTexts } from "../texts/fleet-do.ts";
import type { Outcome } from "./console.ts";

/** The preview of a request at one console, as the hub answers it. */
export type Preview = Extract<
  FleetRpcResult<"fleetdo">,
  { readonly preview: unknown }
>["preview"][number];

type Texts = ReturnType<typeof fleetDoTexts>;

/** Number of changes of a console that are shown. */
const CHANGES = 3;

/** Returns the number of consoles that would refuse a request, or have no preview, as a sentence. */
export function previewsText(previews: readonly Preview[], own: Texts): string {
  const refused = previews.filter((preview) => preview.refused !== undefined).length;
  const without = previews.filter((preview) => preview.noPreview !== undefined).length;
  const sentence = own.wouldRefuse(refused, previews.length);
  return without === 0 ? sentence : `${sentence} ${own.withoutPreview(without)}`;
}

/** Returns the outcome of a preview, the outcome in a word, and a sentence or the changes. */
export function previewRow(
  { changes, more, refused, noPreview }: Preview,
  own: Texts,
): { readonly outcome: Outcome; readonly word: string; readonly text: string } {
  if (refused !== undefined) {
    return { outcome: "refused", word: own.outcomes.refused, text: refused };
  }
  const outcome = "queued";
  if (noPreview !== undefined) return { outcome, word: own.noPreview, text: noPreview };
  const shown = changes.slice(0, CHANGES)
    .map(({ path, before, after }) =>
      `${path}: ${JSON.stringify(before)} → ${JSON.stringify(after)}`
    );
  const others = changes.length - shown.length + more;
  if (shown.length === 0) {
    return { outcome, word: "", text: others === 0 ? own.unchanged : own.changes(others) };
  }
  const text = [...shown, ...(others === 0 ? [] : [own.more(others)])].join(" · ");
  return { outcome, word: "", text };
}
