/**
 * The editor of an own page. Each change is saved at once.
 *
 * @module
 */
import { useState } from "preact/hooks";
import { OWN_PAGE_ITEMS, OWN_PAGE_TEXT_LENGTH, OWN_PAGES } from "../../../core/limits.ts";
import { Button } from "../../parts/button.tsx";
import { Choice } from "../../parts/choice.tsx";
import { Icon } from "../../parts/icon.tsx";
import { Question } from "../../parts/question.tsx";
import { isLeft } from "../../parts/use-kept-focus.ts";
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
import { ICONS } from "./page-icons.ts";
import {
  consoleKeeps,
  isFullAt,
  keepPage,
  type KeptPage,
  movePage,
  type OwnPlace,
  PLACES,
} from "./places.ts";
import { Sortable } from "./sortable.tsx";

/** Edits the title, the icon, the place and the items of a page. */
export function EditPage({ page }: { readonly page: KeptPage }) {
  const own = textsOf(ownTexts);
  const [isRemoving, setRemoving] = useState(false);
  const [draft, setDraft] = useState<string>();
  const isInConsole = page.place === "console";
  const reason = isInConsole ? forbids("configure") : undefined;
  const change = async (part: (page: OwnPage) => Partial<OwnPage>) => {
    if (reason !== undefined) return false;
    return await keepPage(page.place, page.name, (now) => now && { ...now, ...part(now) });
  };
  const takeTitle = async () => {
    const title = draft?.trim();
    if (title && title !== page.title) await change(() => ({ title }));
    // Text that was typed while the console answered stays.
    setDraft((now) => now === draft ? undefined : now);
  };
  const changeItems = (items: (items: Items) => Items) =>
    change((now) => ({ items: items(now.items) }));
  const add = (item: Item) => {
    if (page.items.length >= OWN_PAGE_ITEMS) return notice(own.full(OWN_PAGE_ITEMS));
    changeItems((items) => [...items, item]);
  };
  const move = async (place: OwnPlace) => {
    if (place === page.place) return;
    if (isFullAt(place)) return notice(own.fullPlace(OWN_PAGES));
    const name = await movePage(page, place);
    if (name === undefined || name === page.name) return;
    notice(own.renamed(name));
    location.hash = addressOf("own", name, "edit");
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
        <section class="card form" aria-label={own.titleField}>
          <label class="field">
            <span>{own.titleField}</span>
            <input
              maxLength={OWN_PAGE_TEXT_LENGTH}
              autocomplete="off"
              value={draft ?? page.title}
              onInput={({ currentTarget: { value } }) => setDraft(value)}
              onBlur={({ currentTarget }) => {
                if (isLeft(currentTarget)) takeTitle();
              }}
              onKeyDown={({ key }) => {
                if (key === "Enter") takeTitle();
                if (key === "Escape") setDraft(undefined);
              }}
            />
          </label>
          <fieldset class="choice">
            <legend>{own.icon}</legend>
            <div class="choice-items toolbar">
              {ICONS.map((icon) => (
                <button
                  key={icon}
                  type="button"
                  class="button"
                  aria-label={own.icons[icon]}
                  title={own.icons[icon]}
                  aria-pressed={icon === page.icon}
                  onClick={() => change(() => ({ icon }))}
                >
                  <Icon name={icon} />
                </button>
              ))}
            </div>
          </fieldset>
          {consoleKeeps.value === true && (
            <Choice
              label={own.place}
              items={PLACES}
              chosen={page.place}
              textOf={(place) => own.places[place]}
              onChoose={move}
            />
          )}
          <small class="muted">{consoleKeeps.value === true ? own.placeHint : own.notKept}</small>
          <Button
            label={own.removePage}
            icon="trash"
            kind="danger"
            onPress={() => setRemoving(true)}
          />
        </section>
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
