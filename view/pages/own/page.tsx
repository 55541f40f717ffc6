/**
 * An own page, as it is operated.
 *
 * @module
 */
import { useLayoutEffect } from "preact/hooks";
import { Button } from "../../parts/button.tsx";
import { follow } from "../../state/live.ts";
import { addressOf, isKiosk } from "../../state/route.ts";
import { ownTexts } from "../../texts/own.ts";
import { textsOf } from "../../texts/texts.ts";
import { STRIPS } from "../mixer/mixer.tsx";
import { useMixerMeters } from "../mixer/mixer-meters.ts";
import { ItemView } from "./item.tsx";
import { itemKeys } from "./own-page.ts";
import type { KeptPage } from "./places.ts";

/** The items of a page in their order; the size of each depends on its kind. */
export function PageView({ page }: { readonly page: KeptPage }) {
  const own = textsOf(ownTexts);
  const board = useMixerMeters();
  const mixers = new Set(page.items.map((item) => item.kind === "strip" ? item.mixer : undefined));
  mixers.delete(undefined);
  const followed = [...mixers].sort().join();
  const keys = itemKeys(page.items);
  // A layout effect runs before the drawn values are requested: of a mixer, only the values that
  // strips show are read.
  useLayoutEffect(() => {
    if (followed === "") return;
    const ends = followed.split(",").map((id) => follow(`/audio/mixers/${id}/faders`, STRIPS));
    return () => ends.forEach((end) => end());
  }, [followed]);
  return (
    <div class="own">
      {!isKiosk.value && (
        <div class="toolbar">
          <span class="space" />
          <Button
            label={own.kiosk}
            icon="wide"
            onPress={() => location.hash = `${addressOf("own", page.name)}?kiosk`}
          />
          <Button
            label={own.edit}
            name={own.editOf(page.title)}
            icon="edit"
            onPress={() => location.hash = addressOf("own", page.name, "edit")}
          />
        </div>
      )}
      {page.items.length === 0
        ? <p class="muted">{own.empty}</p>
        : (
          <div class={page.items.length === 1 ? "own-items alone" : "own-items"}>
            {page.items.map((item, at) => (
              // Another item at this place is not drawn by the parts of the one before, and a change
              // of the items before it does not end a held fader or button.
              <div key={keys[at]} class={`own-item is-${item.kind}`}>
                <ItemView item={item} board={board} />
              </div>
            ))}
          </div>
        )}
    </div>
  );
}
