/**
 * The editor of an own page. Each change is saved at once.
 *
 * @module
 */
import { useState } from "preact/hooks";
import { OWN_PAGE_ITEMS } from "../../../core/limits.ts";
import { Button } from "../../parts/button.tsx";
import { Question } from "../../parts/question.tsx";
import { notice } from "../../state/notices.ts";
import { forbids } from "../../state/rights.ts";
import { addressOf } from "../../state/route.ts";
import { ownTexts } from "../../texts/own.ts";
import { textsOf } from "../../texts/texts.ts";
import { AddItem } from "./add-item.tsx";
import { itemText } from "./item-text.ts";
import {
  type Item,
  itemKeys,
  type Items,
  type OwnPage,
  withItemMoved,
  withoutItem,
} from "./own-page.ts";
import { keepPage, type KeptPage } from "./places.ts";
import { Sortable } from "./sortable.tsx";
import { TitleCard } from "./title-card.tsx";

/** Edits the title, the icon, the place and the items of a page. */
export function EditPage({ page }: { readonly page: KeptPage }) {
  const own = textsOf(ownTexts);
  const [isRemoving, setRemoving] = useState(false);
  const reason = page.place === "console" ? forbids("configure") : undefined;
  const change = async (part: (page: OwnPage) => Partial<OwnPage>) => {
    if (reason !== undefined) return false;
    return await keepPage(page.place, page.name, (now) => now && { ...now, ...part(now) });
  };
  const changeItems = (items: (items: Items) => Items) =>
    change((now) => ({ items: items(now.items) }));
  const add = (item: Item) => {
    if (page.items.length >= OWN_PAGE_ITEMS) return notice(own.full(OWN_PAGE_ITEMS));
    changeItems((items) => [...items, item]);
  };
  return (
    <div class="own form">
      <div class="toolbar">
        <span class="space" />
        <Button
          label={own.done}
          icon="check"
          kind="primary"
          onPress={() => location.hash = addressOf("own", page.name)}
        />
      </div>
      {reason !== undefined && <p role="status">{reason}</p>}
      <div class="own-edit" inert={reason !== undefined}>
        <section class="card form" aria-label={own.items}>
          <h2>{own.items}</h2>
          {page.items.length === 0 && <p class="muted">{own.empty}</p>}
          <Sortable
            keys={itemKeys(page.items)}
            names={page.items.map(itemText)}
            onMove={async (from, to) => {
              let isMoved = false;
              const isKept = await changeItems((items) => {
                const next = withItemMoved(items, page.items, from, to);
                isMoved = next !== items;
                return next;
              });
              return isKept && isMoved;
            }}
            of={(at) => (
              <ItemLine
                name={itemText(page.items[at]!)}
                onRemove={() => changeItems((items) => withoutItem(items, page.items, at))}
              />
            )}
          />
          <AddItem onAdd={add} />
        </section>
        <TitleCard
          page={page}
          onChange={(part) => change(() => part)}
          onRemove={() => setRemoving(true)}
        />
      </div>
      {isRemoving && (
        <Question
          title={own.removeTitle(page.title)}
          sentence={own.removeHint[page.place]}
          label={own.remove}
          onYes={async () => {
            if (await keepPage(page.place, page.name, () => undefined)) {
              location.hash = addressOf("own");
            }
          }}
          onClose={() => setRemoving(false)}
        />
      )}
    </div>
  );
}

interface ItemLineProps {
  readonly name: string;
  readonly onRemove: () => void;
}

function ItemLine({ name, onRemove }: ItemLineProps) {
  return (
    <>
      <bdi class="own-item-name">{name}</bdi>
      <Button
        label={textsOf(ownTexts).removeItem(name)}
        icon="trash"
        isBare
        onPress={onRemove}
      />
    </>
  );
}
