/**
 * Own pages: strips, keys, lists, meters and snapshots of one's choice.
 *
 * @module
 */
import { useState } from "preact/hooks";
import { Button } from "../../parts/button.tsx";
import { Icon } from "../../parts/icon.tsx";
import { forbids, noticeBarred } from "../../state/rights.ts";
import { addressOf } from "../../state/route.ts";
import { ownTexts } from "../../texts/own.ts";
import { texts, textsOf } from "../../texts/texts.ts";
import { EditPage } from "./edit.tsx";
import { NewPage } from "./new-page.tsx";
import { PageView } from "./page.tsx";
import { consoleKeeps, type KeptPage, ownPages, type OwnPlace, PLACES, putPage } from "./places.ts";
import { Sortable } from "./sortable.tsx";

/** The parts of the address: the name of a page, and "edit". */
export interface OwnPagesProps {
  readonly parts: readonly string[];
}

/** The page: `#/own`, `#/own/jingles`, `#/own/jingles/edit`; `#/own/jingles?kiosk` shows it alone. */
export function OwnPages({ parts: [name, what] }: OwnPagesProps) {
  const own = textsOf(ownTexts);
  const page = ownPages.value.find((one) => one.name === name);
  if (page !== undefined) {
    return what === "edit"
      ? <EditPage key={page.name} page={page} />
      : <PageView key={page.name} page={page} />;
  }
  // Whether the console has the page is known once the console has answered.
  if (name !== undefined && consoleKeeps.value === undefined) {
    return <p class="muted">{texts().shell.loading}</p>;
  }
  return (
    <div class="own form">
      {name !== undefined && <p>{own.absent(name)}</p>}
      <AllPages />
    </div>
  );
}

/** All own pages, and the form of a new page. */
function AllPages() {
  const own = textsOf(ownTexts);
  const [isNew, setNew] = useState(false);
  return (
    <>
      <p class="muted">{own.none}</p>
      {consoleKeeps.value === false && <p class="muted">{own.notKept}</p>}
      {PLACES.map((place) => <PagesOf key={place} place={place} />)}
      <div class="toolbar">
        <Button label={own.add} icon="plus" kind="primary" onPress={() => setNew(true)} />
      </div>
      {isNew && <NewPage onClose={() => setNew(false)} />}
    </>
  );
}

/** The pages of a place, in the order in which the navigation has them. */
function PagesOf({ place }: { readonly place: OwnPlace }) {
  const own = textsOf(ownTexts);
  const pages = ownPages.value.filter((page) => page.place === place);
  const reason = place === "console" ? forbids("configure") : undefined;
  if (pages.length === 0) return null;
  return (
    <section class="form" aria-label={own.places[place]}>
      <h2 class="muted small">{own.places[place]}</h2>
      <Sortable
        keys={pages.map(({ name }) => name)}
        names={pages.map(({ title }) => title)}
        onMove={async (from, to) => {
          if (reason === undefined) {
            return await putPage(place, pages[from]!.name, pages[to]!.name);
          }
          noticeBarred(reason);
          return false;
        }}
        of={(at) => <PageLine page={pages[at]!} />}
      />
    </section>
  );
}

function PageLine({ page: { name, title, icon } }: { readonly page: KeptPage }) {
  const own = textsOf(ownTexts);
  return (
    <>
      <a class="own-link line" href={addressOf("own", name)}>
        <Icon name={icon} />
        <bdi>{title}</bdi>
      </a>
      <Button
        label={own.editOf(title)}
        icon="edit"
        isBare
        onPress={() => location.hash = addressOf("own", name, "edit")}
      />
    </>
  );
}
