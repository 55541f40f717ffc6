import { ownTexts } from "../../texts/own.ts";
import { textsOf } from "../../texts/texts.ts";
import { itemText } from "./item-text.ts";
import type { Item } from "./own-page.ts";

/** Says instead of an item that the console has no such resource. */
export function Missing({ item }: { readonly item: Item }) {
  return <p class="own-missing muted">{textsOf(ownTexts).missing(itemText(item))}</p>;
}
