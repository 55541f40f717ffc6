/**
 * The frame around the pages of a hub: the name of the fleet, the user, and the links to the pages.
 *
 * @module
 */
import { useEffect, useRef } from "preact/hooks";
import { Button } from "../parts/button.tsx";
import { openDialogs } from "../parts/dialog.tsx";
import { NotLoaded } from "../parts/not-loaded.tsx";
import { Notices } from "../parts/notices.tsx";
import { Overlay } from "../parts/overlay.tsx";
import { useKeptFocus } from "../parts/use-kept-focus.ts";
import { isLogOutAsked, LogOut } from "../shell/log-out.tsx";
import { isLoginAsked, Login } from "../shell/login.tsx";
import { arePreferencesShown, Preferences } from "../shell/preferences.tsx";
import { at, link } from "../state/live.ts";
import { me } from "../state/rights.ts";
import { addressOf, route } from "../state/route.ts";
import { fleetTexts } from "../texts/fleet.ts";
import { texts, textsOf } from "../texts/texts.ts";
import { type FleetPage, pages } from "./pages.ts";

/** The whole page. */
export function FleetShell() {
  const [name = pages[0].name, ...parts] = route.value;
  const page = pages.find((one) => one.name === name);
  const title = page === undefined ? "" : textsOf(fleetTexts).titles[page.name];
  const { shell } = texts();
  const organisation = at("/general/_name").value ?? "faderd";
  const { state } = link.value;
  const isStill = state !== "open" && openDialogs.value === 0;
  useKeptFocus(isStill);
  useEffect(() => {
    document.title = `${title} – ${organisation}`;
  }, [title, organisation]);
  useEffect(() => void page?.load(), [page]);
  return (
    <>
      <button
        type="button"
        class="skip"
        onClick={() => document.querySelector("main")!.focus()}
      >
        {shell.skip}
      </button>
      <div class="shell kiosk" data-link={state}>
        <Header page={page} title={title} organisation={organisation} />
        <main class="main" tabIndex={-1}>
          <div class="page fleet" inert={isStill}>
            <Content page={page} parts={parts} />
          </div>
        </main>
      </div>
      {openDialogs.value === 0 && <Overlay />}
      <Login />
      <LogOut />
      <Preferences />
      {openDialogs.value === 0 && <Notices />}
    </>
  );
}

interface ContentProps {
  readonly page: FleetPage | undefined;
  readonly parts: readonly string[];
}

/** The page itself, or a sentence instead of it. */
function Content({ page, parts }: ContentProps) {
  const { shell: text } = texts();
  if (page === undefined) return <p>{text.noPage}</p>;
  const Component = page.component.value;
  if (Component === undefined) return <p class="muted">{text.loading}</p>;
  return Component === "failed" ? <NotLoaded /> : <Component parts={parts} />;
}

/** The links to all pages; the link to Drift leads to the last comparison. */
function Pages({ current }: { readonly current: FleetPage | undefined }) {
  const own = textsOf(fleetTexts);
  const comparison = useRef<readonly string[]>(["drift"]);
  if (current?.name === "drift") comparison.current = route.value.slice(0, 3);
  const addressOfPage = ({ name }: FleetPage) =>
    addressOf(...name === "fleet" ? [] : name === "drift" ? comparison.current : [name]);
  return (
    <nav class="toolbar fleet-pages" aria-label={own.pages}>
      {pages.map((page) => (
        <a
          key={page.name}
          class="button"
          href={addressOfPage(page)}
          aria-current={page === current ? "page" : undefined}
        >
          {own.titles[page.name]}
        </a>
      ))}
    </nav>
  );
}

interface HeaderProps {
  readonly page: FleetPage | undefined;
  readonly title: string;
  readonly organisation: string;
}

function Header({ page, title, organisation }: HeaderProps) {
  const { shell, link: own } = texts();
  const { state } = link.value;
  const user = me.value;
  const isKnown = typeof user?.name === "string";
  return (
    <header class="header line">
      <span
        class={`lamp ${state}`}
        title={state === "open" || state === "silent" ? own[state] : own.lost}
      />
      <p class="console-name cut">{organisation}</p>
      <h1 class="muted">{title}</h1>
      <Pages current={page} />
      <span class="space" />
      <span class="user muted small cut">{user && (user.name ?? shell.notLoggedIn)}</span>
      <Button
        label={isKnown ? shell.logOut : shell.logIn}
        icon={isKnown ? "exit" : "user"}
        class="log"
        onPress={() => (isKnown ? isLogOutAsked : isLoginAsked).value = true}
      />
      <Button
        label={shell.menu}
        icon="settings"
        isBare
        onPress={() => arePreferencesShown.value = true}
      />
    </header>
  );
}
