/**
 * The form of a new own page.
 *
 * @module
 */
import { useState } from "preact/hooks";
import { OWN_PAGE_TEXT_LENGTH, OWN_PAGES } from "../../../core/limits.ts";
import { Choice } from "../../parts/choice.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Ends } from "../../parts/ends.tsx";
import { notice } from "../../state/notices.ts";
import { forbids, noticeBarred } from "../../state/rights.ts";
import { addressOf } from "../../state/route.ts";
import { ownTexts } from "../../texts/own.ts";
import { textsOf } from "../../texts/texts.ts";
import { pageName } from "./own-page.ts";
import { consoleKeeps, isFullAt, keepPage, ownPages, type OwnPlace, PLACES } from "./places.ts";

/** Asks for the title of a page and for its place, and opens its editor. */
export function NewPage({ onClose }: { readonly onClose: () => void }) {
  const own = textsOf(ownTexts);
  const [place, setPlace] = useState<OwnPlace>("device");
  const [title, setTitle] = useState("");
  const reason = place === "console" ? forbids("configure") : undefined;
  const create = async () => {
    if (reason !== undefined) return noticeBarred(reason);
    if (isFullAt(place)) return notice(own.fullPlace(OWN_PAGES));
    const name = pageName(title, ownPages.peek().map((page) => page.name));
    const made = { name, title: title.trim(), icon: "own", items: [] } as const;
    // A page that another device has made meanwhile stays as it is.
    if (!await keepPage(place, name, (there) => there ?? made)) return;
    onClose();
    location.hash = addressOf("own", name, "edit");
  };
  return (
    <Dialog title={own.add} onClose={onClose} isKept>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          create();
        }}
      >
        <label class="field">
          <span>{own.titleField}</span>
          <input
            required
            pattern=".*\S.*"
            maxLength={OWN_PAGE_TEXT_LENGTH}
            autocomplete="off"
            autofocus
            value={title}
            onInput={({ currentTarget: { value } }) => setTitle(value)}
          />
        </label>
        {consoleKeeps.value === true && (
          <>
            <Choice
              label={own.place}
              items={PLACES}
              chosen={place}
              textOf={(one) => own.places[one]}
              onChoose={setPlace}
            />
            {place === "console" && <small class="muted">{own.placeHint}</small>}
          </>
        )}
        <Ends onCancel={onClose}>
          <button type="submit" class="button primary" aria-disabled={reason !== undefined}>
            {own.create}
          </button>
        </Ends>
      </form>
    </Dialog>
  );
}
