/**
 * The title, the icon and the place of an own page in its editor, and the key that removes it.
 *
 * @module
 */
import { useState } from "preact/hooks";
import { OWN_PAGE_TEXT_LENGTH, OWN_PAGES } from "../../../core/limits.ts";
import { Button } from "../../parts/button.tsx";
import { Choice } from "../../parts/choice.tsx";
import { Icon } from "../../parts/icon.tsx";
import { isLeft } from "../../parts/use-kept-focus.ts";
import { notice } from "../../state/notices.ts";
import { addressOf } from "../../state/route.ts";
import { ownTexts } from "../../texts/own.ts";
import { textsOf } from "../../texts/texts.ts";
import type { OwnPage } from "./own-page.ts";
import { ICONS } from "./page-icons.ts";
import {
  consoleKeeps,
  isFullAt,
  type KeptPage,
  movePage,
  type OwnPlace,
  PLACES,
} from "./places.ts";

/** The properties of the card. */
export interface TitleCardProps {
  readonly page: KeptPage;
  /** Stores the changed members of the page. */
  readonly onChange: (part: Partial<OwnPage>) => Promise<unknown>;
  readonly onRemove: () => void;
}

/** Edits the title, the icon and the place of a page. */
export function TitleCard({ page, onChange, onRemove }: TitleCardProps) {
  const own = textsOf(ownTexts);
  const [draft, setDraft] = useState<string>();
  const takeTitle = async () => {
    const title = draft?.trim();
    if (title && title !== page.title) await onChange({ title });
    // Text that was typed while the console answered stays.
    setDraft((now) => now === draft ? undefined : now);
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
              onClick={() => onChange({ icon })}
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
      <Button label={own.removePage} icon="trash" kind="danger" onPress={onRemove} />
    </section>
  );
}
