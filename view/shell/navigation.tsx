/**
 * The navigation between pages.
 *
 * @module
 */
import { type Page, pages } from "../pages/pages.ts";
import { Icon } from "../parts/icon.tsx";
import { type OwnLink, ownLinks } from "../parts/own-links.ts";
import { locked, me, noticeBarred } from "../state/rights.ts";
import { addressOf } from "../state/route.ts";
import { consoleShellTexts } from "../texts/console-shell.ts";
import { texts, textsOf } from "../texts/texts.ts";

/** The page that is shown. */
export interface NavigationProps {
  readonly current: Page | undefined;
  /** The own page, if it is one. */
  readonly own: OwnLink | undefined;
}

/**
 * A link to each page, and to each own page. A link to a page that the user may not see shows the
 * reason when it is pressed.
 */
export function Navigation({ current, own: shown }: NavigationProps) {
  const own = texts();
  const { titles } = textsOf(consoleShellTexts);
  return (
    <nav class="navigation" aria-label={own.shell.pages} inert={locked.value}>
      {pages.map((page) => {
        const isAllowed = page.isForAdmins !== true || me.value?.admin === true;
        const reason = isAllowed ? undefined : own.rights.needsAdmin;
        return (
          <a
            key={page.name}
            href={addressOf(page.name)}
            aria-current={page === current && shown === undefined ? "page" : undefined}
            aria-disabled={reason !== undefined}
            title={reason}
            onClick={(event) => {
              if (reason === undefined) return;
              event.preventDefault();
              noticeBarred(reason);
            }}
          >
            <Icon name={page.name} />
            <span>{titles[page.name]}</span>
          </a>
        );
      })}
      {ownLinks.value.map((page) => (
        <a
          key={`own/${page.name}`}
          href={addressOf("own", page.name)}
          aria-current={page === shown ? "page" : undefined}
        >
          <Icon name={page.icon} />
          <bdi>{page.title}</bdi>
        </a>
      ))}
    </nav>
  );
}
