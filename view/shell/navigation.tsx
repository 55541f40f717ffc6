/**
 * The way from page to page.
 *
 * @module
 */
import { type Page, pages } from "../pages/pages.ts";
import { Icon } from "../parts/icon.tsx";
import { locked, me } from "../rights.ts";
import { addressOf } from "../route.ts";
import { texts } from "../texts/texts.ts";

/** A link to each page that this user may see. */
export function Navigation({ current }: { readonly current: Page | undefined }) {
  const own = texts();
  const isAdmin = me.value?.admin === true;
  return (
    <nav class="navigation" aria-label={own.shell.pages} inert={locked.value}>
      {pages.filter(({ isForAdmins }) => isForAdmins !== true || isAdmin).map((page) => (
        <a
          key={page.name}
          href={addressOf(page.name)}
          aria-current={page === current ? "page" : undefined}
        >
          <Icon name={page.name} />
          <span>{own[page.name].title}</span>
        </a>
      ))}
    </nav>
  );
}
